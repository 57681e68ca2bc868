import { type DocumentNode, Kind, parse, print } from "graphql";
import { exactVariables } from "../../graphql/compile/exact-variables.ts";
import { capitalize } from "../../graphql/schema/names.ts";
import type { Operation } from "../../operation/operation.ts";
import type { ClientRootField } from "../client-description-types.ts";
import { rootArguments } from "./graphql-root-arguments.ts";
import { connection, groupsText, rowSelection, schemaField } from "./graphql-selection.ts";
import { createVariables } from "./graphql-variables.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";
import type { GraphqlForm } from "./translation.ts";

const EMPTY = { fields: [], relations: [] } as const;

/** Prints an operation as a GraphQL document. Throws NotExpressibleError if GraphQL has no such field. */
export function graphqlDocument(context: PrintContext, operation: Operation): GraphqlForm {
  const place = printedResource(context, operation.resource);
  const name = rootName(place, operation);
  const { schema } = context;
  const [kind, type] = isRead(operation)
    ? (["query", schema.getQueryType()] as const)
    : operation.kind === "watch"
      ? (["subscription", schema.getSubscriptionType()] as const)
      : (["mutation", schema.getMutationType()] as const);
  const field = schemaField(context, type, name);
  const variables = createVariables();
  const written = variables.write(field, rootArguments(context, place, operation, field));
  const selection = selectionOf(context, place, operation, variables);
  const text = `${kind} ${variables.declarations()} { ${name}${written} ${selection} }`;
  const parsed = parse(text);
  refuseInvalid(schema, parsed, variables.values);
  return { document: print(parsed), variables: variables.values };
}

/** Operations hold inputs that were not validated yet, and GraphQL validates them before. */
function refuseInvalid(
  schema: PrintContext["schema"],
  { definitions }: DocumentNode,
  values: Readonly<Record<string, unknown>>,
): void {
  const [definition] = definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return;
  const { errors = [] } = exactVariables(schema, definition.variableDefinitions, values);
  const [first] = errors;
  if (first !== undefined) notExpressible(`GraphQL rejects these values. ${first.message}`);
}

function isRead({ kind }: Operation): boolean {
  return kind === "get" || kind === "list" || kind === "aggregate" || kind === "query";
}

function rootName({ described }: PrintedResource, operation: Operation): string {
  const { kind } = operation;
  if (kind === "permissions") return notExpressible("GraphQL has no query for permissions.");
  if (kind === "watch") {
    const [on = "changed", ...others] = operation.on;
    if (others.length === 1) notExpressible("GraphQL has subscriptions for one kind of change, and for all of them.");
    return described.name + capitalize(others.length === 0 ? on : "changed");
  }
  if ((kind === "create" || kind === "createMany") && operation.within !== undefined)
    notExpressible(
      `GraphQL can't create inside '${operation.within.relation}'. Set the field that references the row.`,
    );
  const field: ClientRootField | undefined =
    kind === "act"
      ? described.actions[operation.action]?.graphql
      : (kind === "list" || kind === "query") && operation.query !== undefined
        ? described.queries[operation.query.name]?.graphql
        : kind === "link" || kind === "unlink"
          ? described.relations[operation.relation]?.[kind]
          : described.graphql[kind];
  return field?.field ?? notExpressible(`GraphQL doesn't offer '${kind}' for '${described.name}'.`);
}

function selectionOf(
  context: PrintContext,
  place: PrintedResource,
  operation: Operation,
  variables: ReturnType<typeof createVariables>,
): string {
  const { described } = place;
  switch (operation.kind) {
    case "list":
      return connection(context, place, operation.selection, operation.count, variables);
    case "query":
      return described.queries[operation.query.name]?.select ?? "";
    case "aggregate":
      return groupsText(place, operation);
    case "updateMany":
    case "deleteMany":
      return "{ count ids }";
    case "delete":
      return "{ deleted id }";
    case "act": {
      const action = described.actions[operation.action];
      return action?.returns === "row"
        ? rowSelection(context, place, operation.selection, variables)
        : (action?.select ?? "");
    }
    case "permissions":
      return "";
    default:
      return rowSelection(context, place, operation.selection ?? EMPTY, variables);
  }
}
