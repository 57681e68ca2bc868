import { type GraphQLFieldResolver, GraphQLError } from "graphql";
import { denialsOf } from "./context.ts";
import type { Node } from "../operation/outcome.ts";
import { thenNow } from "../util/maybe-promise.ts";
import { withPlaces } from "./incremental/read-late.ts";
import type { Arguments } from "./root-field.ts";

/** How a field beneath the root gets its value: from what is there already, without waiting and without a rule. */
export type Reader =
  /** A selected field of a row; without a value the caller may not read it. */
  | { readonly kind: "field"; readonly name: string }
  /** A selected relation of a row, whose place in the node depends on the arguments (see `RelationSelection.as`). */
  | {
      readonly kind: "relation";
      readonly name: string;
      readonly many: boolean;
      readonly placeOf: (args: Arguments) => string;
    }
  /** The rows of a page, bare or as edges; and of an edge its row and the cursor of that. */
  | { readonly kind: "nodes" | "edges" | "node" | "cursor" }
  /** Anything that the source alone tells: of a row, of a page, of a value. */
  | { readonly kind: "computed"; readonly read: (source: never) => unknown };

/** By the function that stands in the schema: who puts another one in its place takes over the field. */
const READERS = new WeakMap<object, Reader>();

export function registerReader<Resolve extends object>(resolve: Resolve, reader: Reader): Resolve {
  READERS.set(resolve, reader);
  return resolve;
}

export function readerOf(resolve: object | undefined): Reader | undefined {
  return resolve === undefined ? undefined : READERS.get(resolve);
}

export function computed<Source>(read: (source: Source) => unknown): GraphQLFieldResolver<Source, unknown> {
  return registerReader((source: Source) => read(source), { kind: "computed", read });
}

/** As `computed`, of a row that has a value of this name. */
export function computedFrom(name: string, read: (node: Node) => unknown): GraphQLFieldResolver<Node, unknown> {
  const resolve: GraphQLFieldResolver<Node, unknown> = (node, _args, contextValue, info) =>
    thenNow(withPlaces(node, [name], contextValue, info), read);
  return registerReader(resolve, { kind: "computed", read });
}

export function readField(name: string): GraphQLFieldResolver<Node, unknown> {
  const resolve: GraphQLFieldResolver<Node, unknown> = (node, _args, contextValue, info) =>
    thenNow(withPlaces(node, [name], contextValue, info), (row) => readable(row, name, name, contextValue));
  return registerReader(resolve, { kind: "field", name });
}

/**
 * A selected name without a value is one that the caller may not read (see operation/outcome). Beyond as many as are
 * told of, it is only null.
 */
export function readable(node: Node, place: string, name: string, contextValue?: unknown): unknown {
  const value = Object.hasOwn(node, place) ? node[place] : undefined;
  if (value !== undefined) return value;
  const denials = denialsOf(contextValue);
  if (denials !== undefined) {
    denials.count += 1;
    if (denials.count > denials.most) return null;
  }
  throw new GraphQLError(`You are not allowed to read '${name}'.`, { extensions: { code: "FORBIDDEN" } });
}
