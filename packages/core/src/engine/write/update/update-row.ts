import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { type Filter, isRelated } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { Precondition } from "../../../operation/operation.ts";
import type { UpdateCommand, WriteResult } from "../../../store/store.ts";
import { rowVersion } from "../../../model/row-version.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { isAlways } from "../../access/decide.ts";
import { mayHideFields, type OperationContext } from "../../operation-context.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { matchesRow } from "../../read/match-rows.ts";
import { regenerate } from "../create/build-row.ts";
import { checkReferences, setsPartly } from "../checks/check-references.ts";
import { checkRename } from "../checks/check-rename.ts";
import { dependsOnRow } from "../checks/depends-on-row.ts";
import { decideAgain } from "../checks/decide-again.ts";
import { hasChanged } from "../checks/has-changed.ts";
import { stale } from "../../../operation/preconditions.ts";
import { refusalOfWrite } from "../checks/refuse-write.ts";
import { beforeWrite, type Hooked, runHook, toItem } from "../run-hook.ts";
import { noteUniqueViolation } from "../checks/unique-violation.ts";

export interface RowUpdate {
  readonly key: Key;
  readonly written: Row;
  /** The condition that the row must match before the update. */
  readonly where: Filter | undefined;
  /** The condition that the row must also match after the update. */
  readonly check: Filter;
  /** The decision of the given fields alone. */
  readonly byFields?: Filter | undefined;
  /** Whether `decideUpdate` already allowed the change of this row. */
  readonly isDecided?: boolean;
  readonly ifMatch?: Precondition | undefined;
  readonly ifNoneMatch?: Precondition | undefined;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/** Maximum number of retries after concurrent changes. */
const MAX_RETRIES = 5;

/** Updates one row within a transaction. A single statement checks and writes it. Throws if it can't. */
export async function updateRow(hooked: Hooked, update: RowUpdate): Promise<Row> {
  const { context, resource, events } = hooked;
  const { key, what } = update;
  const isCompared =
    update.ifNoneMatch !== undefined || (Array.isArray(update.ifMatch) && mayHideFields(context, resource));
  // Checking the key before the row is visible would reveal that the row exists.
  const isRead =
    isCompared || resource.hooks.update !== undefined || dependsOnRow(context, resource, key, update.written);
  const read = isRead ? await readRow(hooked, update) : undefined;
  const { written, check } = read === undefined ? update : await runBefore(hooked, update, read);
  const set = setOf(context, resource, written);
  await checkReferences(context, resource, written, read);
  if (read !== undefined) await checkRename(context, resource, read, set);
  const { where } = update;
  // The write must apply to the version that was compared with the preconditions.
  const writeTo = (row: Row | undefined): Promise<WriteResult> => {
    const ifMatch = isCompared && row !== undefined ? [rowVersion(resource, row)] : update.ifMatch;
    return write(context, { resource, key, set, where, check, ifMatch });
  };
  let result = await writeTo(read);
  // The row may have changed in fields that the caller can't see. The caller's version then still matches.
  for (let tries = 0; isCompared && result.kind === "stale" && tries < MAX_RETRIES; tries++) {
    result = await writeTo(await readRow(hooked, update));
  }
  if (result.kind !== "done") throw await refusalOfWrite(context, resource, key, result.kind, what);
  const { before, after } = result;
  if (hasChanged(before, after)) {
    events.push(updated(resource, before, after));
  }
  const facts = { previous: toItem(resource, before), item: toItem(resource, after) };
  await runHook(hooked, "update", "after", facts);
  return after;
}

/** Decides the change, runs the `before` hook, and decides again if the hook changed the fields to write. */
async function runBefore(hooked: Hooked, update: RowUpdate, row: Row): Promise<Pick<RowUpdate, "written" | "check">> {
  const { context, resource } = hooked;
  if (resource.hooks.update?.before === undefined) return update;
  if (update.isDecided !== true) await decideUpdate(context, resource, update, [row]);
  const written = await beforeWrite(hooked, "update", update.written, { item: toItem(resource, row) });
  if (written === update.written) return update;
  return { written, check: await decideAgain(context, resource, resource.access.update, written, update, update.what) };
}

/** Rejects a change of rows before a hook runs, if it references hidden rows or the caller couldn't change the result. */
export async function decideUpdate(
  context: OperationContext,
  resource: ResourceModel,
  change: Pick<RowUpdate, "written" | "check" | "what">,
  rows: readonly Row[],
): Promise<void> {
  for (const row of setsPartly(resource, change.written) ? rows : [undefined]) {
    await checkReferences(context, resource, change.written, row);
  }
  if (isAlways(change.check)) return;
  for (const row of rows) {
    if (await matchesRow(context, resource, { ...row, ...change.written }, change.check)) continue;
    throw await refusalOfWrite(context, resource, keyOf(resource, row), "refused", change.what);
  }
}

/** Returns the fields to write: those of the input, and generated ones. */
export function setOf(context: OperationContext, resource: ResourceModel, written: Row): Row {
  return Object.keys(written).length === 0 ? {} : { ...regenerate(context, resource), ...written };
}

export function updated(resource: ResourceModel, before: Row, after: Row): EventDraft {
  return { resource: resource.name, kind: "updated", key: keyOf(resource, after), before, after };
}

/** Reads the row and checks the preconditions in their order (RFC 9110 §13.2.2). */
async function readRow({ context, resource }: Hooked, update: RowUpdate): Promise<Row> {
  const { key, ifMatch, ifNoneMatch, what } = update;
  const filter = await storeFilter(context, resource, update.where);
  const [row] = await context.storeOf(resource.name).byKeys({ resource, keys: [key], filter }, context.deadline);
  if (row === undefined) throw await refusalOfWrite(context, resource, key, "absent", what);
  if (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)) throw stale(resource);
  return row;
}

/** Stores don't support a `check` on relations, so the engine checks the written row. */
async function write(
  context: OperationContext,
  command: UpdateCommand & { readonly check: Filter },
): Promise<WriteResult> {
  const { resource, key, set, check } = command;
  const where = await storeFilter(context, resource, command.where);
  const store = context.storeOf(resource.name);
  const update = async (checked: Filter | undefined): Promise<WriteResult> =>
    noteUniqueViolation(
      resource,
      set,
      () => store.update({ ...command, where, check: checked }, context.deadline),
      key,
    );
  if (!isRelated(check)) return update(isAlways(check) ? undefined : check);
  if (!store.capabilities.transactions) {
    // Without a transaction the write can't be undone, so the row is checked before it is written.
    const [row] = await store.byKeys({ resource, keys: [key], filter: where }, context.deadline);
    if (row === undefined) return { kind: "absent" };
    const { ifMatch } = command;
    if (Array.isArray(ifMatch) && !ifMatch.includes(rowVersion(resource, row))) return { kind: "stale" };
    return (await matchesRow(context, resource, { ...row, ...set }, check)) ? update(undefined) : { kind: "refused" };
  }
  const result = await update(undefined);
  if (result.kind !== "done" || (await matchesRow(context, resource, result.after, check))) return result;
  // The refusal aborts the transaction, which undoes the write.
  return { kind: "refused" };
}
