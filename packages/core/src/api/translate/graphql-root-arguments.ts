import { isRequiredArgument } from "graphql";
import { notExpressible } from "./not-expressible-error.ts";
import type { Key } from "../../model/model.ts";
import type { Operation, Precondition, QueryCall } from "../../operation/operation.ts";
import { conditionArguments, filterArgument, groupsArguments, argumentsOfList } from "./graphql-arguments.ts";
import { graphqlInput, graphqlValue } from "./graphql-input.ts";
import type { schemaField } from "./graphql-selection.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";
import { preconditionText } from "./rest-line.ts";

type Values = Readonly<Record<string, unknown>>;

/** Writes the arguments of the root field of an operation. */
export function rootArguments(
  context: PrintContext,
  place: PrintedResource,
  operation: Operation,
  field: ReturnType<typeof schemaField>,
): Values {
  const { resource, described } = place;
  const id = (key: Key | undefined): Values => (key === undefined ? {} : { id: context.ids.format(resource, key) });
  switch (operation.kind) {
    case "list":
      return {
        ...queryArguments(context, place, operation.query),
        ...argumentsOfList(context, resource, field, operation),
        deleted: operation.deleted?.toUpperCase(),
      };
    case "query":
      return queryArguments(context, place, operation.query);
    case "aggregate":
      return groupsArguments(context, resource, field, operation, operation);
    case "get":
      return { ...id(operation.key), deleted: operation.deleted?.toUpperCase() };
    case "create":
      return { input: graphqlInput(context, place, operation.input, false) };
    case "createMany":
      return { input: operation.inputs.map((one) => graphqlInput(context, place, one, false)) };
    case "replace":
    case "update":
      return {
        ...id(operation.key),
        input: graphqlInput(context, place, operation.input, operation.kind === "update"),
        ...conditions(operation),
      };
    case "updateMany":
      if (operation.selection !== undefined)
        notExpressible("GraphQL returns the ids of several updated rows, not the rows.");
      return {
        ...bulkCondition(context, resource, field, operation),
        input: graphqlInput(context, place, operation.input, true),
        ...conditions(operation),
      };
    case "delete":
      return { ...id(operation.key), ...conditions(operation) };
    case "deleteMany":
      return { ...bulkCondition(context, resource, field, operation), ...conditions(operation) };
    case "link":
    case "unlink": {
      if (operation.more !== undefined && operation.more.length > 0)
        notExpressible("Only JSON:API links several rows in one request.");
      const other = field.args.find(({ name }) => name !== "id" && name !== "idempotencyKey")?.name ?? "";
      const { resource: target } = printedResource(context, described.relations[operation.relation]?.to ?? "");
      return { ...id(operation.key), [other]: context.ids.format(target, operation.target) };
    }
    case "act":
      return {
        ...id(operation.key),
        input: graphqlValue(described.actions[operation.action]?.input, operation.input),
        ...conditions(operation),
      };
    case "watch":
      return {
        ...id(operation.key),
        ...filterArgument(context, resource, operation.filter),
        after: operation.after,
        initial: operation.initial,
      };
    case "permissions":
      return {};
  }
}

/** If GraphQL requires a filter, an empty one matches all rows, as a missing one does. */
function bulkCondition(
  context: PrintContext,
  resource: PrintedResource["resource"],
  { args }: ReturnType<typeof schemaField>,
  operation: Parameters<typeof conditionArguments>[2],
): Values {
  const isRequired = args.some((one) => one.name === "filter" && isRequiredArgument(one));
  return { ...(isRequired ? { filter: {} } : {}), ...conditionArguments(context, resource, operation) };
}

function queryArguments(
  { ids }: PrintContext,
  { resource, described }: PrintedResource,
  query: QueryCall | undefined,
): Values {
  if (query === undefined) return {};
  const { name, key, input } = query;
  const given = graphqlValue(described.queries[name]?.input, input) as Values | undefined;
  return { ...(key === undefined ? {} : { id: ids.format(resource, key) }), ...given };
}

function conditions({
  ifMatch,
  ifNoneMatch,
}: {
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}): Values {
  return { ifMatch: ifMatch && preconditionText(ifMatch), ifNoneMatch: ifNoneMatch && preconditionText(ifNoneMatch) };
}
