import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import { compileFilter } from "../evaluate-filter.ts";
import { conjunctsOf, isCompare, isExistence } from "./conjuncts.ts";
import { isRanged, rangeOf } from "./range.ts";
import type { Table } from "./table.ts";
import type { Token, View } from "./view.ts";

/** Rows among which all matches are; they may hold others as well. */
export interface Candidates {
  readonly size: number;
  readonly rows: () => Iterable<Row>;
}

/** More related rows than this are not worth collecting. */
const MOST_RELATED = 2_000;

/** The smallest set of candidates that an index offers, if any does. */
export function findCandidates(
  view: View,
  tableOf: (name: string) => Table,
  resource: ResourceModel,
  filter: Filter | undefined,
  depth = 0,
): Candidates | undefined {
  const table = tableOf(resource.name);
  let best: Candidates | undefined;
  for (const conjunct of conjunctsOf(filter)) {
    const found = isExistence(conjunct)
      ? depth < 3
        ? alongRelation(view, tableOf, resource, conjunct.relation, conjunct.filter, depth)
        : undefined
      : isCompare(conjunct)
        ? byValues(table, conjunct.field, conjunct.operator, conjunct.value)
        : undefined;
    if (found !== undefined && (best === undefined || found.size < best.size)) best = found;
    if (found === undefined && isRanged(conjunct) && resource.fields.get(conjunct.field)?.sortable === true) {
      const sorted = table.all.sortedBy(conjunct.field);
      const { start, end } = rangeOf(resource, conjunct.field, sorted, conjunct);
      if (best === undefined || end - start < best.size)
        best = { size: end - start, rows: () => sorted.slice(start, end) };
    }
  }
  return best;
}

function byValues(table: Table, field: string, operator: string, value: Json): Candidates | undefined {
  if (operator !== "eq" && operator !== "in") return undefined;
  const values = operator === "eq" ? [value] : [...new Set(value as readonly Json[])];
  const [key, ...others] = table.resource.key;
  if (field === key && others.length === 0) {
    const rows = rowsByKey(table, values);
    return { size: rows.length, rows: () => rows };
  }
  if (!table.isIndexed(field)) return undefined;
  const buckets = values.flatMap((one) => table.withValue(field, one) ?? []);
  const size = buckets.reduce((sum, bucket) => sum + bucket.rows.size, 0);
  const [only] = buckets;
  return {
    size,
    rows: () => (only !== undefined && buckets.length === 1 ? only.rows : buckets.flatMap(({ rows }) => [...rows])),
  };
}

function rowsByKey({ byKey }: Table, keys: readonly Json[]): readonly Row[] {
  const rows: Row[] = [];
  for (const key of keys) {
    const row = byKey.get(key as Token);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** From the matching rows on the far side back to this one. */
function alongRelation(
  view: View,
  tableOf: (name: string) => Table,
  resource: ResourceModel,
  name: string,
  filter: Filter,
  depth: number,
): Candidates | undefined {
  const relation = resource.relations.get(name) as RelationModel;
  const target = view.resourceOf(relation.target);
  const far = findCandidates(view, tableOf, target, filter, depth + 1);
  const size = far?.size ?? view.size(target);
  if (size > MOST_RELATED) return undefined;
  const matches = compileFilter(filter, target, view.related, view.model);
  const table = tableOf(resource.name);
  const rows = new Set<Row>();
  let total = 0;
  const sets: Iterable<Row>[] = [];
  for (const row of far?.rows() ?? view.all(target)) {
    if (!matches(row)) continue;
    const near = nearRows(view, table, relation, row);
    if (near === undefined) return undefined;
    total += near.size;
    sets.push(near.rows);
  }
  const collect = (): Iterable<Row> => {
    for (const set of sets) for (const row of set) rows.add(row);
    return rows;
  };
  return { size: total, rows: collect };
}

function nearRows(
  view: View,
  table: Table,
  relation: RelationModel,
  far: Row,
): { readonly size: number; readonly rows: Iterable<Row> } | undefined {
  const value = far[relation.foreign] ?? null;
  if (relation.kind === "belongsTo") {
    const bucket = table.withValue(relation.local, value);
    return bucket && { size: bucket.rows.size, rows: bucket.rows };
  }
  if (relation.through === undefined) {
    const row = table.byKey.get(value as Token);
    return { size: row === undefined ? 0 : 1, rows: row === undefined ? [] : [row] };
  }
  const { name, from, to } = relation.through;
  const inverse = {
    ...relation,
    local: relation.foreign,
    foreign: relation.local,
    through: { name, from: to, to: from },
  };
  const rows = rowsByKey(table, view.linked(inverse, value));
  return { size: rows.length, rows };
}
