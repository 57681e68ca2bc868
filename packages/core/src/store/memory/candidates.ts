import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter, OrFilter, RelatedFilter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import { compileFilter } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";
import { isSameFields, type Token, tokenIn } from "../../model/reference.ts";
import { conjunctsOf, isCompare, isExistence } from "./conjuncts.ts";
import { isRanged, rangeOf } from "./range.ts";
import type { Table } from "./table.ts";
import type { StoreView } from "./store-view.ts";

/** Rows that include all matches and possibly others. */
export interface Candidates {
  readonly size: number;
  readonly rows: () => Iterable<Row>;
}

/** With more related rows, collecting them isn't worth it. */
const MAX_RELATED = 2_000;

/** The data in which candidates are found. */
export interface Lookup {
  readonly view: StoreView;
  readonly tableOf: (name: string) => Table;
  readonly evaluation: Evaluation;
}

/** Returns the smallest set of candidates from an index, if an index applies. */
export function findCandidates(
  lookup: Lookup,
  resource: ResourceModel,
  filter: Filter | undefined,
  depth = 0,
): Candidates | undefined {
  const table = lookup.tableOf(resource.name);
  let best: Candidates | undefined;
  for (const conjunct of conjunctsOf(filter)) {
    const found = isExistence(conjunct)
      ? depth < 3
        ? alongRelation(lookup, resource, conjunct, depth)
        : undefined
      : conjunct.kind === "or"
        ? inAnyBranch(lookup, resource, conjunct, depth)
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
    const rows = rowsByKey(table, values as readonly Token[]);
    return { size: rows.length, rows: () => rows };
  }
  if (!table.isIndexed(field)) return undefined;
  const buckets = values.flatMap((one) => table.withValue(field, one) ?? []);
  const size = buckets.reduce((sum, bucket) => sum + bucket.size, 0);
  const [only] = buckets;
  return {
    size,
    rows: () => (only !== undefined && buckets.length === 1 ? only.rows : buckets.flatMap(({ rows }) => [...rows])),
  };
}

function rowsByKey({ get }: Table, keys: readonly Token[]): readonly Row[] {
  const rows: Row[] = [];
  for (const key of keys) {
    const row = get(key);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** With more branches, collecting them isn't worth it. */
const MAX_BRANCHES = 250;

/** Returns the candidates of all branches of an `or`, if an index applies to each branch. */
function inAnyBranch(
  lookup: Lookup,
  resource: ResourceModel,
  { filters }: OrFilter,
  depth: number,
): Candidates | undefined {
  if (filters.length > MAX_BRANCHES) return undefined;
  const branches: Candidates[] = [];
  for (const filter of filters) {
    const found = findCandidates(lookup, resource, filter, depth);
    if (found === undefined) return undefined;
    branches.push(found);
  }
  const collect = (): Iterable<Row> => {
    const rows = new Set<Row>();
    for (const branch of branches) for (const row of branch.rows()) rows.add(row);
    return rows;
  };
  return { size: branches.reduce((sum, { size }) => sum + size, 0), rows: collect };
}

/** Follows the relation from the matching rows of the target back to this resource. */
function alongRelation(
  lookup: Lookup,
  resource: ResourceModel,
  { relation: name, filter }: RelatedFilter,
  depth: number,
): Candidates | undefined {
  const { view, tableOf, evaluation } = lookup;
  const relation = resource.relations.get(name) as RelationModel;
  const target = view.resourceOf(relation.target);
  const far = findCandidates(lookup, target, filter, depth + 1);
  const size = far?.size ?? view.size(target);
  if (size > MAX_RELATED) return undefined;
  const matches = compileFilter(filter, target, evaluation);
  const table = tableOf(resource.name);
  const rows = new Set<Row>();
  let total = 0;
  const sets: Iterable<Row>[] = [];
  for (const row of far?.rows() ?? view.all(target)) {
    evaluation.look();
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
  view: StoreView,
  table: Table,
  relation: RelationModel,
  far: Row,
): { readonly size: number; readonly rows: Iterable<Row> } | undefined {
  const token = tokenIn(relation.foreign, far);
  if (token === null) return { size: 0, rows: [] };
  if (relation.through === undefined) {
    if (!isSameFields(relation.local, table.resource.key)) {
      const bucket = table.withValues(relation.local, token);
      return bucket && { size: bucket.size, rows: bucket.rows };
    }
    const row = table.get(token);
    return { size: row === undefined ? 0 : 1, rows: row === undefined ? [] : [row] };
  }
  const { name, from, to } = relation.through;
  const inverse = {
    ...relation,
    local: relation.foreign,
    foreign: relation.local,
    through: { name, from: to, to: from },
  };
  const rows = rowsByKey(table, view.linked(inverse, token));
  return { size: rows.length, rows };
}
