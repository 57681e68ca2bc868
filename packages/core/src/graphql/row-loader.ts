import type { FieldNode, GraphQLResolveInfo } from "graphql";
import type { Key } from "../model/model.ts";
import { keyToken } from "../operation/key.ts";
import type { Node } from "../operation/outcome.ts";
import type { Selection } from "../operation/selection.ts";
import type { ExecutionContext } from "./context.ts";
import { documentOf } from "./lower/document.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { Target } from "./lower/target.ts";
import { afterThisTurn, readRows, selectKey } from "./read-rows.ts";

/** Keys that wait to be read together. */
interface Batch {
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Node>>;
}

/** Reads one row as the caller, with all that the field selects; null where there is none that the caller may see. */
export type LoadRow = (context: ExecutionContext, info: GraphQLResolveInfo, key: Key) => Promise<Node | null>;

/** Rows of one resource. What the same field asks for in one turn, however many rows it stands in, is one list. */
export function createRowLoader(target: Target): LoadRow {
  const waiting = new WeakMap<ExecutionContext, Map<FieldNode, Batch>>();

  return async (context, info, key) => {
    const node = info.fieldNodes[0] as FieldNode;
    let batches = waiting.get(context);
    if (batches === undefined) waiting.set(context, (batches = new Map()));
    let batch = batches.get(node);
    if (batch === undefined) {
      const keys = new Map<string, Key>();
      const found = afterThisTurn().then(() => {
        batches.delete(node);
        return readRows(target.resource, context, selectRow(target, context, info), [...keys.values()]);
      });
      batch = { keys, found };
      batches.set(node, batch);
    }
    const token = keyToken(key);
    batch.keys.set(token, key);
    return (await batch.found).get(token) ?? null;
  };
}

function selectRow(target: Target, { late }: ExecutionContext, info: GraphQLResolveInfo): Selection {
  const nodes = late?.nodesOf(info) ?? info.fieldNodes;
  return selectKey(target.resource, lowerSelection(target, nodes, late?.document ?? documentOf(info)));
}
