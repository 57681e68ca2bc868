import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { RowSlots } from "./row-slots.ts";
import {
  buildTree,
  deleteFrom,
  firstIndex,
  insertInto,
  type TreeNode,
  rowsBefore,
  type Test,
  toBranch,
} from "./row-tree.ts";

/** The order of a list: by the values of a field, and equal values by other fields, of which the last are the key. */
export interface FieldOrder {
  readonly field: string;
  readonly compareValues: (a: Json, b: Json) => number;
  readonly compareTies: (a: Row, b: Row) => number;
}

export function sortBy(rows: Iterable<Row>, { field, compareValues, compareTies }: FieldOrder): readonly Row[] {
  return [...rows].sort((a, b) => compareValues(a[field] ?? null, b[field] ?? null) || compareTies(a, b));
}

const NO_LEAF = { slots: [], values: [] };

/**
 * A sorted list of rows. It is a B+-tree whose branches count their rows, so inserting, deleting, and finding rows by
 * order or by index take logarithmic time.
 */
export class SortedRows {
  readonly #rows: RowSlots;
  readonly #order: FieldOrder;
  #root: TreeNode;
  #length: number;
  /** The leaf that was read last, and the indexes of its rows: most reads continue there. */
  #leaf: Pick<TreeNode, "slots" | "values"> = NO_LEAF;
  #start = 0;
  #end = 0;

  constructor(rows: RowSlots, slots: Iterable<number>, order: FieldOrder) {
    const { field, compareValues, compareTies } = order;
    const items = Array.from(slots, (slot) => {
      const row = rows.at(slot);
      return { slot, row, value: row[field] ?? null };
    });
    items.sort((a, b) => compareValues(a.value, b.value) || compareTies(a.row, b.row));
    this.#rows = rows;
    this.#order = order;
    this.#length = items.length;
    this.#root = buildTree(items);
  }

  get field(): string {
    return this.#order.field;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the row at an index, which must be below `length`. */
  at(index: number): Row {
    if (index < this.#start || index >= this.#end) this.#findLeaf(index);
    return this.#rows.at(this.#leaf.slots[index - this.#start] as number);
  }

  /** Returns the value of the sorted field in the row at an index. */
  valueAt(index: number): Json {
    if (index < this.#start || index >= this.#end) this.#findLeaf(index);
    return this.#leaf.values[index - this.#start] as Json;
  }

  slice(start: number, end: number): Row[] {
    const rows: Row[] = [];
    const last = Math.min(end, this.#length);
    for (let index = start; index < last; ) {
      if (index < this.#start || index >= this.#end) this.#findLeaf(index);
      const { slots } = this.#leaf;
      const stop = Math.min(last, this.#end);
      for (; index < stop; index++) rows.push(this.#rows.at(slots[index - this.#start] as number));
    }
    return rows;
  }

  /** Returns the first index at which a test of the value holds, if it holds for all later rows too. */
  firstWhere(holds: (value: Json) => boolean): number {
    return this.#find(holds);
  }

  /** Like `firstWhere`, with a test of the row for rows with this value. */
  firstBehind(value: Json, holds: (row: Row) => boolean): number {
    const { compareValues } = this.#order;
    return this.#find((other, slot) => {
      const difference = compareValues(other, value);
      return difference === 0 ? holds(this.#rows.at(slot)) : difference > 0;
    });
  }

  /** Adds the row in a slot. */
  add(slot: number): void {
    const row = this.#rows.at(slot);
    const value = row[this.#order.field] ?? null;
    const split = insertInto(this.#root, slot, value, this.#isNotBefore(row, value));
    if (split !== undefined) this.#root = toBranch([this.#root, split]);
    this.#length++;
    this.#forgetLeaf();
  }

  /** Deletes the row in a slot, which must still contain it. */
  delete(slot: number): void {
    const row = this.#rows.at(slot);
    if (!deleteFrom(this.#root, slot, this.#isNotBefore(row, row[this.#order.field] ?? null))) return;
    while (this.#root.nodes?.length === 1) this.#root = this.#root.nodes[0] as TreeNode;
    if (this.#root.slots.length === 0) this.#root = buildTree([]);
    this.#length--;
    this.#forgetLeaf();
  }

  /** Whether an update may change the place of a row. */
  isMoved(before: Row, after: Row): boolean {
    const { field, compareTies } = this.#order;
    return (before[field] ?? null) !== (after[field] ?? null) || compareTies(before, after) !== 0;
  }

  /** Returns a test for rows that don't sort before a row. */
  #isNotBefore(row: Row, value: Json): Test {
    const { compareValues, compareTies } = this.#order;
    return (otherValue, slot) => {
      const difference = compareValues(otherValue, value);
      return difference === 0 ? compareTies(this.#rows.at(slot), row) >= 0 : difference > 0;
    };
  }

  #find(holds: Test): number {
    let node = this.#root;
    let index = 0;
    while (node.nodes !== undefined) {
      const child = Math.max(0, firstIndex(node, holds) - 1);
      index += rowsBefore(node.sizes, child);
      node = node.nodes[child] as TreeNode;
    }
    return index + firstIndex(node, holds);
  }

  #findLeaf(index: number): void {
    let node = this.#root;
    let start = 0;
    while (node.nodes !== undefined) {
      const { nodes, sizes } = node;
      let child = 0;
      while (child < sizes.length - 1 && start + (sizes[child] as number) <= index) start += sizes[child++] as number;
      node = nodes[child] as TreeNode;
    }
    this.#leaf = node;
    this.#start = start;
    this.#end = start + node.slots.length;
  }

  #forgetLeaf(): void {
    this.#leaf = NO_LEAF;
    this.#end = 0;
  }
}
