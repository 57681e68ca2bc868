import { lowerDeleted } from "../lowering/lower-deleted.ts";
import { limitPage, lowerList } from "./lower/lower-list.ts";
import { lowerConnection, lowerSelection } from "./lower/lower-selection.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { toNode, toNodePage } from "./node.ts";
import type { ListOperation } from "../operation/operation.ts";
import { type Resolver, resolver } from "./resolver.ts";
import type { Arguments } from "./root-field.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";

/** Resolves `book(id)`. Returns null, without an error, if the row does not exist or the caller cannot see it. */
export function resolveGet(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    isNullable: true,
    select: (nodes, document) => lowerSelection(target, nodes, document),
    lower: (args, selection) => {
      const key = target.ids.parse(resource, String(args["id"]));
      if (key === undefined) return undefined;
      return { kind: "get", resource: resource.name, key, ...lowerDeleted(resource, args["deleted"]), selection };
    },
    read: (outcome) => (outcome.kind === "item" ? toNode(outcome.row) : unexpectedOutcome(outcome)),
  });
}

/** Resolves `books(filter, sort, …)`. */
export function resolveList(target: FieldTarget): Resolver {
  const { resource } = target;
  return resolver({
    select: (nodes, document) => lowerConnection(target, nodes, document),
    lower: (args, selected) => ({
      ...lowerRootList(target, args, selected),
      ...lowerDeleted(resource, args["deleted"]),
    }),
    read: (outcome) => (outcome.kind === "page" ? toNodePage(outcome.page) : unexpectedOutcome(outcome)),
  });
}

/** Lowers the arguments of a list at the root. */
export function lowerRootList(
  target: FieldTarget,
  args: Arguments,
  { selection, count, rows }: ReturnType<typeof lowerConnection>,
): ListOperation {
  const parts = lowerList(target, args, []);
  const page = limitPage(parts.page, rows);
  const list = { kind: "list" as const, resource: target.resource.name, ...parts, page, selection };
  return count === false ? list : { ...list, count };
}
