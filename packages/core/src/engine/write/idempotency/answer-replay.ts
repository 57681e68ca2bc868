import type { Key, ResourceModel } from "../../../model/model.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { BatchOutcome, ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { Selection } from "../../../operation/selection.ts";
import type { Frame } from "../../frame.ts";
import { answerRow, answerRows } from "../answer-row.ts";

/** The row of a write that was done before, as the caller may read it now; `nothing` if it has gone (docs/adr/0036). */
export async function answerReplay(
  frame: Frame,
  resource: ResourceModel,
  key: Key,
  selection: Selection,
  created = false,
): Promise<ItemOutcome | NothingOutcome> {
  const [row] = await frame.storeOf(resource.name).byKeys({ resource, keys: [key] }, frame.context);
  return row === undefined ? { kind: "nothing", key, created } : answerRow(frame, resource, row, selection, created);
}

/** The same for the rows of a batch, in their order; `null` for those that have gone. */
export async function answerReplays(
  frame: Frame,
  resource: ResourceModel,
  keys: readonly Key[],
  selection: Selection,
): Promise<BatchOutcome> {
  const rows = await frame.storeOf(resource.name).byKeys({ resource, keys }, frame.context);
  const answered = await answerRows(frame, resource, rows, selection);
  const nodes = new Map(rows.map((row, index) => [keyToken(keyOf(resource, row)), answered.nodes[index] ?? null]));
  return { ...answered, keys, nodes: keys.map((key) => nodes.get(keyToken(key)) ?? null) };
}
