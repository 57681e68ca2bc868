import type { EventDraft } from "../../events/change-event.ts";
import { type HistoryChange, type HistoryOperation, isRecorded } from "../../model/history.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import { equalJson } from "../../util/equal-json.ts";

/** A change of one row, as its history reports it. */
export interface RecordedChange {
  readonly operation: HistoryOperation;
  /** The key after the change. */
  readonly key: Key;
  /** The key before the change, if the change renamed the row. */
  readonly renamedFrom: Key | undefined;
  readonly changes: readonly HistoryChange[];
  /** A state of the row, for its tenant. */
  readonly row: Row;
}

/** The row before and after a soft deletion or a restore. Events have only one of both. */
interface Kept {
  readonly before: Row;
  readonly after: Row;
}

const KEPT = new WeakMap<EventDraft, Kept>();

/** Notes for the history that the row of a `deleted` or `created` event existed before and after the change. */
export function keepsRow(event: EventDraft, kept: Kept): EventDraft {
  KEPT.set(event, kept);
  return event;
}

/** Returns undefined if no recorded field has changed. */
export function changesOf(resource: ResourceModel, event: EventDraft): RecordedChange | undefined {
  // The row of a link is unchanged.
  if (event.links !== undefined) return undefined;
  const { before, after } = KEPT.get(event) ?? event;
  const row = after ?? before;
  if (row === undefined) return undefined;
  const changes: HistoryChange[] = [];
  for (const field of resource.storedFields) {
    if (!isRecorded(resource, field)) continue;
    const { name } = field;
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    if (!equalJson(from, to)) changes.push({ field: name, from, to });
  }
  if (changes.length === 0) return undefined;
  const key = keyOf(resource, row);
  const isRenamed = before !== undefined && after !== undefined && !equalJson(keyOf(resource, before), key);
  return {
    operation: operationOf(event),
    key,
    renamedFrom: isRenamed ? keyOf(resource, before) : undefined,
    changes,
    row,
  };
}

function operationOf(event: EventDraft): HistoryOperation {
  switch (event.kind) {
    case "created":
      return KEPT.has(event) ? "restore" : "create";
    case "deleted":
      return "delete";
    default:
      return "update";
  }
}
