import type { Json } from "../../util/json.ts";
import type { FieldOrder, ValuedRow } from "./field-order.ts";
import type { RowSlots } from "./row-slots.ts";

/** The rows of a table, and the order of a list. */
export interface SortSource {
  readonly rows: RowSlots;
  readonly order: FieldOrder;
}

/** A row of a sorted list. */
export interface SortItem extends ValuedRow {
  readonly slot: number;
}

export function itemAt({ rows, order }: SortSource, slot: number): SortItem {
  const row = rows.at(slot);
  return { slot, row, value: row[order.field] ?? null };
}

const MIN_CAPACITY = 16;

/**
 * A part of a sorted list. Writes are appended and not applied, because the rows and their values are rarely in the
 * processor's caches. They are applied when the leaf is read.
 */
export class RowLeaf {
  /** The values of the sorted field, because following the references to many rows would take most of the time. */
  readonly #values: Json[];
  /** The slots of the sorted rows, and then of rows that were added, and the complements of slots of deleted rows. */
  #slots: Int32Array;
  #length: number;

  /** Creates a leaf of sorted rows. */
  constructor(slots: ArrayLike<number>, values: Json[]) {
    this.#values = values;
    this.#slots = withCapacity(slots, slots.length + 1);
    this.#length = slots.length;
  }

  /** The number of rows and of changes that haven't been applied. */
  get length(): number {
    return this.#length;
  }

  slotAt(index: number): number {
    return this.#slots[index] as number;
  }

  valueAt(index: number): Json {
    return this.#values[index] as Json;
  }

  add(slot: number): void {
    this.#append(slot);
  }

  /** Deletes a slot, which must be in the leaf. */
  delete(slot: number): void {
    this.#append(~slot);
  }

  /** Applies the changes since the leaf was last sorted. */
  sort(source: SortSource): void {
    const sorted = this.#values.length;
    if (this.#length === sorted) return;
    const changes = new Set<number>();
    for (let index = sorted; index < this.#length; index++) {
      const change = this.slotAt(index);
      // The row of a slot that was added and deleted may no longer exist.
      const isUndone = change < 0 && changes.delete(~change);
      if (!isUndone) changes.add(change);
    }
    this.#length = sorted;
    for (const change of changes) if (change < 0) this.#drop(~change);
    for (const change of changes) if (change >= 0) this.#insert(itemAt(source, change), source);
  }

  #drop(slot: number): void {
    const index = this.#slots.indexOf(slot);
    this.#slots.copyWithin(index, index + 1, this.#length--);
    this.#values.splice(index, 1);
  }

  #insert({ slot, value, row }: SortItem, { rows, order }: SortSource): void {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const difference =
        order.compareValues(this.valueAt(middle), value) || order.compareTies(rows.at(this.slotAt(middle)), row);
      if (difference > 0) high = middle;
      else low = middle + 1;
    }
    this.#slots.copyWithin(low + 1, low, this.#length++);
    this.#slots[low] = slot;
    this.#values.splice(low, 0, value);
  }

  #append(change: number): void {
    if (this.#length === this.#slots.length) this.#slots = withCapacity(this.#slots, this.#length + 1);
    this.#slots[this.#length++] = change;
  }

  /** Moves the rows from an index on into a new leaf. The leaf must be sorted. */
  splitAt(index: number): RowLeaf {
    const slots = this.#slots.slice(index, this.#length);
    this.#length = index;
    return new RowLeaf(slots, this.#values.splice(index));
  }

  /** Appends the rows of the next leaf. Both must be sorted. */
  append(next: RowLeaf): void {
    for (let index = 0; index < next.length; index++) {
      this.#append(next.slotAt(index));
      this.#values.push(next.valueAt(index));
    }
  }
}

function withCapacity(slots: ArrayLike<number>, length: number): Int32Array {
  const copy = new Int32Array(Math.max(MIN_CAPACITY, 2 ** Math.ceil(Math.log2(length))));
  copy.set(slots);
  return copy;
}
