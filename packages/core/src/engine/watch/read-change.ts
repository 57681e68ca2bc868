import type { ChangeEvent } from "../../events/change-event.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { ChangeKind } from "../../operation/operation.ts";
import type { Change } from "../../operation/outcome.ts";
import type { ReadableRow } from "../../operation/visible-rows.ts";
import { rowVersion } from "../../model/row-version.ts";
import type { OperationContext } from "../operation-context.ts";
import { matchesRow } from "../read/match-rows.ts";
import type { Level } from "../read/level.ts";
import { readLevel } from "../read/read-level.ts";
import { storeFilter } from "../read/rewrite-related.ts";
import type { SubscriberView } from "./view.ts";

/** A change as read for one view. All watchers with that view share this object, so that its text is built once. */
export class RowChange {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly key: ChangeEvent["key"];
  readonly row: ReadableRow;
  readonly #level: Level;
  readonly #resource: ResourceModel;

  constructor(event: ChangeEvent, resource: ResourceModel, level: Level) {
    // The event id belongs to the event, not to the row.
    this.kind = event.kind;
    this.id = event.id;
    this.key = event.key;
    this.row = level.rowAt(0);
    this.#level = level;
    this.#resource = resource;
  }

  /** Returns the version of the row. Computed on demand. */
  static versionOf(change: Change): string | undefined {
    return change instanceof RowChange ? rowVersion(change.#resource, change.#level.rows[0] as Row) : undefined;
  }
}

/** Reads the row of an event for a view. Returns `undefined` if the row isn't and wasn't in the view. */
export async function readChange(
  context: OperationContext,
  resource: ResourceModel,
  { filter, plan }: SubscriberView,
  event: ChangeEvent,
): Promise<Change | undefined> {
  const row = await currentRow(context, resource, event, filter);
  if (row !== undefined) return new RowChange(event, resource, await readLevel(context, plan, [row]));
  const hasLeft = await leavesView(context, resource, event, filter);
  return hasLeft ? { kind: "left", id: event.id, key: event.key } : undefined;
}

/** Whether this update took the row out of the view. Later updates report their own effect. */
async function leavesView(
  context: OperationContext,
  resource: ResourceModel,
  { kind, before, after }: ChangeEvent,
  filter: Filter | undefined,
): Promise<boolean> {
  if (kind !== "updated" || before === undefined || after === undefined || filter === undefined) return false;
  if (!(await matchesRow(context, resource, before, filter))) return false;
  return !(await matchesRow(context, resource, after, filter));
}

/** A deleted row can't be read again, so the rules apply to its last state. */
async function currentRow(
  context: OperationContext,
  resource: ResourceModel,
  event: ChangeEvent,
  filter: Filter | undefined,
): Promise<Row | undefined> {
  if (event.kind === "deleted") {
    const { before } = event;
    if (before === undefined) return undefined;
    return filter === undefined || (await matchesRow(context, resource, before, filter)) ? before : undefined;
  }
  const where = filter && (await storeFilter(context, resource, filter));
  const query = { resource, keys: [event.key], filter: where };
  const [row] = await context.storeOf(resource.name).byKeys(query, context.deadline);
  return row;
}
