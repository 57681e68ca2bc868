import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { compareRows, type FieldOrder } from "./field-order.ts";
import { LeafBounds } from "./leaf-bounds.ts";
import { LeafSizes } from "./leaf-sizes.ts";
import { itemAt, RowLeaf, type SortItem, type SortSource } from "./row-leaf.ts";
import type { RowSlots } from "./row-slots.ts";

/** Leaves are long, so that the bounds between them stay in the processor's caches. */
const MAX_LENGTH = 512;
/** Shorter leaves are merged with a neighbor if the result has space for more. */
const MIN_LENGTH = MAX_LENGTH / 4;
const MERGED_LENGTH = (MAX_LENGTH * 3) / 4;

const NO_LEAF = new RowLeaf([], []);

/**
 * A sorted list of rows. It consists of leaves and the bounds between them. A write only finds its leaf, and appends the
 * change to it. A read sorts the leaves that it needs.
 */
export class SortedRows {
  readonly #source: SortSource;
  readonly #leaves: RowLeaf[] = [];
  readonly #bounds: LeafBounds;
  readonly #sizes = new LeafSizes();
  #length: number;
  /** The leaf that was read last, and the indexes of its rows: most reads continue there. */
  #leaf = NO_LEAF;
  #start = 0;
  #end = 0;

  constructor(rows: RowSlots, slots: Iterable<number>, order: FieldOrder) {
    this.#source = { rows, order };
    this.#bounds = new LeafBounds(order);
    const items = Array.from(slots, (slot) => itemAt(this.#source, slot));
    items.sort((a, b) => compareRows(order, a, b));
    this.#length = items.length;
    // Leaves space for insertions. Without rows, there is one leaf.
    for (let start = 0; start === 0 || start < items.length; start += MERGED_LENGTH) {
      const part = items.slice(start, start + MERGED_LENGTH);
      const leaf = new RowLeaf(
        part.map(({ slot }) => slot),
        part.map(({ value }) => value),
      );
      this.#insertLeaf(this.#leaves.length, leaf);
    }
  }

  get field(): string {
    return this.#source.order.field;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the row at an index, which must be below `length`. */
  at(index: number): Row {
    if (index < this.#start || index >= this.#end) this.#readLeaf(index);
    return this.#source.rows.at(this.#leaf.slotAt(index - this.#start));
  }

  /** Returns the value of the sorted field in the row at an index. */
  valueAt(index: number): Json {
    if (index < this.#start || index >= this.#end) this.#readLeaf(index);
    return this.#leaf.valueAt(index - this.#start);
  }

  slice(start: number, end: number): Row[] {
    const rows: Row[] = [];
    const last = Math.min(end, this.#length);
    for (let index = start; index < last; ) {
      if (index < this.#start || index >= this.#end) this.#readLeaf(index);
      const stop = Math.min(last, this.#end);
      for (; index < stop; index++) rows.push(this.#source.rows.at(this.#leaf.slotAt(index - this.#start)));
    }
    return rows;
  }

  /** Returns the first index at which a test of the value holds, if it holds for all later rows too. */
  firstWhere(holds: (value: Json) => boolean): number {
    const index = this.#bounds.firstWhere(holds);
    return this.#findIn(index, (leaf, at) => holds(leaf.valueAt(at)));
  }

  /** Like `firstWhere`, with a test of the row for rows with this value. The test may read the fields of the order. */
  firstBehind(value: Json, holds: (row: Row) => boolean): number {
    const { rows, order } = this.#source;
    return this.#findIn(this.#bounds.firstBehind(value, holds), (leaf, at) => {
      const difference = order.compareValues(leaf.valueAt(at), value);
      return difference === 0 ? holds(rows.at(leaf.slotAt(at))) : difference > 0;
    });
  }

  #findIn(index: number, holds: (leaf: RowLeaf, at: number) => boolean): number {
    const leaf = this.#leaves[index] as RowLeaf;
    leaf.sort(this.#source);
    let [low, high] = [0, leaf.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(leaf, middle)) high = middle;
      else low = middle + 1;
    }
    return this.#sizes.before(index) + low;
  }

  #readLeaf(index: number): void {
    const [at, start] = this.#sizes.find(index);
    const leaf = this.#leaves[at] as RowLeaf;
    leaf.sort(this.#source);
    this.#leaf = leaf;
    this.#start = start;
    this.#end = start + leaf.length;
  }

  /** Adds the row in a slot. */
  add(slot: number): void {
    const index = this.#leafOf(itemAt(this.#source, slot));
    const leaf = this.#leaves[index] as RowLeaf;
    leaf.add(slot);
    this.#sizes.add(index, 1);
    this.#length++;
    this.#end = 0;
    if (leaf.length === MAX_LENGTH) this.#makeSpace(index, slot);
  }

  /** Deletes the row in a slot, which must still contain it. The list must contain the row. */
  delete(slot: number): void {
    const index = this.#leafOf(itemAt(this.#source, slot));
    const leaf = this.#leaves[index] as RowLeaf;
    leaf.delete(slot);
    this.#sizes.add(index, -1);
    this.#length--;
    this.#end = 0;
    if (leaf.length === MAX_LENGTH) this.#makeSpace(index);
    else if (this.#sizes.at(index) < MIN_LENGTH && !this.#merge(index)) this.#merge(index - 1);
  }

  /** Whether an update may change the place of a row. */
  isMoved(before: Row, after: Row): boolean {
    const { field, compareTies } = this.#source.order;
    return (before[field] ?? null) !== (after[field] ?? null) || compareTies(before, after) !== 0;
  }

  #leafOf({ value, row }: SortItem): number {
    return this.#bounds.firstBehind(value, (bound) => this.#source.order.compareTies(bound, row) > 0);
  }

  /**
   * Applies the changes of a full leaf, and splits it if it has little space then. Rows are often added in ascending
   * order, so that their leaves stay full instead of half full.
   */
  #makeSpace(index: number, added?: number): void {
    const leaf = this.#leaves[index] as RowLeaf;
    leaf.sort(this.#source);
    const { length } = leaf;
    if (length <= MERGED_LENGTH) return;
    const rest = leaf.splitAt(leaf.slotAt(length - 1) === added ? length - 1 : length >>> 1);
    this.#sizes.add(index, -rest.length);
    this.#insertLeaf(index + 1, rest);
  }

  #insertLeaf(index: number, leaf: RowLeaf): void {
    this.#leaves.splice(index, 0, leaf);
    this.#sizes.insert(index, leaf.length);
    if (index > 0) this.#bounds.insert(index - 1, itemAt(this.#source, leaf.slotAt(0)));
  }

  /** Moves the rows of the next leaf into the leaf at an index, if there is enough space. */
  #merge(index: number): boolean {
    const [leaf, next] = [this.#leaves[index], this.#leaves[index + 1]];
    if (leaf === undefined || next === undefined) return false;
    const [size, added] = [this.#sizes.at(index), this.#sizes.at(index + 1)];
    if (size > 0 && added > 0 && size + added > MERGED_LENGTH) return false;
    leaf.sort(this.#source);
    next.sort(this.#source);
    leaf.append(next);
    this.#leaves.splice(index + 1, 1);
    this.#sizes.delete(index + 1);
    this.#sizes.add(index, added);
    this.#bounds.delete(index);
    return true;
  }
}
