import {
  type InsertCommand,
  type Key,
  keyOf,
  keyToken,
  type ResourceModel,
  type Row,
  type StoreContext,
} from "@bifocal/core/store";
import { sql } from "kysely";
import { ask } from "../dialect/ask.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { Opened } from "../opened.ts";
import { run } from "../run.ts";
import { keysShape, planKeys } from "../statement/read-keys.ts";
import { StatementShape } from "../statement/statement-shape.ts";
import { columnOf } from "../table/table.ts";
import type { StoreHandle } from "./ask.ts";
import { jsonLength } from "./json-length.ts";
import { keptRows } from "../statement/kept-rows.ts";
import { insertedFields, insertShape, planInsert } from "../statement/write.ts";

/** PostgreSQL limits the parameters of a statement to 65,535, SQLite to 32,766. */
const MAX_PARAMETERS = 10_000;

/** Large inserts are split into statements of this size, so that they share one prepared statement. */
const MAX_ROWS = 500;

/** Maximum length of the rows of one statement, in characters of JSON, because MySQL limits the bytes of a statement. */
const MAX_LENGTH = 2_000_000;

/** Only statements of up to this number of rows are kept, because requests insert few rows. */
const MAX_KEPT_ROWS = 100;

/** Inserts rows with as few statements as possible. Run several statements within a transaction. */
export async function insertRows(
  handle: StoreHandle,
  { resource, rows }: InsertCommand,
  context: StoreContext,
): Promise<readonly Row[]> {
  const inserted: Row[] = [];
  for (const group of insertGroups(resource, rows)) {
    inserted.push(...(await insertGroup(handle, resource, group, context)));
    if (needsCounting(handle.dialect, resource, group.names)) await goOn(handle, resource, group, context);
  }
  if (inserted.length < rows.length)
    throw new Error(
      `The database inserted ${inserted.length} of ${rows.length} rows of '${resource.name}'. Check the table's triggers: they must not skip rows.`,
    );
  return inserted;
}

export function isOneStatement({ dialect }: Opened, { resource, rows }: InsertCommand): boolean {
  const all = insertGroups(resource, rows);
  return (
    dialect.returning.insert && all.length < 2 && all.every(({ names }) => !needsCounting(dialect, resource, names))
  );
}

/** Whether rows supply values for an auto-incremented column whose counter doesn't advance by itself. */
export function needsCounting({ countOn }: Dialect, resource: ResourceModel, names: readonly string[]): boolean {
  return countOn !== undefined && names.some((name) => isCounted(resource, name));
}

function isCounted({ fields }: ResourceModel, name: string): boolean {
  return fields.get(name)?.generated?.when === "store";
}

async function goOn(handle: StoreHandle, resource: ResourceModel, { names, rows }: Group, context: StoreContext) {
  const { dialect, tables, statements, connection } = handle;
  const table = tables.of(resource.name);
  for (const name of names) {
    if (dialect.countOn === undefined || !isCounted(resource, name)) continue;
    const most = Math.max(...rows.map((row) => Number(row[name])));
    const shape = new StatementShape(dialect, `go on ${resource.name} ${name}`).value(most);
    const statement = dialect.countOn(table, columnOf(table, name), 0);
    const prepared = statements.get(shape, () => ({ statement, read: undefined }));
    await run(dialect, connection, prepared, shape, { table, context });
  }
}

interface Group {
  readonly names: readonly string[];
  readonly rows: Row[];
  /** Length of its rows. */
  length: number;
}

/** Splits rows into those that one statement inserts. */
export function insertGroups(resource: ResourceModel, rows: readonly Row[]): readonly Group[] {
  const found: Group[] = [];
  const [first] = rows;
  const hasSame = ![...resource.fields.keys()].some((name) => isCounted(resource, name));
  const all = hasSame && first !== undefined ? insertedFields(resource, first) : undefined;
  for (const row of rows) {
    const names = all ?? insertedFields(resource, row);
    const length = rows.length === 1 ? 0 : jsonLength(row, MAX_LENGTH);
    const last = found.at(-1);
    const fits =
      last !== undefined &&
      last.length + length <= MAX_LENGTH &&
      (last.names === names || last.names.join() === names.join()) &&
      last.rows.length < MAX_ROWS &&
      (last.rows.length + 1) * names.length <= MAX_PARAMETERS;
    if (fits) {
      last.rows.push(row);
      last.length += length;
    } else found.push({ names, rows: [row], length });
  }
  return found;
}

async function insertGroup(
  handle: StoreHandle,
  resource: ResourceModel,
  { names, rows }: Group,
  context: StoreContext,
): Promise<readonly Row[]> {
  const { dialect, tables, statements, connection } = handle;
  const table = tables.of(resource.name);
  const kept = dialect.mayChange === undefined ? keptRows(dialect, table, rows) : undefined;
  const insert = { resource, names, rows, returns: kept === undefined && dialect.returning.insert };
  const shape = insertShape(dialect, insert);
  const plan = () => planInsert(dialect, tables, insert);
  const isKept = rows.length <= MAX_KEPT_ROWS || rows.length === MAX_ROWS;
  const prepared = isKept ? statements.get(shape, plan) : statements.once(plan());
  const answer = await run(dialect, connection, prepared, shape, { table, context, rows });
  if (kept !== undefined) return answer.affected < kept.length ? kept.slice(0, answer.affected) : kept;
  if (dialect.returning.insert) return inOrder(resource, rows, prepared.read(answer.rows));
  const keys = await keysOf(handle, resource, rows);
  const read = keysShape(dialect, { resource, keys }, "");
  const again = statements.get(read, () => planKeys(dialect, tables, { resource, keys }, undefined));
  const found = await run(dialect, connection, again, read, { table, context });
  return inOrder(resource, rows, again.read(found.rows), keys);
}

/** Databases don't guarantee that rows are returned in the order of the insert. */
export function inOrder(
  resource: ResourceModel,
  given: readonly Row[],
  found: readonly Row[],
  keys?: readonly Key[],
): readonly Row[] {
  if (found.length < 2) return found;
  const wanted = keys ?? given.map((row) => keyOf(resource, row));
  const tokens = found.map((row) => keyToken(keyOf(resource, row)));
  if (wanted.every((key, at) => keyToken(key) === tokens[at])) return found;
  const byKey = new Map(found.map((row, at) => [tokens[at], row]));
  const ordered = wanted.map((key) => byKey.get(keyToken(key)));
  return ordered.every((row) => row !== undefined) ? ordered : found;
}

/** If the database generated the keys, `last_insert_id()` returns the first one, and the others follow it. */
async function keysOf(
  { dialect, connection }: StoreHandle,
  resource: ResourceModel,
  rows: readonly Row[],
): Promise<readonly Key[]> {
  const isUnsaid = resource.key.some((name) => isCounted(resource, name) && (rows[0]?.[name] ?? null) === null);
  if (!isUnsaid) return rows.map((row) => keyOf(resource, row));
  const [row] = await ask(connection, dialect, sql`select last_insert_id()`);
  const first = Number(row?.[0]);
  return rows.map((_, at) => first + at);
}
