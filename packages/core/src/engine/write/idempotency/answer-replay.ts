import type { Key, ResourceModel } from "../../../model/model.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { BatchOutcome, ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { Selection } from "../../../operation/selection.ts";
import type { OperationContext } from "../../operation-context.ts";
import { answerRow, answerRows } from "../answer-row.ts";

/**
 * Returns the outcome of a replayed write: its row as the caller can read it now, or `nothing` if it was deleted
 * (docs/adr/0036).
 */
export async function answerReplay(
  frame: OperationContext,
  resource: ResourceModel,
  key: Key,
  selection: Selection,
  created = false,
): Promise<ItemOutcome | NothingOutcome> {
  const [row] = await frame.storeOf(resource.name).byKeys({ resource, keys: [key] }, frame.context);
  return row === undefined ? { kind: "nothing", key, created } : answerRow(frame, resource, row, selection, created);
}

/** Does the same for the rows of a batch, in their order, with `null` for deleted rows. */
export async function answerReplays(
  frame: OperationContext,
  resource: ResourceModel,
  keys: readonly Key[],
  selection: Selection,
): Promise<BatchOutcome> {
  const rows = await frame.storeOf(resource.name).byKeys({ resource, keys }, frame.context);
  const answered = await answerRows(frame, resource, rows, selection);
  const nodes = new Map(rows.map((row, index) => [keyToken(keyOf(resource, row)), answered.nodes[index] ?? null]));
  return { ...answered, keys, nodes: keys.map((key) => nodes.get(keyToken(key)) ?? null) };
}
