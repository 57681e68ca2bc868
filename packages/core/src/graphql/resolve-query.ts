import type { GraphQLFieldConfig } from "graphql";
import { isBifocalError } from "../errors/bifocal-error.ts";
import { parseId } from "../operation/key.ts";
import { contextOf } from "./context.ts";
import { toGraphQLError } from "./graphql-error.ts";
import { lowerList } from "./lower/lower-list.ts";
import { lowerConnection, lowerSelection } from "./lower/lower-selection.ts";
import { rememberSelection } from "./lower/selection-of.ts";
import type { Target } from "./lower/target.ts";
import { resolver, unexpected } from "./resolver.ts";

type Resolve = NonNullable<GraphQLFieldConfig<unknown, unknown>["resolve"]>;

/** `book(id)`: null, without an error, where there is no such row or the caller may not see it. */
export function resolveGet(target: Target): Resolve {
  const { resource } = target;
  const selectionOf = rememberSelection((nodes, info) => lowerSelection(target, nodes, info));
  return async (_source, args, contextValue, info) => {
    const key = parseId(resource, String(args["id"]));
    if (key === undefined) return null;
    const { run, caller } = contextOf(contextValue);
    try {
      const selection = selectionOf(info);
      const outcome = await run({ kind: "get", resource: resource.name, key, selection }, caller);
      if (outcome.kind === "item") return outcome.node;
      if (outcome.kind !== "failure") return unexpected(outcome);
      if (outcome.error.code === "NOT_FOUND") return null;
      throw outcome.error;
    } catch (thrown) {
      throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
    }
  };
}

/** `books(filter, sort, …)`. */
export function resolveList(target: Target): Resolve {
  const { resource } = target;
  const selectionOf = rememberSelection((nodes, info) => lowerConnection(target, nodes, info));
  return resolver(
    (args, info) => {
      const { selection, count } = selectionOf(info);
      const list = { kind: "list" as const, resource: resource.name, ...lowerList(target, args, []), selection };
      return count ? { ...list, count } : list;
    },
    (outcome) => (outcome.kind === "page" ? outcome.page : unexpected(outcome)),
  );
}
