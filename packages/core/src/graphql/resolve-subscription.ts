import { GraphQLError, type GraphQLFieldResolver } from "graphql";
import { ALWAYS, andFilters, type Filter, NEVER } from "../operation/filter.ts";
import type { Key } from "../model/model.ts";
import type { ChangeKind } from "../operation/operation.ts";
import type { Change } from "../operation/outcome.ts";
import { lowerFilterArgument } from "./lower/lower-list.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { type Node, toNode } from "./node.ts";
import { readFrom } from "./reader.ts";
import { type Resolver, resolver } from "./resolver.ts";
import type { Arguments } from "./root-field.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";

/**
 * Creates the source of a subscription such as `bookCreated`: one `watch` operation that is read until the subscriber
 * leaves.
 */
export function subscribeTo(target: FieldTarget, kinds: readonly ChangeKind[]): Resolver {
  const { resource } = target;
  return resolver({
    select: (nodes, document) => lowerSelection(target, nodes, document),
    lower: (args, selection) => ({
      kind: "watch",
      resource: resource.name,
      on: kinds,
      ...watched(target, args),
      ...(typeof args["after"] === "string" ? { after: args["after"] } : {}),
      ...(args["initial"] === true ? { initial: true as const } : {}),
      selection,
    }),
    read: (outcome) => (outcome.kind === "stream" ? outcome.changes : unexpectedOutcome(outcome)),
  });
}

function watched(target: FieldTarget, args: Arguments): { key?: Key; filter?: Filter } {
  const filter = lowerFilterArgument(target, args, []);
  const id = (args["id"] ?? undefined) as string | undefined;
  const key = id === undefined ? undefined : target.ids.parse(target.resource, id);
  // A malformed id matches no row, so no event will match.
  const joined = andFilters(filter, id !== undefined && key === undefined ? NEVER : ALWAYS);
  return { ...(key === undefined ? {} : { key }), ...(joined === undefined ? {} : { filter: joined }) };
}

/** Resolves the payload of one event. An event without a payload becomes an error with instructions. */
export function resolveChange({ resource, ids }: FieldTarget): GraphQLFieldResolver<Change, unknown> {
  return readFrom((change: Change): Node => {
    if (change.kind === "reset") {
      throw new GraphQLError("Changes were missed. Reload the data that you display.", {
        extensions: { code: "UNAVAILABLE", reset: true },
      });
    }
    if (change.kind !== "left") return toNode(change.row);
    throw new GraphQLError(`This ${resource.typeName} no longer matches your subscription.`, {
      extensions: { code: "NOT_FOUND", left: true, id: ids.format(resource, change.key) },
    });
  });
}
