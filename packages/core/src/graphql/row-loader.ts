import type { FieldNode, GraphQLResolveInfo } from "graphql";
import type { Key } from "../model/model.ts";
import { keyToken } from "../operation/key.ts";
import type { Node } from "./node.ts";
import type { Selection } from "../operation/selection.ts";
import type { ExecutionContext } from "./context.ts";
import { documentOf } from "./lower/document.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { afterThisTurn, readRow, readRows, selectKey } from "./read-rows.ts";

/** Keys that are read together. */
interface Batch {
  /** All nodes that select: fragments may add different nodes to the same first node. */
  readonly nodes: readonly FieldNode[];
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Node>>;
}

/**
 * Reads one row as the caller, with the field's selection. Returns null if it does not exist or the caller cannot see
 * it.
 */
export type LoadRow = (context: ExecutionContext, info: GraphQLResolveInfo, key: Key) => Promise<Node | null>;

/**
 * Creates a loader for rows of one resource. All rows that one field requests in the same turn are read with one list
 * operation. If the resource has hooks around reads, each row is a separate get.
 */
export function createRowLoader(target: FieldTarget): LoadRow {
  const waiting = new WeakMap<ExecutionContext, Map<FieldNode, Batch[]>>();

  const { hooks } = target.resource;
  const isHooked = hooks.get !== undefined || hooks.list !== undefined;

  return async (context, info, key) => {
    const nodes = context.late?.nodesOf(info) ?? info.fieldNodes;
    if (isHooked)
      return (await readRow(target.resource, context, selectRow(target, context, info, nodes), key)) ?? null;
    const batch = batchOf(context, info, nodes);
    const token = keyToken(key);
    batch.keys.set(token, key);
    return (await batch.found).get(token) ?? null;
  };

  function batchOf(context: ExecutionContext, info: GraphQLResolveInfo, nodes: readonly FieldNode[]): Batch {
    let byNode = waiting.get(context);
    if (byNode === undefined) waiting.set(context, (byNode = new Map()));
    const first = nodes[0] as FieldNode;
    const batches = byNode.get(first) ?? [];
    const before = batches.find((one) => areSame(one.nodes, nodes));
    if (before !== undefined) return before;
    const keys = new Map<string, Key>();
    const found = afterThisTurn().then(() => {
      byNode.set(
        first,
        (byNode.get(first) ?? []).filter((one) => one !== batch),
      );
      return readRows(target.resource, context, selectRow(target, context, info, nodes), [...keys.values()]);
    });
    const batch: Batch = { nodes, keys, found };
    byNode.set(first, [...batches, batch]);
    return batch;
  }
}

function areSame(some: readonly FieldNode[], others: readonly FieldNode[]): boolean {
  return some.length === others.length && some.every((node, index) => node === others[index]);
}

function selectRow(
  target: FieldTarget,
  { late }: ExecutionContext,
  info: GraphQLResolveInfo,
  nodes: readonly FieldNode[],
): Selection {
  return selectKey(target.resource, lowerSelection(target, nodes, late?.document ?? documentOf(info)));
}
