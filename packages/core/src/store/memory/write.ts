import { StoreConflict } from "../../errors/store-conflict.ts";
import type { FieldModel, Model, ResourceModel, Row } from "../../model/model.ts";
import { rowVersion } from "../../model/row-version.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { Json } from "../../util/json.ts";
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
import { tokenOf, tokenOfRow } from "./store-view.ts";

type Count = (resource: string, field: string, atLeast?: number) => number;

/** Inserts rows into an overlay, so that the command inserts all rows or none. */
export function insertRows(overlay: Overlay, count: Count, { resource, rows }: InsertCommand): readonly Row[] {
  return rows.map((given) => {
    const row = completeRow(resource, given, count);
    if (overlay.view.get(resource, tokenOfRow(resource, row)) !== undefined) throw new StoreConflict(resource.key);
    refuseTaken(overlay, resource, row, undefined);
    overlay.put(resource, row);
    return row;
  });
}

/** Inserts a single row, which needs no overlay. */
export function applyInsert({ tableOf, count, changed }: Committed, resource: ResourceModel, given: Row): Row {
  const row = completeRow(resource, given, count);
  const table = tableOf(resource.name);
  if (table.byKey.has(tokenOfRow(resource, row))) throw new StoreConflict(resource.key);
  for (const group of resource.unique) if (table.holderOf(group, row) !== undefined) throw new StoreConflict(group);
  table.insert(row);
  changed();
  return row;
}

function completeRow(resource: ResourceModel, given: Row, count: Count): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const said = given[field.name];
    const value = said ?? (field.name === resource.version ? 1 : counted(resource, field, count));
    // The sequence continues after a supplied number.
    if (field.generated?.when === "store" && typeof said === "number") count(resource.name, field.name, said);
    row[field.name] = typeof value === "object" ? deepFreeze(value) : value;
  }
  return Object.freeze(row);
}

function counted(resource: ResourceModel, { name, generated }: FieldModel, count: Count): Json {
  return generated?.when === "store" ? count(resource.name, name) : null;
}

export function applyUpdate(overlay: Overlay, model: Model, command: UpdateCommand): WriteResult {
  const { resource, key, set, check } = command;
  const token = tokenOf(key);
  const before = overlay.view.get(resource, token);
  const problem = checkRow(overlay, model, command, before);
  if (problem !== undefined || before === undefined) return { kind: problem ?? "absent" };
  const after: Row = deepFreeze({ ...before, ...set, ...nextVersion(resource, before, set) });
  if (check !== undefined && !evaluateFilter(check, after, resource, overlay.view.related, model)) {
    return { kind: "refused" };
  }
  const newToken = tokenOfRow(resource, after);
  if (newToken !== token) {
    if (overlay.view.get(resource, newToken) !== undefined) throw new StoreConflict(resource.key);
    overlay.drop(resource, token);
  }
  refuseTaken(overlay, resource, after, before);
  overlay.put(resource, after);
  return { kind: "done", before, after };
}

export function applyDelete(overlay: Overlay, model: Model, command: DeleteCommand): DeleteResult {
  const token = tokenOf(command.key);
  const before = overlay.view.get(command.resource, token);
  const problem = checkRow(overlay, model, command, before);
  if (problem !== undefined || before === undefined) return { kind: problem ?? "absent" };
  overlay.drop(command.resource, token);
  return { kind: "done", before };
}

/** Returns the reason why a row can't be written. */
function checkRow(
  { view }: Overlay,
  model: Model,
  { resource, where, ifMatch }: Pick<UpdateCommand, "resource" | "where" | "ifMatch">,
  row: Row | undefined,
): "absent" | "stale" | undefined {
  if (row === undefined) return "absent";
  if (where !== undefined && !evaluateFilter(where, row, resource, view.related, model)) return "absent";
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  return ifMatch.includes(rowVersion(resource, row)) ? undefined : "stale";
}

function refuseTaken(overlay: Overlay, resource: ResourceModel, row: Row, itself: Row | undefined): void {
  for (const group of resource.unique) {
    const holder = overlay.holderOf(resource, group, row);
    if (holder !== undefined && holder !== itself) throw new StoreConflict(group);
  }
}
