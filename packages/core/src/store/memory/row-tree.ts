import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";

/** Tests a row, whose value in the sorted field is passed too. */
export type Test = (value: Json, row: Row) => boolean;

/** A part of the tree. A branch has the first row of each of its nodes, and the number of rows below them. */
export type TreeNode = Leaf | Branch;

interface Leaf {
  readonly rows: Row[];
  /** The values of the sorted field, because following the references to many rows would take most of the time. */
  readonly values: Json[];
  readonly nodes: undefined;
  readonly sizes: undefined;
}

interface Branch {
  readonly rows: Row[];
  readonly values: Json[];
  readonly nodes: TreeNode[];
  readonly sizes: number[];
}

const MAX_LENGTH = 64;
/** Shorter nodes are merged with a neighbor if the result has space for more. */
const MIN_LENGTH = MAX_LENGTH / 4;
const MERGED_LENGTH = (MAX_LENGTH * 3) / 4;

/** Builds a tree of sorted rows. */
export function buildTree(rows: readonly Row[], field: string): TreeNode {
  const toLeaf = (part: Row[]): TreeNode => ({
    rows: part,
    values: part.map((row) => row[field] ?? null),
    nodes: undefined,
    sizes: undefined,
  });
  if (rows.length <= MAX_LENGTH) return toLeaf([...rows]);
  let nodes = inParts(rows).map(toLeaf);
  while (nodes.length > MAX_LENGTH) nodes = inParts(nodes).map(toBranch);
  return toBranch(nodes);
}

/** Leaves space for insertions. */
function inParts<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += MERGED_LENGTH)
    parts.push(items.slice(start, start + MERGED_LENGTH));
  return parts;
}

export function toBranch(nodes: TreeNode[]): Branch {
  return {
    rows: nodes.map(({ rows }) => rows[0] as Row),
    values: nodes.map(({ values }) => values[0] as Json),
    nodes,
    sizes: nodes.map(sizeOf),
  };
}

function sizeOf({ rows, sizes }: TreeNode): number {
  return sizes === undefined ? rows.length : rowsBefore(sizes, sizes.length);
}

/** Returns the number of rows below the nodes before an index. */
export function rowsBefore(sizes: readonly number[], end: number): number {
  let sum = 0;
  for (let index = 0; index < end; index++) sum += sizes[index] as number;
  return sum;
}

/** Returns the first index in a node at which a test holds. */
export function firstIndex({ rows, values }: TreeNode, holds: Test): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(values[middle] as Json, rows[middle] as Row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Inserts a row. If the node becomes too long, returns its second half, which is no longer part of it. */
export function insertInto(node: TreeNode, row: Row, value: Json, isNotBefore: Test): TreeNode | undefined {
  const place = firstIndex(node, isNotBefore);
  const { rows, values, nodes, sizes } = node;
  if (nodes === undefined) {
    rows.splice(place, 0, row);
    values.splice(place, 0, value);
    return rows.length > MAX_LENGTH ? splitOff(node, place) : undefined;
  }
  const index = Math.max(0, place - 1);
  const child = nodes[index] as TreeNode;
  const split = insertInto(child, row, value, isNotBefore);
  if (place === 0) [rows[0], values[0]] = [row, value];
  (sizes[index] as number)++;
  if (split === undefined) return undefined;
  const size = sizeOf(split);
  (sizes[index] as number) -= size;
  rows.splice(index + 1, 0, split.rows[0] as Row);
  values.splice(index + 1, 0, split.values[0] as Json);
  nodes.splice(index + 1, 0, split);
  sizes.splice(index + 1, 0, size);
  return rows.length > MAX_LENGTH ? splitOff(node, index + 1) : undefined;
}

/** Rows are often inserted in ascending order. Their nodes then stay full instead of half full. */
function splitOff({ rows, values, nodes, sizes }: TreeNode, inserted: number): TreeNode {
  const at = inserted === MAX_LENGTH ? MAX_LENGTH : MAX_LENGTH / 2;
  const own = { rows: rows.splice(at), values: values.splice(at) };
  return nodes === undefined
    ? { ...own, nodes, sizes: undefined }
    : { ...own, nodes: nodes.splice(at), sizes: sizes.splice(at) };
}

/** Replaces a row by another row with the same place in the order. Returns whether the row was found. */
export function replaceIn(node: TreeNode, before: Row, after: Row, isNotBefore: Test): boolean {
  const place = firstIndex(node, isNotBefore);
  const { rows, nodes } = node;
  const index = nodes === undefined || rows[place] === before ? place : Math.max(0, place - 1);
  if (nodes !== undefined && !replaceIn(nodes[index] as TreeNode, before, after, isNotBefore)) return false;
  if (rows[index] === before) rows[index] = after;
  else if (nodes === undefined) return false;
  return true;
}

/** Returns whether the row was found. */
export function deleteFrom(node: TreeNode, row: Row, isNotBefore: Test): boolean {
  const place = firstIndex(node, isNotBefore);
  const { rows, values, nodes, sizes } = node;
  if (nodes === undefined) {
    if (rows[place] !== row) return false;
    deleteAt(node, place);
    return true;
  }
  const index = rows[place] === row ? place : Math.max(0, place - 1);
  const child = nodes[index] as TreeNode;
  if (!deleteFrom(child, row, isNotBefore)) return false;
  (sizes[index] as number)--;
  const { length } = child.rows;
  if (length === 0) deleteAt(node, index);
  else {
    [rows[index], values[index]] = [child.rows[0] as Row, child.values[0] as Json];
    if (length < MIN_LENGTH && !merge(node, index)) merge(node, index - 1);
  }
  return true;
}

/** Moves the next node into the node at an index, if there is enough space. */
function merge(branch: Branch, index: number): boolean {
  const [node, next] = [branch.nodes[index], branch.nodes[index + 1]];
  if (node === undefined || next === undefined || node.rows.length + next.rows.length > MERGED_LENGTH) return false;
  node.rows.push(...next.rows);
  node.values.push(...next.values);
  node.nodes?.push(...(next.nodes ?? []));
  node.sizes?.push(...(next.sizes ?? []));
  (branch.sizes[index] as number) += branch.sizes[index + 1] as number;
  deleteAt(branch, index + 1);
  return true;
}

function deleteAt({ rows, values, nodes, sizes }: TreeNode, index: number): void {
  rows.splice(index, 1);
  values.splice(index, 1);
  nodes?.splice(index, 1);
  sizes?.splice(index, 1);
}
