import type { Key, ResourceModel, Row } from "../model/model.ts";
import { keyOf, keyToken } from "../operation/key.ts";
import { keysFilter } from "../operation/keys-filter.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { Selection } from "../operation/selection.ts";
import { type Node, toNode, toNodes } from "./node.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";

const CHUNK = 1_000;

/** Runs operations for a caller. */
export interface RowReader {
  readonly run: Run;
  readonly caller: Caller;
}

/** Resolves after every resolver that can continue has done so. */
export function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}

/** Adds the key to the selection, so that rows can be identified. */
export function selectKey({ key, visibleFields }: ResourceModel, { fields, relations }: Selection): Selection {
  const wanted = new Set([...fields, ...key]);
  if (wanted.size === fields.length) return { fields, relations };
  return { fields: visibleFields.map(({ name }) => name).filter((name) => wanted.has(name)), relations };
}

/** Reads one row by its key. Returns undefined if it does not exist or the caller cannot see it. */
export async function readRow(
  resource: ResourceModel,
  { run, caller }: RowReader,
  selection: Selection,
  key: Key,
): Promise<Node | undefined> {
  const outcome = await run({ kind: "get", resource: resource.name, key, selection }, caller);
  if (outcome.kind === "failure") {
    if (outcome.error.code === "NOT_FOUND") return undefined;
    throw outcome.error;
  }
  return outcome.kind === "item" ? toNode(outcome.row) : unexpectedOutcome(outcome);
}

/**
 * Reads rows by their keys, in lists of up to 1,000, and returns them by `keyToken`. The selection must include the
 * key.
 */
export async function readRows(
  resource: ResourceModel,
  { run, caller }: RowReader,
  selection: Selection,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Node>> {
  const found = new Map<string, Node>();
  for (let start = 0; start < keys.length; start += CHUNK) {
    const chunk = keys.slice(start, start + CHUNK);
    const outcome = await run(
      {
        kind: "list",
        resource: resource.name,
        filter: keysFilter(resource, chunk),
        sort: [],
        page: { size: chunk.length },
        selection,
      },
      caller,
    );
    if (outcome.kind === "failure") throw outcome.error;
    if (outcome.kind !== "page") return unexpectedOutcome(outcome);
    for (const node of toNodes(outcome.page)) found.set(keyToken(keyOf(resource, node as Row)), node);
  }
  return found;
}
