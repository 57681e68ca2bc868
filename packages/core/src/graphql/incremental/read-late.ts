import type { GraphQLResolveInfo } from "graphql";
import type { Node } from "../../operation/outcome.ts";
import { type MaybePromise } from "../../util/maybe-promise.ts";
import { findContext } from "../context.ts";

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
