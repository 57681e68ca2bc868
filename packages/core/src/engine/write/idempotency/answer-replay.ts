import type { Key, ResourceModel } from "../../../model/model.ts";
import { notFound } from "../../../lowering/not-found.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { BatchOutcome, ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { Selection } from "../../../operation/selection.ts";
import type { OperationContext } from "../../operation-context.ts";
import { answerRow, answerRows } from "../answer-row.ts";

/**
 * Returns the outcome of a replayed write: its row as the caller can read it now, or `nothing` if it was deleted or is
 * hidden (docs/adr/0036). For a caller with other rights than the first one, such a row is NOT_FOUND.
 */
export async function answerReplay(
  context: OperationContext,
  resource: ResourceModel,
  key: Key,
  selection: Selection,
  { created = false, isOther = false }: { readonly created?: boolean; readonly isOther?: boolean } = {},
): Promise<ItemOutcome | NothingOutcome> {
  const [row] = await context.storeOf(resource.name).byKeys({ resource, keys: [key] }, context.deadline);
  const outcome =
    row === undefined
      ? ({ kind: "nothing", key, created } as const)
      : await answerRow(context, resource, row, selection, created);
  if (isOther && outcome.kind === "nothing") throw notFound(resource);
  return outcome;
}

/** Does the same for the rows of a batch, in their order, with `null` for deleted rows. */
export async function answerReplays(
  context: OperationContext,
  resource: ResourceModel,
  keys: readonly Key[],
  selection: Selection,
): Promise<BatchOutcome> {
  const rows = await context.storeOf(resource.name).byKeys({ resource, keys }, context.deadline);
  const answered = await answerRows(context, resource, rows, selection);
  const found = new Map(rows.map((row, index) => [keyToken(keyOf(resource, row)), answered.rows[index] ?? null]));
  return { ...answered, keys, rows: keys.map((key) => found.get(keyToken(key)) ?? null) };
}
