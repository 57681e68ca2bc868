import { StoreConflict } from "../../errors/store-conflict.ts";
import type { FieldModel, ResourceModel, Row } from "../../model/model.ts";
import { versionOnce } from "../../model/row-version.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { evaluateFilter } from "../evaluate-filter.ts";
import { nextVersion } from "../next-version.ts";
import {
  type InsertCommand,
  type DeleteCommand,
  type DeleteResult,
  type UpdateCommand,
  type WriteResult,
} from "../store.ts";
import type { Committed } from "./committed.ts";
import type { Overlay } from "./overlay.ts";
import { tokenOf } from "../../model/reference.ts";
import { type StoreView, tokenOfRow } from "./store-view.ts";

type HolderOf = (group: readonly string[], row: Row) => Row | undefined;
type Count = (resource: string, field: string, atLeast?: number) => number;

/** Inserts all rows into an overlay, or none. */
export function insertInOverlay(overlay: Overlay, count: Count, { resource, rows }: InsertCommand): readonly Row[] {
  const inserted: Row[] = [];
  try {
    for (const given of rows) {
      const row = completeRow(resource, given, count);
      if (overlay.view.get(resource, tokenOfRow(resource, row)) !== undefined) throw new StoreConflict(resource.key);
      refuseTaken((group, one) => overlay.holderOf(resource, group, one), resource, row);
      overlay.put(resource, row);
      inserted.push(row);
    }
    return inserted;
  } catch (thrown) {
    // A transaction may catch the error.
    for (const row of inserted) overlay.drop(resource, tokenOfRow(resource, row));
    throw thrown;
  }
}

/** Inserts a single row, which needs no overlay. */
export function applyInsert({ tableOf, count, changed }: Committed, resource: ResourceModel, given: Row): Row {
  const row = completeRow(resource, given, count);
  const table = tableOf(resource.name);
  if (table.get(tokenOfRow(resource, row)) !== undefined) throw new StoreConflict(resource.key);
  refuseTaken(table.holderOf, resource, row);
  table.insert(row);
  changed();
  return row;
}

/** Freezes a complete row, which the store may keep. Other rows are copied, with all fields in their order. */
function completeRow(resource: ResourceModel, given: Row, count: Count): Row {
  return freezeJson(isComplete(resource, given) ? given : addFields(resource, given, count));
}

/** The names of all fields of a resource, or `null` if the store sets one of them. */
const COMPLETE = new WeakMap<ResourceModel, readonly string[] | null>();

function isComplete(resource: ResourceModel, row: Row): boolean {
  let names = COMPLETE.get(resource);
  if (names === undefined) COMPLETE.set(resource, (names = completeNames(resource)));
  if (names === null) return false;
  for (const name of names) if (row[name] === undefined) return false;
  return true;
}

function completeNames({ fields, version }: ResourceModel): readonly string[] | null {
  const all = [...fields.values()];
  return version !== undefined || all.some(({ generated }) => generated?.when === "store")
    ? null
    : all.map(({ name }) => name);
}

function addFields(resource: ResourceModel, given: Row, count: Count): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const said = given[field.name];
    row[field.name] = said ?? (field.name === resource.version ? 1 : counted(resource, field, count));
    // The sequence continues after a supplied number.
    if (field.generated?.when === "store" && typeof said === "number") count(resource.name, field.name, said);
  }
  return row;
}

function counted(resource: ResourceModel, { name, generated }: FieldModel, count: Count): Json {
  return generated?.when === "store" ? count(resource.name, name) : null;
}

/** Updates a row in an overlay. */
export function updateInOverlay(overlay: Overlay, command: UpdateCommand): WriteResult {
  const { resource, key } = command;
  const result = changedRow(overlay.view, command);
  if (result.kind !== "done") return result;
  const { before, after } = result;
  const token = tokenOf(key);
  const newToken = tokenOfRow(resource, after);
  const isRenamed = newToken !== token;
  if (isRenamed && overlay.view.get(resource, newToken) !== undefined) throw new StoreConflict(resource.key);
  // Before any change, because a transaction may catch the error.
  refuseTaken((group, row) => overlay.holderOf(resource, group, row), resource, after, before);
  if (isRenamed) overlay.drop(resource, token);
  overlay.put(resource, after);
  return result;
}

/** Updates a single row, which needs no overlay. */
export function applyUpdate({ view, tableOf, changed }: Committed, command: UpdateCommand): WriteResult {
  const { resource } = command;
  const result = changedRow(view, command);
  if (result.kind !== "done") return result;
  const { before, after } = result;
  const table = tableOf(resource.name);
  const holder = table.get(tokenOfRow(resource, after));
  if (holder !== undefined && holder !== before) throw new StoreConflict(resource.key);
  refuseTaken(table.holderOf, resource, after, before);
  table.replace(before, after);
  changed();
  return result;
}

/** Returns the updated row, or the reason why it can't be updated. */
function changedRow(view: StoreView, command: UpdateCommand): WriteResult {
  const { resource, key, set, check } = command;
  const before = view.get(resource, tokenOf(key));
  const problem = checkRow(view, command, before);
  if (problem !== undefined || before === undefined) return { kind: problem ?? "absent" };
  const after: Row = freezeJson({ ...before, ...set, ...nextVersion(resource, before, set) });
  if (check !== undefined && !evaluateFilter(check, after, resource, view.related, view.model)) {
    return { kind: "refused" };
  }
  return { kind: "done", before, after };
}

/** Deletes a row in an overlay. */
export function deleteInOverlay(overlay: Overlay, command: DeleteCommand): DeleteResult {
  const token = tokenOf(command.key);
  const before = overlay.view.get(command.resource, token);
  const problem = checkRow(overlay.view, command, before);
  if (problem !== undefined || before === undefined) return { kind: problem ?? "absent" };
  overlay.drop(command.resource, token);
  return { kind: "done", before };
}

/** Deletes a single row, which needs no overlay. */
export function applyDelete({ view, tableOf, changed }: Committed, command: DeleteCommand): DeleteResult {
  const before = view.get(command.resource, tokenOf(command.key));
  const problem = checkRow(view, command, before);
  if (problem !== undefined || before === undefined) return { kind: problem ?? "absent" };
  tableOf(command.resource.name).delete(before);
  changed();
  return { kind: "done", before };
}

/** Returns the reason why a row can't be written. */
function checkRow(
  { related, model }: StoreView,
  { resource, where, ifMatch }: Pick<UpdateCommand, "resource" | "where" | "ifMatch">,
  row: Row | undefined,
): "absent" | "stale" | undefined {
  if (row === undefined) return "absent";
  if (where !== undefined && !evaluateFilter(where, row, resource, related, model)) return "absent";
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  return ifMatch.includes(versionOnce(resource, row)) ? undefined : "stale";
}

function refuseTaken(holderOf: HolderOf, resource: ResourceModel, row: Row, itself?: Row): void {
  if (resource.unique.length === 0) return;
  for (const group of resource.unique) {
    const holder = holderOf(group, row);
    if (holder !== undefined && holder !== itself) throw new StoreConflict(group);
  }
}

/** Freezes a JSON value with everything in it. */
export function freezeJson<T extends JsonObject | readonly Json[]>(value: T): T {
  if (Object.isFrozen(value)) return value;
  // First what is in it, because V8 iterates over a frozen list several times slower.
  if (Array.isArray(value)) for (const item of value) freezeInner(item as Json);
  else {
    const members = value as JsonObject;
    for (const name in members) freezeInner(members[name] as Json);
  }
  return Object.freeze(value);
}

function freezeInner(value: Json): void {
  if (typeof value === "object" && value !== null) freezeJson(value);
}
