import type { Json } from "../../util/json.ts";

/** Tests a row by its value in the sorted field and its slot. */
export type Test = (value: Json, slot: number) => boolean;

/** A part of the tree. A branch has the first row of each of its nodes, and the number of rows below them. */
export type TreeNode = Leaf | Branch;

interface Leaf {
  readonly slots: number[];
  /** The values of the sorted field, because following the references to many rows would take most of the time. */
  readonly values: Json[];
  readonly nodes: undefined;
  readonly sizes: undefined;
}

interface Branch {
  readonly slots: number[];
  readonly values: Json[];
  readonly nodes: TreeNode[];
  readonly sizes: number[];
}

const MAX_LENGTH = 64;
/** Shorter nodes are merged with a neighbor if the result has space for more. */
const MIN_LENGTH = MAX_LENGTH / 4;
const MERGED_LENGTH = (MAX_LENGTH * 3) / 4;

/** A row in a tree. */
export interface TreeItem {
  readonly slot: number;
  readonly value: Json;
}

/** Builds a tree of sorted rows. */
export function buildTree(items: readonly TreeItem[]): TreeNode {
  if (items.length <= MAX_LENGTH) return toLeaf(items);
  let nodes: TreeNode[] = inParts(items).map(toLeaf);
  while (nodes.length > MAX_LENGTH) nodes = inParts(nodes).map(toBranch);
  return toBranch(nodes);
}

function toLeaf(items: readonly TreeItem[]): Leaf {
  return {
    slots: items.map(({ slot }) => slot),
    values: items.map(({ value }) => value),
    nodes: undefined,
    sizes: undefined,
  };
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
    slots: nodes.map(({ slots }) => slots[0] as number),
    values: nodes.map(({ values }) => values[0] as Json),
    nodes,
    sizes: nodes.map(sizeOf),
  };
}

function sizeOf({ slots, sizes }: TreeNode): number {
  return sizes === undefined ? slots.length : rowsBefore(sizes, sizes.length);
}

/** Returns the number of rows below the nodes before an index. */
export function rowsBefore(sizes: readonly number[], end: number): number {
  let sum = 0;
  for (let index = 0; index < end; index++) sum += sizes[index] as number;
  return sum;
}

/** Returns the first index in a node at which a test holds. */
export function firstIndex({ slots, values }: TreeNode, holds: Test): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(values[middle] as Json, slots[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Inserts a row. If the node becomes too long, returns its second half, which is no longer part of it. */
export function insertInto(node: TreeNode, slot: number, value: Json, isNotBefore: Test): TreeNode | undefined {
  const place = firstIndex(node, isNotBefore);
  const { slots, values, nodes, sizes } = node;
  if (nodes === undefined) {
    slots.splice(place, 0, slot);
    values.splice(place, 0, value);
    return slots.length > MAX_LENGTH ? splitOff(node, place) : undefined;
  }
  const index = Math.max(0, place - 1);
  const child = nodes[index] as TreeNode;
  const split = insertInto(child, slot, value, isNotBefore);
  if (place === 0) [slots[0], values[0]] = [slot, value];
  (sizes[index] as number)++;
  if (split === undefined) return undefined;
  const size = sizeOf(split);
  (sizes[index] as number) -= size;
  slots.splice(index + 1, 0, split.slots[0] as number);
  values.splice(index + 1, 0, split.values[0] as Json);
  nodes.splice(index + 1, 0, split);
  sizes.splice(index + 1, 0, size);
  return slots.length > MAX_LENGTH ? splitOff(node, index + 1) : undefined;
}

/** Rows are often inserted in ascending order. Their nodes then stay full instead of half full. */
function splitOff({ slots, values, nodes, sizes }: TreeNode, inserted: number): TreeNode {
  const at = inserted === MAX_LENGTH ? MAX_LENGTH : MAX_LENGTH / 2;
  const [ownSlots, ownValues] = [slots.splice(at), values.splice(at)];
  return nodes === undefined
    ? { slots: ownSlots, values: ownValues, nodes, sizes: undefined }
    : { slots: ownSlots, values: ownValues, nodes: nodes.splice(at), sizes: sizes.splice(at) };
}

/** Returns whether the row was found. */
export function deleteFrom(node: TreeNode, slot: number, isNotBefore: Test): boolean {
  const { slots, values, nodes, sizes } = node;
  if (nodes === undefined) {
    // Slots are adjacent in memory, which makes this faster than comparing values.
    const place = slots.indexOf(slot);
    if (place >= 0) deleteAt(node, place);
    return place >= 0;
  }
  const place = firstIndex(node, isNotBefore);
  const index = slots[place] === slot ? place : Math.max(0, place - 1);
  const child = nodes[index] as TreeNode;
  if (!deleteFrom(child, slot, isNotBefore)) return false;
  (sizes[index] as number)--;
  const { length } = child.slots;
  if (length === 0) deleteAt(node, index);
  else {
    [slots[index], values[index]] = [child.slots[0] as number, child.values[0] as Json];
    if (length < MIN_LENGTH && !merge(node, index)) merge(node, index - 1);
  }
  return true;
}

/** Moves the next node into the node at an index, if there is enough space. */
function merge(branch: Branch, index: number): boolean {
  const [node, next] = [branch.nodes[index], branch.nodes[index + 1]];
  if (node === undefined || next === undefined || node.slots.length + next.slots.length > MERGED_LENGTH) return false;
  node.slots.push(...next.slots);
  node.values.push(...next.values);
  node.nodes?.push(...(next.nodes ?? []));
  node.sizes?.push(...(next.sizes ?? []));
  (branch.sizes[index] as number) += branch.sizes[index + 1] as number;
  deleteAt(branch, index + 1);
  return true;
}

function deleteAt({ slots, values, nodes, sizes }: TreeNode, index: number): void {
  slots.splice(index, 1);
  values.splice(index, 1);
  nodes?.splice(index, 1);
  sizes?.splice(index, 1);
}
