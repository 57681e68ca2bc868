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

/** Returns the schema with `@defer` and `@stream`. Throws a `DefinitionError` if graphql-js does not support them. */
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

/** Returns whether a document uses `@defer` or `@stream`. */
export function hasIncremental(document: DocumentNode): boolean {
  // Most documents have no directives, and so no `@`.
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

/** Removes `@defer` and `@stream`, for a response in one piece. */
export function withoutIncremental(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });
}

export function isIncremental({ name }: DirectiveNode): boolean {
  return NAMES.has(name.value);
}

type Variables = GraphQLResolveInfo["variableValues"];

/** Returns whether a fragment is deferred, according to its `if` argument. */
export function isDeferred(node: SelectionNode, variables: Variables): boolean {
  return node.kind !== Kind.FIELD && valuesOf("defer", node, variables) !== undefined;
}

/**
 * Returns how many items of a field are sent at once, or undefined if all are. Throws BAD_REQUEST for a negative
 * number.
 */
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
