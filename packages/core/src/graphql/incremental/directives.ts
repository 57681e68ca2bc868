import {
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  getDirectiveValues,
  type GraphQLResolveInfo,
  GraphQLSchema,
  Kind,
  type SelectionNode,
  visit,
} from "graphql";
import { BifocalError } from "../../errors/bifocal-error.ts";
import { DefinitionError } from "../../errors/definition-error.ts";
import { INCREMENTAL } from "./graphql-js.ts";

const NAMES: ReadonlySet<string> = new Set(["defer", "stream"]);

/** The same schema with `@defer` and `@stream`. Throws `DefinitionError` where graphql-js cannot execute them. */
export function withIncremental(schema: GraphQLSchema): GraphQLSchema {
  if (INCREMENTAL === undefined) {
    const problem = "This version of graphql doesn't support @defer and @stream.";
    throw new DefinitionError([
      { at: "graphql.incremental", problem, fix: "Install graphql 17, or remove the option." },
    ]);
  }
  const others = schema.getDirectives().filter(({ name }) => !NAMES.has(name));
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...others, ...INCREMENTAL.directives] });
}

/** Whether anything in a document is to be delivered later. */
export function hasIncremental(document: DocumentNode): boolean {
  // Most documents have no directive, and no sign of one.
  if (document.loc?.source.body.includes("@") === false) return false;
  let found = false;
  visit(document, {
    Directive: (node) => {
      if (!isIncremental(node)) return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}

/** The same document, to be answered whole. */
export function withoutIncremental(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });
}

export function isIncremental({ name }: DirectiveNode): boolean {
  return NAMES.has(name.value);
}

type Variables = GraphQLResolveInfo["variableValues"];

/** Whether a fragment is to be delivered later, by its `if`. */
export function isDeferred(node: SelectionNode, variables: Variables): boolean {
  return node.kind !== Kind.FIELD && valuesOf("defer", node, variables) !== undefined;
}

/** How many items of a field come at once; undefined where all do. Throws BAD_REQUEST for fewer than none. */
export function initialCount(node: SelectionNode, variables: Variables): number | undefined {
  const count = valuesOf("stream", node, variables)?.["initialCount"];
  if (typeof count !== "number") return undefined;
  if (count < 0) throw new BifocalError("BAD_REQUEST", "'initialCount' of @stream must be 0 or more.");
  return count;
}

function valuesOf(
  name: string,
  node: SelectionNode,
  variables: Variables,
): Readonly<Record<string, unknown>> | undefined {
  if (node.directives === undefined || node.directives.length === 0) return undefined;
  const directive = INCREMENTAL?.directives.find((one) => one.name === name);
  const values = directive && getDirectiveValues(directive, node, variables);
  return values?.["if"] === false ? undefined : values;
}
