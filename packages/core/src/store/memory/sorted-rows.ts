import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import {
  buildTree,
  deleteFrom,
  firstIndex,
  insertInto,
  type Node,
  rowsBefore,
  type Test,
  toBranch,
} from "./row-tree.ts";

/** The order of a list: by the values of a field, and equal values by key. */
export interface FieldOrder {
  readonly field: string;
  readonly compareValues: (a: Json, b: Json) => number;
  readonly compareKeys: (a: Row, b: Row) => number;
}

const NO_ROWS: readonly Row[] = [];

/**
 * A sorted list of rows. It is a B+-tree whose branches count their rows, so inserting, deleting, and finding rows by
 * order or by index take logarithmic time.
 */
export class SortedRows {
  readonly #order: FieldOrder;
  #root: Node;
  #length: number;
  /** The leaf that `at` found last, and the index of its first row: most reads continue there. */
  #leaf: readonly Row[] = NO_ROWS;
  #start = 0;

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
    if (index < this.#start || index >= this.#start + this.#leaf.length) this.#findLeaf(index);
    return this.#leaf[index - this.#start] as Row;
  }

  slice(start: number, end: number): Row[] {
    const rows: Row[] = [];
    const last = Math.min(end, this.#length);
    for (let index = start; index < last; index = this.#start + this.#leaf.length) {
      this.at(index);
      const part = this.#leaf.slice(index - this.#start, last - this.#start);
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
      node = node.nodes[child] as Node;
    }
    return index + firstIndex(node, holds);
  }

  add(row: Row): void {
    const value = row[this.#order.field] ?? null;
    const split = insertInto(this.#root, row, value, this.#isNotBefore(row, value));
    if (split !== undefined) this.#root = toBranch([this.#root, split]);
    this.#length++;
    this.#leaf = NO_ROWS;
  }

  delete(row: Row): void {
    if (!deleteFrom(this.#root, row, this.#isNotBefore(row, row[this.#order.field] ?? null))) return;
    while (this.#root.nodes?.length === 1) this.#root = this.#root.nodes[0] as Node;
    if (this.#root.rows.length === 0) this.#root = buildTree(NO_ROWS, this.#order.field);
    this.#length--;
    this.#leaf = NO_ROWS;
  }

  /** Returns a test for rows that don't sort before a row. */
  #isNotBefore(row: Row, value: Json): Test {
    const { compareValues, compareKeys } = this.#order;
    return (otherValue, other) => {
      const difference = compareValues(otherValue, value);
      return difference === 0 ? compareKeys(other, row) >= 0 : difference > 0;
    };
  }

  #findLeaf(index: number): void {
    let node = this.#root;
    let start = 0;
    while (node.nodes !== undefined) {
      const { nodes, sizes } = node;
      let child = 0;
      while (child < sizes.length - 1 && start + (sizes[child] as number) <= index) start += sizes[child++] as number;
      node = nodes[child] as Node;
    }
    this.#leaf = node.rows;
    this.#start = start;
  }
}
