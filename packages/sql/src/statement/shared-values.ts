import type { Filter, ListQuery, RelatedValue } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { buildFilter } from "./filter.ts";
import { valueQuery } from "./related-value.ts";
import type { Build, Scope } from "./scope.ts";
import { StatementShape } from "./statement-shape.ts";

/** The parts of a query that can contain values of related rows. */
export type ValueQuery = Pick<ListQuery, "filter" | "sort" | "relatedValues">;

/** The values that a statement computes once for each row, by each place that refers to them. */
export interface SharedValues {
  readonly list: readonly RelatedValue[];
  /** The position in `list`. */
  readonly positions: ReadonlyMap<RelatedValue, number>;
}

/**
 * Finds the values of the rows themselves that the order, or both the result and the conditions refer to. A cursor
 * contains the values of the order, so the statement needs these at least twice.
 */
export function findShared(
  dialect: Dialect,
  { filter, sort, relatedValues = [] }: ValueQuery,
): SharedValues | undefined {
  if (dialect.hasLateral !== true) return undefined;
  const ordered = sort.flatMap(({ path, related }) => (related === undefined || path.length > 1 ? [] : [related]));
  if (ordered.length === 0 && (relatedValues.length === 0 || filter === undefined)) return undefined;
  const compared = filter === undefined ? [] : comparedValues(filter);
  const keys = new Map([...ordered, ...relatedValues, ...compared].map((value) => [value, keyOf(dialect, value)]));
  const keysOf = (values: readonly RelatedValue[]): ReadonlySet<string | undefined> =>
    new Set(values.map((value) => keys.get(value)));
  const [inOrder, inResult, inFilter] = [keysOf(ordered), keysOf(relatedValues), keysOf(compared)];
  const list = new Map<string, RelatedValue>();
  for (const [value, key] of keys)
    if (!list.has(key) && (inOrder.has(key) || (inResult.has(key) && inFilter.has(key)))) list.set(key, value);
  if (list.size === 0) return undefined;
  const order = [...list.keys()];
  const positions = new Map<RelatedValue, number>();
  for (const [value, key] of keys) if (list.has(key)) positions.set(value, order.indexOf(key));
  return { list: [...list.values()], positions };
}

function comparedValues(filter: Filter): readonly RelatedValue[] {
  switch (filter.kind) {
    case "compare":
      return filter.related === undefined ? [] : [filter.related];
    case "not":
      return comparedValues(filter.filter);
    case "and":
    case "or":
      return filter.filters.flatMap(comparedValues);
    default:
      return [];
  }
}

/** Two values with the same key are equal for every row. */
function keyOf(dialect: Dialect, value: RelatedValue): string {
  const { text, values } = new StatementShape(dialect, "").related(value);
  return JSON.stringify([text, values]);
}

/** Joins the shared values of a query to a scope. Takes the values of their filters. */
export function shareValues(build: Build, scope: Scope, query: ValueQuery): Scope {
  const shared = findShared(build.dialect, query);
  if (shared === undefined) return scope;
  const computed = shared.list.map((value) => {
    const rows = valueQuery(build, scope, value, buildFilter);
    const alias = sql.id(build.alias());
    return { value: sql`${alias}.v`, join: sql` cross join lateral (${rows}) as ${alias}` };
  });
  const values = new Map<RelatedValue, Sql>();
  for (const [value, at] of shared.positions) values.set(value, (computed[at] as (typeof computed)[number]).value);
  return { ...scope, shared: { values, joins: computed.map(({ join }) => join) } };
}
