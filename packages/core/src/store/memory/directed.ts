import type { Sort } from "../../operation/sort.ts";
import { compileFilter, type Predicate } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";
import type { ListQuery, Position } from "../store.ts";
import { createOrder, type Order } from "./order.ts";
import type { View } from "./view.ts";

/** A list read turned so that its page is always the first rows behind `start`. */
export interface Directed {
  readonly view: View;
  readonly query: ListQuery;
  readonly evaluation: Evaluation;
  readonly sort: Sort;
  readonly order: Order;
  readonly start: Position | undefined;
  readonly stop: Position | undefined;
  /** Rows to skip, and rows to take, with one more to see whether there are more. */
  readonly skip: number;
  readonly take: number;
  readonly matches: Predicate;
}

/** Prepares a list read, once for all the parents that it is made for. */
export function directList(view: View, query: ListQuery, evaluation: Evaluation): Directed {
  const { resource, filter, fromEnd } = query;
  const sort =
    fromEnd === true ? query.sort.map(({ path, descending }) => ({ path, descending: !descending })) : query.sort;
  return {
    view,
    query,
    evaluation,
    sort,
    order: createOrder(view, resource, sort),
    start: fromEnd === true ? query.before : query.after,
    stop: fromEnd === true ? query.after : query.before,
    skip: query.offset ?? 0,
    take: query.limit + 1,
    matches: filter === undefined ? () => true : compileFilter(filter, resource, evaluation),
  };
}
