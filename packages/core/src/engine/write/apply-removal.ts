import type { EventDraft } from "../../events/change-event.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import type { Frame } from "../frame.ts";
import type { Removal } from "./plan-removal.ts";
import { removeLinks } from "./remove-links.ts";

/** Everything that hangs on a row, past all rules: children first, so that nothing ever points at nothing. */
export async function applyRemoval(frame: Frame, removal: Removal, events: EventDraft[]): Promise<void> {
  for (const { resource, key, set } of removal.emptied) {
    const result = await frame.storeOf(resource.name).update({ resource, key, set }, frame.context);
    if (result.kind !== "done") continue;
    events.push({ resource: resource.name, kind: "updated", key, before: result.before, after: result.after });
  }
  for (const { resource, key, row } of removal.cascaded) await removeRow(frame, resource, key, row, events);
}

async function removeRow(
  frame: Frame,
  resource: ResourceModel,
  key: Key,
  row: Row,
  events: EventDraft[],
): Promise<void> {
  await removeLinks(frame, resource, row);
  const result = await frame.storeOf(resource.name).remove({ resource, key }, frame.context);
  if (result.kind === "done") events.push({ resource: resource.name, kind: "deleted", key, before: result.before });
}
