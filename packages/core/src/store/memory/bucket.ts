import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import type { Sort } from "../../operation/sort.ts";
import { compareWithNulls, rankingOf } from "./order.ts";
import { type RowPlaces, type Rows, RowsIn, type RowSource } from "./row-slots.ts";
import { type FieldOrder, sortBy } from "./field-order.ts";
import { SortedRows } from "./sorted-rows.ts";
import { WholeOrders } from "./whole-orders.ts";

const NONE: readonly SortedRows[] = [];

/**
 * Some rows of one resource, with the sorted lists that reads have requested. It is a class to save memory, because
 * there are many instances.
 */
export class Bucket {
  readonly #source: RowSource;
  /** Undefined if the bucket contains all rows. */
  readonly #slots: Set<number> | undefined;
  #orders: Map<string, SortedRows> | undefined;
  #wholeOrders: WholeOrders | undefined;
  /** All rows in the order that `listedBy` returned last. */
  #list: readonly Row[] | undefined;
  #listField: string | undefined;

  constructor(source: RowSource, slots?: Set<number>) {
    this.#source = source;
    this.#slots = slots;
  }

  get rows(): Rows {
    const { rows, slots } = this.#source;
    return this.#slots === undefined && rows.isDense ? rows : new RowsIn(rows, this.#slots ?? slots);
  }

  get size(): number {
    return (this.#slots ?? this.#source.rows).size;
  }

  /**
   * Returns all rows sorted by a field and then by key, ascending. The list is built on first use and then kept up to
   * date.
   */
  sortedBy(field: string): SortedRows {
    this.#orders ??= new Map();
    let sorted = this.#orders.get(field);
    if (sorted === undefined) {
      const { resource, rows } = this.#source;
      sorted = new SortedRows(rows, this.#slots ?? rows.slots(), orderBy(resource, field));
      this.#orders.set(field, sorted);
    }
    return sorted;
  }

  /** Returns all rows sorted by all fields of a sort, ascending by the first; undefined if only `sortedBy` has a list. */
  sortedByAll(sort: Sort): SortedRows | undefined {
    return this.#wholeOrders?.get(sort, this.#slots);
  }

  /** Counts rows that a read has sorted or skipped because their values in the first field of the sort are equal. */
  countTies(sort: Sort, count: number): void {
    this.#wholeOrders ??= new WholeOrders(this.#source);
    this.#wholeOrders.spend(sort, count);
  }

  /**
   * Returns all rows in the order of `sortedBy`, for collections that are too small for a tree. The list is frozen, and
   * the same until a row changes.
   */
  listedBy(field: string): readonly Row[] {
    if (this.#list === undefined || this.#listField !== field) {
      this.#list = Object.freeze(sortBy(this.rows, orderBy(this.#source.resource, field)));
      this.#listField = field;
    }
    return this.#list;
  }

  add(slot: number): void {
    this.#slots?.add(slot);
    this.#list = undefined;
    for (const sorted of this.#lists()) sorted.add(slot);
  }

  delete(slot: number): void {
    this.#slots?.delete(slot);
    this.#list = undefined;
    for (const sorted of this.#lists()) sorted.delete(slot);
  }

  /** Deletes a row from the sorted lists in which an update moves it, and adds these lists to `detached`. */
  detachMoved(slot: number, after: Row, detached: RowPlaces[]): void {
    const before = this.#source.rows.at(slot);
    this.#list = undefined;
    for (const sorted of this.#lists()) {
      if (!sorted.isMoved(before, after)) continue;
      sorted.delete(slot);
      detached.push(sorted);
    }
  }

  #lists(): Iterable<SortedRows> {
    if (this.#orders === undefined) return NONE;
    const lists = this.#orders.values();
    return this.#wholeOrders === undefined ? lists : [...lists, ...this.#wholeOrders.all()];
  }
}

const ORDERS = new WeakMap<ResourceModel, Map<string, FieldOrder>>();

/** Returns the order by one field and then by key, ascending. */
function orderBy(resource: ResourceModel, field: string): FieldOrder {
  let known = ORDERS.get(resource);
  if (known === undefined) {
    known = new Map();
    ORDERS.set(resource, known);
  }
  const before = known.get(field);
  if (before !== undefined) return before;
  const compareField = (name: string) => compareWithNulls((resource.fields.get(name) as FieldModel).type, false);
  const keys = resource.key.filter((name) => name !== field).map((name) => ({ name, compare: compareField(name) }));
  const order: FieldOrder = {
    field,
    tieFields: keys.map(({ name }) => name),
    ranking: rankingOf((resource.fields.get(field) as FieldModel).type),
    compareValues: compareField(field),
    compareTies(a, b) {
      for (const { name, compare } of keys) {
        const difference = compare(a[name] ?? null, b[name] ?? null);
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
  known.set(field, order);
  return order;
}
