import { keepText, mapMaybePromise } from "@bifocal/core/internal";
import {
  type EventDraft,
  type InsertAtOnceCommand,
  keyOf,
  type MaybePromise,
  type ResourceModel,
  type Row,
  type StoreContext,
} from "@bifocal/core/store";
import type { Opened } from "../opened.ts";
import type { Table } from "../table/table.ts";
import { appendChanges } from "../outbox/append-changes.ts";
import { readReceipt, writeReceipt } from "../receipts.ts";
import { canInsertAtOnce, insertAtOnceShape, planInsertAtOnce } from "../statement/insert-at-once.ts";
import { canInsertKept, insertKeptShape, planInsertKept } from "../statement/insert-kept.ts";
import type { AtOnceInsert } from "../statement/insert-parts.ts";
import { possibleKeys } from "../statement/read-keys.ts";
import { withVersion } from "../statement/kept-rows.ts";
import { insertedFields } from "../statement/write.ts";
import type { StoreHandle } from "./ask.ts";
import { askAtOnce, isRuled } from "./ask-at-once.ts";
import { insertGroups, insertRows, inOrder, needsCounting } from "./insert-rows.ts";
import { byKeys } from "./read.ts";

type Inserted = readonly Row[] | undefined;

/** Whether one statement can insert the rows with all that belongs to them. */
export function isOneStatementAtOnce({ dialect, tables }: Opened, { resource, rows }: InsertAtOnceCommand): boolean {
  const groups = insertGroups(resource, rows);
  const [first] = groups;
  if (first === undefined || groups.length > 1 || needsCounting(dialect, resource, first.names)) return false;
  const table = tables.of(resource.name);
  return !isRuled(table) && canInsertAtOnce(dialect, table);
}

/** Runs that statement. */
export function insertInOneStatement(
  handle: StoreHandle,
  command: Omit<AtOnceInsert, "names">,
  context: StoreContext,
): MaybePromise<Inserted> {
  const { dialect, tables } = handle;
  const { resource, rows, references } = command;
  if (isRuled(tables.of(resource.name))) return undefined;
  for (const { resource: target, keys } of references) {
    if (possibleKeys(tables.of(target.name), keys).length < keys.length) return undefined;
  }
  const names = insertedFields(resource, rows[0] as Row);
  const given = resource.version === undefined ? rows : rows.map((row) => withVersion(resource, row, names));
  const insert = { ...command, rows: given, names };
  const table = tables.of(resource.name);
  if (changing.has(table) || !canInsertKept(dialect, table, given)) return insertReturned(handle, insert, context);
  const shape = insertKeptShape(dialect, insert);
  const plan = () => planInsertKept(dialect, tables, insert);
  const outcome = askAtOnce(handle, { shape, plan, resource: resource.name, context, rows }, (read, { rows: found }) =>
    read(found),
  );
  return mapMaybePromise(outcome, (done) => {
    if (done !== "changing") return done === "inserted" ? given : undefined;
    changing.add(table);
    return insertReturned(handle, insert, context);
  });
}

/** Tables that have changed rows, so that each insert has to return them. */
const changing = new WeakSet<Table>();

function insertReturned(handle: StoreHandle, insert: AtOnceInsert, context: StoreContext): MaybePromise<Inserted> {
  const { dialect, tables } = handle;
  const { resource, rows } = insert;
  const shape = insertAtOnceShape(dialect, insert);
  const plan = () => planInsertAtOnce(dialect, tables, insert);
  return askAtOnce(handle, { shape, plan, resource: resource.name, context, rows }, (read, { rows: found }) => {
    const inserted = read(found, rows);
    return inserted === undefined || inserted === rows ? inserted : inOrder(resource, rows, inserted);
  });
}

/** Does the same step by step, within a transaction. */
export async function insertStepByStep(
  handle: StoreHandle,
  command: InsertAtOnceCommand,
  context: StoreContext,
): Promise<Inserted> {
  const { connection } = handle;
  const { resource, references, logged, receipt } = command;
  if (receipt !== undefined && (await readReceipt(handle, connection, receipt.token, context)) !== undefined)
    return undefined;
  for (const query of references) {
    if ((await byKeys(handle, query, context)).length < query.keys.length) return undefined;
  }
  const rows = await insertRows(handle, command, context);
  if (logged !== undefined) {
    const drafts = rows.map((row) => draftOf(resource, row, logged));
    // The response can have the same texts.
    const texts = rows.length > 1 && isWhole(resource, logged) ? rows.map((row) => JSON.stringify(row)) : undefined;
    await appendChanges(handle, connection, drafts, context, texts);
    if (texts !== undefined) keepText(rows, `[${texts.join(",")}]`);
  }
  if (receipt !== undefined) {
    const { isBatch, ...kept } = receipt;
    const keys = rows.map((row) => keyOf(resource, row));
    await writeReceipt(handle, connection, { ...kept, value: isBatch ? keys : (keys[0] ?? null) }, context);
  }
  return rows;
}

/** Whether the log has all fields of a row, because none is secret. */
function isWhole({ fields }: ResourceModel, logged: readonly string[]): boolean {
  return logged.length === fields.size;
}

function draftOf(resource: ResourceModel, row: Row, logged: readonly string[]): EventDraft {
  const after = isWhole(resource, logged) ? row : Object.fromEntries(logged.map((name) => [name, row[name] ?? null]));
  return { resource: resource.name, kind: "created", key: keyOf(resource, row), after };
}
