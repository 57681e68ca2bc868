import type { ResourceModel } from "../../model/model.ts";
import type { Sort } from "../../operation/sort.ts";
import { compileFilter } from "../evaluate-filter.ts";
import type { Evaluation, Predicate } from "../evaluation.ts";
import type { ListQuery, Position } from "../store.ts";
import { createOrder, type Order } from "./order.ts";
import type { StoreView } from "./store-view.ts";

/** A list query, reversed if necessary, so that its page always consists of the first rows after `start`. */
export interface Directed {
  readonly view: StoreView;
  readonly query: ListQuery;
  readonly evaluation: Evaluation;
  readonly sort: Sort;
  readonly order: Order;
  readonly start: Position | undefined;
  readonly stop: Position | undefined;
  /** Number of rows to skip, and number of rows to take, including an extra row that shows whether there are more. */
  readonly skip: number;
  readonly take: number;
  readonly matches: Predicate;
  readonly ties: Ties;
  /** Whether all fields of the sort are stored in the row. */
  readonly isOwn: boolean;
  /** Whether a page is a slice of all rows in the order of the first term and the key. */
  readonly isSlice: boolean;
}

/** Prepares a list query, once for all parents that it runs for. */
export function directList(view: StoreView, query: ListQuery, evaluation: Evaluation): Directed {
  const { resource, filter, fromEnd } = query;
  const sort = fromEnd === true ? query.sort.map((term) => ({ ...term, descending: !term.descending })) : query.sort;
  const ties = tiesOf(resource, sort);
  const isOwn = sort.every(
    ({ path, score, related }) => path.length === 1 && score === undefined && related === undefined,
  );
  const stop = fromEnd === true ? query.after : query.before;
  return {
    view,
    query,
    evaluation,
    sort,
    order: createOrder(view, resource, sort, evaluation),
    start: fromEnd === true ? query.before : query.after,
    stop,
    skip: query.offset ?? 0,
    take: query.limit + 1,
    matches: filter === undefined ? () => true : compileFilter(filter, resource, evaluation),
    ties,
    isOwn,
    isSlice: stop === undefined && filter === undefined && isOwn && ties === "key" && sort[0]?.descending === false,
  };
}

/** The order of rows with the same value in the first term. */
type Ties = "key" | "key descending" | "other";

function tiesOf({ key }: ResourceModel, [first, ...others]: Sort): Ties {
  const rest = key.filter((name) => name !== first?.path[0]);
  const isKey =
    others.length === rest.length && others.every(({ path }, index) => path.length === 1 && path[0] === rest[index]);
  if (!isKey) return "other";
  if (others.every(({ descending }) => !descending)) return "key";
  return others.every(({ descending }) => descending) ? "key descending" : "other";
}
