import type { Key, Row } from "../../model/model.ts";
import { compileFilter } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";
import { type GroupedRows, groupRows } from "../aggregate/group-rows.ts";
import type { AggregateQuery, PerParentAggregateQuery, ParentGroups, StoreGroups } from "../store.ts";
import { followTerm } from "./follow-term.ts";
import type { Reading } from "./reading.ts";

/** Groups the matching ones of some rows. Stops when there are too many groups. */
export function aggregateRows(
  query: AggregateQuery,
  evaluation: Evaluation,
  rows: () => Iterable<Row>,
): Reading<StoreGroups> {
  const grouped = groupRows(query, followTerm(evaluation));
  const collect = collectRows(query, evaluation, grouped, rows(), query.limit);
  return () => (collect() === undefined ? undefined : toGroups(grouped, query.limit));
}

/** Groups the related rows of one parent after the other. */
export function aggregateParents(
  query: PerParentAggregateQuery,
  evaluation: Evaluation,
  rowsOf: (parent: Key) => Iterable<Row>,
): Reading<ParentGroups> {
  const { parents, limit } = query;
  const groups: (readonly StoreGroups["groups"][number][])[] = [];
  let room = limit;
  const follow = followTerm(evaluation);
  let current: { readonly grouped: GroupedRows; readonly collect: Reading<true> } | undefined;
  return () => {
    while (groups.length < parents.length && room >= 0) {
      if (current === undefined) {
        const grouped = groupRows(query, follow);
        const rows = rowsOf(parents[groups.length] as Key);
        current = { grouped, collect: collectRows(query, evaluation, grouped, rows, room) };
      }
      if (current.collect() === undefined) return undefined;
      const found = current.grouped.finish();
      groups.push(found);
      room -= found.length;
      current = undefined;
      if (evaluation.look()) return undefined;
    }
    return { groups, more: room < 0 };
  };
}

function collectRows(
  { resource, filter }: AggregateQuery,
  evaluation: Evaluation,
  grouped: GroupedRows,
  rows: Iterable<Row>,
  limit: number,
): Reading<true> {
  const matches = filter === undefined ? undefined : compileFilter(filter, resource, evaluation);
  const iterator = rows[Symbol.iterator]();
  return () => {
    for (;;) {
      const { done, value: row } = iterator.next();
      if (done === true) return true;
      if (matches === undefined || matches(row)) grouped.add(row);
      if (grouped.size() > limit) return true;
      if (evaluation.look()) return undefined;
    }
  };
}

function toGroups(grouped: GroupedRows, limit: number): StoreGroups {
  const groups = grouped.finish();
  return groups.length > limit ? { groups: groups.slice(0, limit), more: true } : { groups, more: false };
}
