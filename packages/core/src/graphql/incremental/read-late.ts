import type { GraphQLResolveInfo } from "graphql";
import type { Node } from "../../operation/outcome.ts";
import { type MaybePromise } from "../../util/maybe-promise.ts";
import { findContext } from "../context.ts";

/** The row with a value at each of these places, read again where the first operation left one to later. */
export function withPlaces(
  node: Node,
  places: readonly string[],
  contextValue: unknown,
  info: GraphQLResolveInfo,
): MaybePromise<Node> {
  if (places.every((place) => Object.hasOwn(node, place))) return node;
  // What is left out otherwise is denied.
  return findContext(contextValue)?.late?.read(node, info) ?? node;
}
