import type { EventDraft } from "../../events/change-event.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { OperationContext } from "../operation-context.ts";
import { changesOf, type RecordedChange } from "./recorded-change.ts";
import { writeEntries } from "./write-entries.ts";

/** Writes the history of some changes, in the transaction that made them. */
export async function recordHistory(context: OperationContext, events: readonly EventDraft[]): Promise<void> {
  const { engine } = context;
  const byResource = new Map<string, RecordedChange[]>();
  for (const event of events) {
    const resource = resourceOf(engine.model, event.resource);
    const change = resource.history === undefined ? undefined : changesOf(resource, event);
    if (change === undefined) continue;
    const changes = byResource.get(event.resource);
    if (changes === undefined) byResource.set(event.resource, [change]);
    else changes.push(change);
  }
  for (const [name, changes] of byResource) await writeEntries(context, resourceOf(engine.model, name), changes);
}
