import { randomUUID } from "../../runtime/crypto.ts";
import { isSystem, type Principal } from "../../definition/principal.ts";
import { TENANT_FIELD } from "../../model/history.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { referenceFields, tokenOf } from "../../model/reference.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { Json } from "../../util/json.ts";
import type { OperationContext } from "../operation-context.ts";
import type { RecordedChange } from "./recorded-change.ts";
import { EntryStore } from "./entry-store.ts";

/** An entry that isn't inserted yet. */
interface Draft {
  key: Key;
  ended: boolean;
  readonly values: Row;
}

/** Writes an entry for each change. The entries of a row are in the order of its changes, even if clocks differ. */
export async function writeEntries(
  context: OperationContext,
  resource: ResourceModel,
  changes: readonly RecordedChange[],
): Promise<void> {
  const history = resourceOf(context.engine.model, resource.history as string);
  const relation = resource.relations.get("history") as RelationModel;
  const entries = new EntryStore(context, history, relation);
  const { foreign } = relation;
  const keys = changes.flatMap(({ key, renamedFrom }) => (renamedFrom === undefined ? [key] : [renamedFrom, key]));
  const times = await entries.lastTimes(keys);
  const drafts: Draft[] = [];
  const by = nameOf(context.caller.principal);
  const { action = null } = context;
  for (const change of changes) {
    const { key, renamedFrom, operation, row } = change;
    const isFirst = operation === "create" || renamedFrom !== undefined;
    // The key belonged to another row, whose history isn't that of this row.
    if (isFirst && times.has(tokenOf(key))) {
      await entries.end(key);
      for (const draft of draftsOf(drafts, key)) draft.ended = true;
    }
    if (renamedFrom !== undefined) {
      await entries.move(renamedFrom, key);
      for (const draft of draftsOf(drafts, renamedFrom)) draft.key = key;
    }
    const last = Math.max(times.get(tokenOf(key)) ?? 0, times.get(tokenOf(renamedFrom ?? key)) ?? 0);
    const time = Math.max(Date.now(), last + 1);
    times.set(tokenOf(key), time);
    const values = {
      id: randomUUID(),
      at: new Date(time).toISOString(),
      by,
      operation,
      action,
      names: change.changes.map(({ field }) => field),
      entries: change.changes as unknown as Json,
      ...(resource.tenant === undefined ? {} : { [TENANT_FIELD]: row[resource.tenant.field] as Json }),
    };
    drafts.push({ key, ended: false, values });
  }
  await entries.insert(
    drafts.map(({ key, ended, values }) => ({ ...values, ...referenceFields(foreign, key), ended })),
  );
}

function draftsOf(drafts: readonly Draft[], key: Key): readonly Draft[] {
  return drafts.filter((draft) => !draft.ended && tokenOf(draft.key) === tokenOf(key));
}

function nameOf(principal: Principal | null): string | null {
  if (principal === null) return null;
  return isSystem(principal) ? `system: ${principal["~system"]}` : principal.id;
}
