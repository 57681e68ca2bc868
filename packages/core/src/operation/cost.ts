import type { Model } from "../model/model.ts";
import { nestedRows } from "./nested-input.ts";
import type { Operation } from "./operation.ts";
import type { RelationSelection, Selection } from "./selection.ts";

/** What counts besides rows that are read, one each: a count of all rows that match, and a write with its event. */
export const COUNT_COST = 10;
export const WRITE_COST = 10;
/** A WebSocket that is opened, for those who count what callers spend. */
export const SOCKET_COST = 10;

/**
 * What an operation can cost at most, in rows that it can touch: the sizes of its pages, multiplied along to-many
 * relations. A to-one relation counts with its parent. A number without a unit that is the same in both styles.
 */
export function costOf(operation: Operation, model: Model): number {
  switch (operation.kind) {
    case "get":
      return rowCost(operation.selection);
    case "watch": {
      // An event is one row; a state to start from is a page of the largest size.
      const rows = operation.initial === true && operation.key === undefined;
      return (rows ? (model.resources.get(operation.resource)?.page.max ?? 1) : 1) * rowCost(operation.selection);
    }
    case "list":
      return pageCost(operation.page.size, operation);
    case "create":
      return WRITE_COST + nestedCost([operation.input], operation, model) + rowCost(operation.selection);
    case "replace":
    case "update":
    case "act":
      return WRITE_COST + rowCost(operation.selection);
    case "link":
    case "unlink":
      return (
        WRITE_COST * (1 + (operation.more?.length ?? 0)) +
        (operation.selection === undefined ? 0 : rowCost(operation.selection))
      );
    case "remove":
      return WRITE_COST;
    case "createMany":
      return (
        WRITE_COST +
        nestedCost(operation.inputs, operation, model) +
        operation.inputs.length * rowCost(operation.selection)
      );
    case "updateMany":
    case "removeMany": {
      const bulk = model.resources.get(operation.resource)?.bulk;
      const rows = operation.kind === "updateMany" ? bulk?.update : bulk?.delete;
      const selection = operation.kind === "updateMany" ? operation.selection : undefined;
      return WRITE_COST + (rows ?? 0) * (selection === undefined ? 1 : rowCost(selection));
    }
    case "permissions":
      return 1;
  }
}

/** The rows that inputs create besides their own. */
function nestedCost(inputs: readonly unknown[], { resource: name }: Pick<Operation, "resource">, model: Model): number {
  const resource = model.resources.get(name);
  if (resource === undefined || resource.nested.length === 0) return 0;
  return inputs.reduce<number>((sum, input) => sum + nestedRows(model, resource, input), 0);
}

/** What one row of a selection costs, with everything beneath it. */
export function rowCost({ relations }: Selection): number {
  let cost = 1;
  for (const relation of relations) cost += relationCost(relation);
  return cost;
}

/** What a relation adds to each row that it is selected of. */
export function relationCost(relation: RelationSelection): number {
  if (relation.page === undefined) return rowCost(relation.selection) - 1;
  return pageCost(relation.page.size, relation);
}

function pageCost(size: number, { count, selection }: Pick<RelationSelection, "count" | "selection">): number {
  return size * rowCost(selection) + (count === true ? COUNT_COST : 0);
}
