import type { InputMode, Model, ResourceModel } from "../model/model.ts";
import { filterCost, RELATED_SORT_COST, RELATED_VALUE_COST, searchCost, TO_MANY_COST } from "./filter-cost.ts";
import type { Count } from "../operation/count.ts";
import type { Filter } from "../operation/filter.ts";
import { nestedRows } from "../operation/nested-input.ts";
import type { Operation } from "../operation/operation.ts";
import type { Page } from "../operation/page.ts";
import type { RelationSelection, Selection } from "../operation/selection.ts";
import type { Search } from "../operation/search.ts";
import type { Sort, SortTerm } from "../operation/sort.ts";

/** The additional cost of counting rows, and of writing a row with its event. Each row that is read costs 1. */
export const COUNT_COST = 10;
export const WRITE_COST = 10;
/** The additional cost of counting rows without a bound. */
export const EXACT_COUNT_COST = 1_000;
/** The cost of an aggregate, which reads every matching row. */
export const AGGREGATE_COST = 500;
/** Number of groups that cost as much as one row that is read. */
export const GROUPS_PER_POINT = 10;
/** A row that is deleted or changed because it references a deleted row. */
export const CASCADE_COST = 2;
/** The cost of calling `load` of a computed field. */
export const LOAD_COST = 10;
/** The cost of a query that returns a value. Its calls as the caller are charged separately. */
export const QUERY_COST = 10;
/** The cost of opening a WebSocket, for rate limiting. */
export const SOCKET_COST = 10;
/** The cost of an invalid credential, charged to the address. */
export const FAILED_CREDENTIAL_COST = 10;
/** Number of rows skipped by offset that cost as much as one row that is read. */
export const SKIPPED_ROWS = 25;
/** The cost of a request that was parsed but ran no operation, because it is malformed or exceeds a limit. */
export const MALFORMED_COST = 10;

/**
 * Returns the maximum cost of an operation, in rows that it may touch: the sizes of its pages, multiplied along to-many
 * relations, plus the cost of finding the rows (`filterCost`). A to-one relation counts with its parent. Filters of
 * access rules are free. The cost has no unit and is the same in REST and GraphQL.
 */
export function costOf(operation: Operation, model: Model): number {
  const selection = "selection" in operation ? operation.selection : undefined;
  const resource = model.resources.get(operation.resource);
  return ownCost(operation, model) + findingCost(operation, model) + nestedFindingCost(selection, resource, model);
}

function ownCost(operation: Operation, model: Model): number {
  switch (operation.kind) {
    case "get":
      return rowCost(operation.selection);
    case "watch": {
      // An event is one row. The initial state is a page of the maximum size.
      const rows = operation.initial === true && operation.key === undefined;
      return (rows ? (model.resources.get(operation.resource)?.page.max ?? 1) : 1) * rowCost(operation.selection);
    }
    case "list":
      // The row that a query is called on.
      return pageCost(operation.page.size, operation) + (operation.query?.key === undefined ? 0 : 1);
    case "query":
      return QUERY_COST;
    case "aggregate":
      return AGGREGATE_COST + operation.page.size;
    case "create":
    case "replace":
    case "update":
      return (
        WRITE_COST + nestedCost([operation.input], operation.kind, operation, model) + rowCost(operation.selection)
      );
    case "act":
      return WRITE_COST + rowCost(operation.selection);
    case "link":
    case "unlink":
      return (
        WRITE_COST * (1 + (operation.more?.length ?? 0)) +
        (operation.selection === undefined ? 0 : rowCost(operation.selection))
      );
    case "delete":
      return WRITE_COST;
    case "createMany":
      return (
        WRITE_COST +
        nestedCost(operation.inputs, "create", operation, model) +
        operation.inputs.length * rowCost(operation.selection)
      );
    case "updateMany":
    case "deleteMany": {
      const bulk = model.resources.get(operation.resource)?.bulk;
      const rows = operation.kind === "updateMany" ? bulk?.update : bulk?.delete;
      const selection = operation.kind === "updateMany" ? operation.selection : undefined;
      return WRITE_COST + (rows ?? 0) * (selection === undefined ? 1 : rowCost(selection));
    }
    case "permissions":
      return 1;
  }
}

/** The parts of a list that determine the cost of finding its rows. */
interface Finding {
  readonly filter?: Filter | undefined;
  readonly search?: Search | undefined;
  readonly sort?: Sort;
  readonly page?: Page | undefined;
  readonly count?: Count | undefined;
}

/** Returns the cost of finding the rows of an operation: the caller's filter, sort and offset. */
export function findingCost(operation: Operation, model: Model): number {
  switch (operation.kind) {
    case "aggregate": {
      const { filter, search } = operation;
      return listFindingCost({ filter, search }, model.resources.get(operation.resource), model);
    }
    case "list":
    case "updateMany":
    case "deleteMany":
      return listFindingCost(operation, model.resources.get(operation.resource), model);
    case "watch": {
      // The initial state is a list, and each event is matched with the filter too.
      const lists = operation.initial === true ? 2 : 1;
      return lists * filterCost(operation.filter, model.resources.get(operation.resource), model);
    }
    default:
      return 0;
  }
}

/** A count searches all matching rows a second time. */
function listFindingCost(
  { filter, search, sort, page, count }: Finding,
  resource: ResourceModel | undefined,
  model: Model,
): number {
  const skipped = Math.floor((page?.offset ?? 0) / SKIPPED_ROWS);
  const hops = sort === undefined ? 0 : sort.filter(({ path }) => path.length > 1).length;
  const found =
    (filter === undefined ? 0 : filterCost(filter, resource, model)) +
    (search === undefined ? 0 : searchCost(search, resource));
  const computed = sort === undefined ? 0 : sort.filter((term) => isComputed(term, resource, model)).length;
  return (
    (count === undefined || count === false ? 1 : 2) * found +
    skipped +
    hops * RELATED_SORT_COST +
    computed * RELATED_VALUE_COST
  );
}

function isComputed({ path: [first, second] }: SortTerm, resource: ResourceModel | undefined, model: Model): boolean {
  if (second === undefined) return resource?.computed.has(first) === true;
  return model.resources.get(resource?.relations.get(first)?.target ?? "")?.computed.has(second) === true;
}

/** Returns the cost of the selected fields that are computed from other rows, once for all rows of the level. */
function computedCost({ fields }: Selection, resource: ResourceModel | undefined): number {
  if (resource === undefined || resource.computed.size === 0) return 0;
  let cost = 0;
  for (const name of fields) {
    const kind = resource.computed.get(name)?.computation.kind;
    if (kind === "load") cost += LOAD_COST;
    else if (kind === "related") cost += TO_MANY_COST;
  }
  return cost;
}

/**
 * Returns the same cost for all relations of a selection. Each relation is read once for all rows above it, so the
 * costs add up but don't multiply.
 */
function nestedFindingCost(
  selection: Selection | undefined,
  resource: ResourceModel | undefined,
  model: Model,
): number {
  if (selection === undefined) return 0;
  let cost = computedCost(selection, resource);
  if (selection.relations.length === 0) return cost;
  for (const relation of selection.relations) {
    const target = model.resources.get(resource?.relations.get(relation.relation)?.target ?? "");
    if (relation.aggregation !== undefined) cost += AGGREGATE_COST;
    cost += listFindingCost(relation, target, model) + nestedFindingCost(relation.selection, target, model);
  }
  return cost;
}

/** Returns the cost of the related rows and links that inputs write. */
function nestedCost(
  inputs: readonly unknown[],
  mode: InputMode,
  { resource: name }: Pick<Operation, "resource">,
  model: Model,
): number {
  const resource = model.resources.get(name);
  if (resource === undefined || resource.nested[mode].length === 0) return 0;
  return inputs.reduce<number>((sum, input) => sum + nestedRows(model, resource, mode, input), 0);
}

/** Returns the cost of one row of a selection, including everything beneath it. */
export function rowCost({ relations }: Selection): number {
  // Most selections have none, and V8 iterates over a frozen list several times slower.
  if (relations.length === 0) return 1;
  let cost = 1;
  for (const relation of relations) cost += relationCost(relation);
  return cost;
}

/** Returns the cost that a relation adds to each row. */
export function relationCost(relation: RelationSelection): number {
  if (relation.aggregation !== undefined) return relation.aggregation.page.size;
  if (relation.page === undefined) return rowCost(relation.selection) - 1;
  return pageCost(relation.page.size, relation);
}

function pageCost(size: number, { count, selection }: Pick<RelationSelection, "count" | "selection">): number {
  return size * rowCost(selection) + countCost(count);
}

function countCost(count: Count | undefined): number {
  if (count === "exact") return EXACT_COUNT_COST;
  return count === true ? COUNT_COST : 0;
}

/** Returns the number of levels of relations in a selection. */
export function depthOf({ relations }: Selection): number {
  if (relations.length === 0) return 0;
  let depth = 0;
  for (const { selection } of relations) depth = Math.max(depth, 1 + depthOf(selection));
  return depth;
}
