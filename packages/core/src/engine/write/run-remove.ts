import type { EventDraft } from "../../events/bus.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { andFilters } from "../../operation/filter.ts";
import type { RemoveOperation } from "../../operation/operation.ts";
import type { NothingOutcome } from "../../operation/outcome.ts";
import { rowVersion } from "../../util/row-version.ts";
import { decide, refuseNever } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { storeFilter } from "../read/rewrite-related.ts";
import { requireWrites } from "./check-input.ts";
import { planRemoval, type Removal } from "./plan-removal.ts";
import { refusalOf, stale } from "./refuse-write.ts";
import { removeLinks } from "./remove-links.ts";
import { transact } from "./transact.ts";

export async function runRemove(frame: Frame, operation: RemoveOperation): Promise<NothingOutcome> {
  const { key, ifMatch } = operation;
  const resource = resourceOf(frame.engine.model, operation.resource);
  requireWrites(frame, resource);
  const what = `delete this ${resource.name}`;
  const decision = await decide(frame, resource.access.delete, resource);
  refuseNever(frame, decision, what);
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  await transact(frame, resource.name, async (inner, events) => {
    const where = await storeFilter(inner, resource, andFilters(visible, decision));
    const [row] = await inner.storeOf(resource.name).byKeys({ resource, keys: [key], filter: where }, inner.context);
    if (row === undefined) throw await refusalOf(inner, resource, key, "absent", what);
    if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(versionOf(resource, row))) throw stale(resource);
    const removal = await planRemoval(inner, resource, key, row);
    await applyRemoval(inner, removal, events);
    await removeLinks(inner, resource, row);
    const result = await inner.storeOf(resource.name).remove({ resource, key, where, ifMatch }, inner.context);
    if (result.kind !== "done") throw await refusalOf(inner, resource, key, result.kind, what);
    events.push({ resource: resource.name, kind: "deleted", key, before: result.before });
  });
  return { kind: "nothing", key };
}

function versionOf(resource: ResourceModel, row: Row): string {
  return rowVersion(resource.fields, row);
}

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
