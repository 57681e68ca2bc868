import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import {
  buildTree,
  deleteFrom,
  firstIndex,
  insertInto,
  replaceIn,
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

const NO_LEAF = { rows: [], values: [] };

/**
 * A sorted list of rows. It is a B+-tree whose branches count their rows, so inserting, deleting, and finding rows by
 * order or by index take logarithmic time.
 */
export class SortedRows {
  readonly #order: FieldOrder;
  #root: TreeNode;
  #length: number;
  /** The leaf that was read last, and the indexes of its rows: most reads continue there. */
  #leaf: Pick<TreeNode, "rows" | "values"> = NO_LEAF;
  #start = 0;
  #end = 0;

  /** `rows` are in the order. */
  constructor(rows: readonly Row[], order: FieldOrder) {
    this.#order = order;
    this.#length = rows.length;
    this.#root = buildTree(rows, order.field);
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
    return this.#leaf.rows[index - this.#start] as Row;
  }

  /** Returns the value of the sorted field in the row at an index. */
  valueAt(index: number): Json {
    if (index < this.#start || index >= this.#end) this.#findLeaf(index);
    return this.#leaf.values[index - this.#start] as Json;
  }

  slice(start: number, end: number): Row[] {
    const rows: Row[] = [];
    const last = Math.min(end, this.#length);
    for (let index = start; index < last; index = this.#end) {
      this.at(index);
      const part = this.#leaf.rows.slice(index - this.#start, last - this.#start);
      if (index === start && part.length === last - start) return part;
      rows.push(...part);
    }
    return rows;
  }

  /** Returns the first index at which a test holds, if it holds for all later rows too. */
  firstWhere(holds: Test): number {
    let node = this.#root;
    let index = 0;
    while (node.nodes !== undefined) {
      const child = Math.max(0, firstIndex(node, holds) - 1);
      index += rowsBefore(node.sizes, child);
      node = node.nodes[child] as TreeNode;
    }
    return index + firstIndex(node, holds);
  }

  add(row: Row): void {
    const value = row[this.#order.field] ?? null;
    const split = insertInto(this.#root, row, value, this.#isNotBefore(row, value));
    if (split !== undefined) this.#root = toBranch([this.#root, split]);
    this.#length++;
    this.#forgetLeaf();
  }

  delete(row: Row): void {
    if (!deleteFrom(this.#root, row, this.#isNotBefore(row, row[this.#order.field] ?? null))) return;
    while (this.#root.nodes?.length === 1) this.#root = this.#root.nodes[0] as TreeNode;
    if (this.#root.rows.length === 0) this.#root = buildTree([], this.#order.field);
    this.#length--;
    this.#forgetLeaf();
  }

  /** Replaces a row by its next state. */
  replace(before: Row, after: Row): void {
    const { field, compareTies } = this.#order;
    const value = before[field] ?? null;
    const isInPlace = value === (after[field] ?? null) && compareTies(before, after) === 0;
    if (isInPlace && replaceIn(this.#root, before, after, this.#isNotBefore(before, value))) return;
    this.delete(before);
    this.add(after);
  }

  /** Returns a test for rows that don't sort before a row. */
  #isNotBefore(row: Row, value: Json): Test {
    const { compareValues, compareTies } = this.#order;
    return (otherValue, other) => {
      const difference = compareValues(otherValue, value);
      return difference === 0 ? compareTies(other, row) >= 0 : difference > 0;
    };
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
    this.#end = start + node.rows.length;
  }

  #forgetLeaf(): void {
    this.#leaf = NO_LEAF;
    this.#end = 0;
  }
}
