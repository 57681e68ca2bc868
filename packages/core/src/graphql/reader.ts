import { GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from "graphql";
import { denialsOf, findContext } from "./context.ts";
import type { Node } from "./node.ts";
import { mapMaybePromise, type MaybePromise } from "../util/maybe-promise.ts";
import type { Arguments } from "./root-field.ts";

/** Describes how a field below the root gets its value from loaded data, without waiting and without an access rule. */
export type Reader =
  /** A selected field of a row. It has no value if the caller is not allowed to read it. */
  | { readonly kind: "field"; readonly name: string }
  /** A selected relation of a row. Its place in the node depends on the arguments (see `RelationSelection.as`). */
  | {
      readonly kind: "relation";
      readonly name: string;
      readonly many: boolean;
      readonly placeOf: (args: Arguments) => string;
    }
  /** Groups of the rows of a relation. Their place in the node depends on the arguments. */
  | { readonly kind: "groups"; readonly name: string; readonly placeOf: (args: Arguments) => string }
  /** The rows or the edges of a page; the row or the cursor of an edge. */
  | { readonly kind: "nodes" | "edges" | "node" | "cursor" }
  /** A value computed from the source alone: a row, a page or another value. */
  | { readonly kind: "computed"; readonly read: (source: never) => unknown };

/** Keyed by the resolver in the schema. A host that replaces the resolver takes over the field. */
const READERS = new WeakMap<object, Reader>();

export function registerReader<Resolve extends object>(resolve: Resolve, reader: Reader): Resolve {
  READERS.set(resolve, reader);
  return resolve;
}

export function readerOf(resolve: object | undefined): Reader | undefined {
  return resolve === undefined ? undefined : READERS.get(resolve);
}

export function readFrom<Source>(read: (source: Source) => unknown): GraphQLFieldResolver<Source, unknown> {
  return registerReader((source: Source) => read(source), { kind: "computed", read });
}

/** Like `readFrom`, for a row that has a value of this name. */
export function computedFrom(name: string, read: (node: Node) => unknown): GraphQLFieldResolver<Node, unknown> {
  const resolve: GraphQLFieldResolver<Node, unknown> = (node, _args, contextValue, info) =>
    mapMaybePromise(withPlaces(node, [name], contextValue, info), read);
  return registerReader(resolve, { kind: "computed", read });
}

export function readField(name: string, isRequired: boolean): GraphQLFieldResolver<Node, unknown> {
  const resolve: GraphQLFieldResolver<Node, unknown> = (node, _args, contextValue, info) =>
    mapMaybePromise(withPlaces(node, [name], contextValue, info), (row) =>
      readable(row, { place: name, name, isRequired }, contextValue),
    );
  return registerReader(resolve, { kind: "field", name });
}

/** A value of a row, by its place in the node (see `RelationSelection.as`). */
interface Selected {
  readonly place: string;
  readonly name: string;
  /** Whether the value is null only if there is an error (see `@semanticNonNull`). */
  readonly isRequired: boolean;
}

/**
 * Returns a selected value. A selected name has no value if the caller is not allowed to read it (see `Node`). After
 * the maximum number of errors, such a value is null.
 */
export function readable(node: Node, { place, name, isRequired }: Selected, contextValue?: unknown): unknown {
  const value = Object.hasOwn(node, place) ? node[place] : undefined;
  if (value === null && isRequired) {
    throw new GraphQLError(`'${name}' has no value.`, { extensions: { code: "INTERNAL" } });
  }
  if (value !== undefined) return value;
  const denials = denialsOf(contextValue);
  if (denials !== undefined) {
    denials.count += 1;
    if (denials.count > denials.most) return null;
  }
  throw new GraphQLError(`You are not allowed to read '${name}'.`, { extensions: { code: "FORBIDDEN" } });
}

/** Returns the row with a value at each of these places. Reads the row again if the first operation left one out. */
export function withPlaces(
  node: Node,
  places: readonly string[],
  contextValue: unknown,
  info: GraphQLResolveInfo,
): MaybePromise<Node> {
  if (places.every((place) => Object.hasOwn(node, place))) return node;
  // Other missing values are denied to the caller.
  return findContext(contextValue)?.late?.read(node, info) ?? node;
}
