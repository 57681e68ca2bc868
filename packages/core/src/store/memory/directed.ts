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
}

/** Prepares a list query, once for all parents that it runs for. */
export function directList(view: StoreView, query: ListQuery, evaluation: Evaluation): Directed {
  const { resource, filter, fromEnd } = query;
  const sort = fromEnd === true ? query.sort.map((term) => ({ ...term, descending: !term.descending })) : query.sort;
  return {
    view,
    query,
    evaluation,
    sort,
    order: createOrder(view, resource, sort, evaluation),
    start: fromEnd === true ? query.before : query.after,
    stop: fromEnd === true ? query.after : query.before,
    skip: query.offset ?? 0,
    take: query.limit + 1,
    matches: filter === undefined ? () => true : compileFilter(filter, resource, evaluation),
  };
}
