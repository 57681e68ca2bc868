import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import { compareWithNulls } from "./order.ts";

type CompareRows = (a: Row, b: Row) => number;

interface SortedRows {
  readonly sorted: Row[];
  readonly compare: CompareRows;
}

/** An unordered collection of rows. */
export interface Rows extends Iterable<Row> {
  readonly size: number;
  add(row: Row): unknown;
  delete(row: Row): unknown;
}

/**
 * Some rows of one resource, with the sorted lists that reads have requested. It is a class to save memory, because
 * there are many instances.
 */
export class Bucket {
  readonly rows: Rows;
  readonly #resource: ResourceModel;
  #orders: Map<string, SortedRows> | undefined;

  constructor(resource: ResourceModel, rows: Rows = new Set()) {
    this.rows = rows;
    this.#resource = resource;
  }

  /**
   * Returns all rows sorted by a field and then by key, ascending. The list is built on first use and then kept up to
   * date.
   */
  sortedBy(field: string): readonly Row[] {
    this.#orders ??= new Map();
    let order = this.#orders.get(field);
    if (order === undefined) {
      const compare = compareBy(this.#resource, field);
      order = { compare, sorted: [...this.rows].sort(compare) };
      this.#orders.set(field, order);
    }
    return order.sorted;
  }

  add(row: Row): void {
    this.rows.add(row);
    if (this.#orders === undefined) return;
    for (const { sorted, compare } of this.#orders.values()) sorted.splice(placeOf(sorted, row, compare), 0, row);
  }

  delete(row: Row): void {
    this.rows.delete(row);
    if (this.#orders === undefined) return;
    for (const { sorted, compare } of this.#orders.values()) {
      const place = placeOf(sorted, row, compare);
      if (sorted[place] === row) sorted.splice(place, 1);
    }
  }

  addAll(rows: readonly Row[]): void {
    if (rows.length < FEW) {
      for (const row of rows) this.add(row);
      return;
    }
    for (const row of rows) this.rows.add(row);
    for (const [field, { sorted, compare }] of this.#orders ?? []) {
      const added = [...rows].sort(compare);
      this.#orders?.set(field, { compare, sorted: withRows(sorted, added, compare) });
    }
  }

  deleteAll(rows: readonly Row[]): void {
    if (rows.length < FEW) {
      for (const row of rows) this.delete(row);
      return;
    }
    for (const row of rows) this.rows.delete(row);
    for (const [field, { sorted, compare }] of this.#orders ?? []) {
      const places = rows.map((row) => placeOf(sorted, row, compare)).sort((a, b) => a - b);
      this.#orders?.set(field, { compare, sorted: withoutPlaces(sorted, places) });
    }
  }
}

/** Merges rows, which have the same order, into a sorted list. */
function withRows(sorted: readonly Row[], added: readonly Row[], compare: CompareRows): Row[] {
  const all: Row[] = [];
  let from = 0;
  for (const row of added) {
    const place = placeOf(sorted, row, compare);
    for (; from < place; from++) all.push(sorted[from] as Row);
    all.push(row);
  }
  for (; from < sorted.length; from++) all.push(sorted[from] as Row);
  return all;
}

function withoutPlaces(sorted: readonly Row[], places: readonly number[]): Row[] {
  const kept: Row[] = [];
  let from = 0;
  for (const place of places) {
    for (; from < place; from++) kept.push(sorted[from] as Row);
    from = place + 1;
  }
  for (; from < sorted.length; from++) kept.push(sorted[from] as Row);
  return kept;
}

/** Fewer rows are inserted individually; more are merged with the list. */
const FEW = 16;

const COMPARERS = new WeakMap<ResourceModel, Map<string, CompareRows>>();

/** Compares by one field and then by key, ascending. */
function compareBy(resource: ResourceModel, field: string): CompareRows {
  let known = COMPARERS.get(resource);
  if (known === undefined) {
    known = new Map();
    COMPARERS.set(resource, known);
  }
  const before = known.get(field);
  if (before !== undefined) return before;
  const terms = [field, ...resource.key.filter((name) => name !== field)].map((name) => ({
    name,
    compare: compareWithNulls((resource.fields.get(name) as FieldModel).type, false),
  }));
  const compare: CompareRows = (a, b) => {
    for (const term of terms) {
      const difference = term.compare(a[term.name] ?? null, b[term.name] ?? null);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  known.set(field, compare);
  return compare;
}

/** Returns the first index whose row doesn't sort before the given row. */
function placeOf(sorted: readonly Row[], row: Row, compare: CompareRows): number {
  return firstWhere(sorted, (other) => compare(other, row) >= 0);
}

/** Returns the first index at which a test holds, if it holds for all later rows too. */
export function firstWhere(sorted: readonly Row[], holds: (row: Row) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as Row)) high = middle;
    else low = middle + 1;
  }
  return low;
}
