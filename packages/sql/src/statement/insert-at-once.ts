import type { ResourceModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { encodeOr } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import {
  addReferences,
  type AtOnceInsert,
  buildReferences,
  eachReceipt,
  insertEvents,
  insertReceipts,
  LOG,
  number,
  RECEIPT,
  recordsOf,
  rowsText,
  text,
  typeOf,
} from "./insert-parts.ts";
import { where } from "./read-list.ts";
import {
  buildTexts,
  GIVEN,
  keyText,
  loggedColumn,
  type ReadInserted,
  readTexts,
  ROWS,
  rowText,
  selectTexts,
  TEXTS,
} from "./inserted-texts.ts";
import { type Build, createBuild, refOf, type Scope, tableName } from "./scope.ts";
import { rowReader, selectColumns, selectList } from "./select.ts";
import { slot } from "./slot.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { StatementShape } from "./statement-shape.ts";

/** PostgreSQL truncates longer names, so it would not find them in JSON. */
const MAX_NAME = 63;

const eligible = new WeakMap<Table, boolean>();

/** Whether one statement can insert rows of a table, log them and write their receipt. */
export function canInsertAtOnce({ writtenAs, loggedText }: Dialect, table: Table): boolean {
  if (writtenAs === undefined || loggedText === undefined) return false;
  let isEligible = eligible.get(table);
  if (isEligible === undefined) {
    isEligible = [...table.columns.values()].every(
      (column) =>
        writtenAs(column) !== undefined &&
        loggedText(column, sql``) !== undefined &&
        column.field.name.length <= MAX_NAME,
    );
    eligible.set(table, isEligible);
  }
  return isEligible;
}

/** Adds the values in the order in which the statement takes them. */
export function insertAtOnceShape(
  dialect: Dialect,
  { resource, rows, names, references, logged, receipt, receipts }: AtOnceInsert,
): StatementShape {
  const [only] = rows.length === 1 ? rows : [];
  const shape = new StatementShape(
    dialect,
    `at once ${resource.name} ${only === undefined ? "*" : "1"} ${names.join()}`,
  );
  addReferences(shape, references);
  if (only === undefined) shape.value(rows).value(rows.length);
  else for (const name of names) shape.value(only[name] ?? null);
  if (logged !== undefined) shape.note(` log ${logged.join()}`).value(Date.now());
  if (receipts !== undefined) shape.note(" receipt each").value(receipts);
  if (receipt === undefined) return shape;
  const { token, fingerprint, expires, isBatch } = receipt;
  return shape
    .note(isBatch ? " receipts" : " receipt")
    .value(token)
    .value(fingerprint)
    .value(expires);
}

/** The part of the statement that has the inserted rows, and the JSON of their keys in it. */
interface Inserted {
  readonly from: string;
  readonly key: Sql;
}

/**
 * Plans one statement for all parts of an insert. It inserts nothing if a reference is missing. The log and the receipt
 * are written from the inserted rows, because the database may change values. Several rows are sent and returned as one
 * JSON text.
 */
export function planInsertAtOnce(
  dialect: Dialect,
  tables: Tables,
  { resource, rows, names, references, logged, receipt, receipts }: AtOnceInsert,
): StatementPlan<ReadInserted> {
  const build = createBuild(dialect, tables);
  const table = tables.of(resource.name);
  const scope: Scope = { table, alias: ROWS, value: (field) => refOf(ROWS, columnOf(table, field)) };
  const conditions = buildReferences(build, references);
  const isOne = rows.length === 1;
  const parts = isOne
    ? [insertOne(build, table, names, conditions)]
    : [...insertMany(build, table, names, conditions), buildTexts(dialect, scope, logged)];
  const inserted = isOne ? { from: ROWS, key: keyText(dialect, scope) } : { from: TEXTS, key: sql.id("key") };
  if (logged !== undefined) {
    const after = isOne ? rowText(dialect, scope, logged) : loggedColumn(scope, logged);
    parts.push(buildLog(build, resource, inserted, after));
  }
  if (receipts !== undefined) parts.push(buildReceipts(build));
  if (receipt !== undefined) parts.push(buildReceipt(build, inserted, receipt.isBatch));
  const start = sql`with ${sql.join(parts)} select`;
  if (!isOne) return { statement: sql`${start} ${selectTexts()}`, read: readTexts };
  const columns = selectColumns(table);
  const readRow = rowReader(columns);
  return {
    statement: sql`${start} ${sql.join(selectList(dialect, scope, columns))} from ${sql.id(ROWS)}`,
    read: (found) => (found.length === 0 ? undefined : found.map(readRow)),
  };
}

/** A single row has a parameter for each column. */
function insertOne(build: Build, table: Table, names: readonly string[], conditions: readonly Sql[]): Sql {
  const { dialect, slots } = build;
  const values = names.map((name) => {
    const column = columnOf(table, name);
    return sql`${slot(slots.next(), (value) => encodeOr(column, value))}::${typeOf(dialect, column)}`;
  });
  return insertFrom(table, names, sql`select ${sql.join(values)}${where(conditions)}`);
}

function insertMany(build: Build, table: Table, names: readonly string[], conditions: readonly Sql[]): readonly Sql[] {
  const { slots } = build;
  const given = sql`${sql.id(GIVEN)} as (select ${rowsText(slots)} as rows, ${number(slots.next())} as number)`;
  const records = recordsOf(build, table, names, sql`${sql.id(GIVEN, "rows")}::json`);
  const select = sql`select ${records.values} from ${sql.id(GIVEN)}, ${records.from}${where(conditions)}`;
  return [given, insertFrom(table, names, select)];
}

function insertFrom(table: Table, names: readonly string[], select: Sql): Sql {
  const columns = sql.join(names.map((name) => sql.id(columnOf(table, name).name)));
  const returned = sql.join([...table.columns.values()].map(({ name }) => sql.id(name)));
  return sql`${sql.id(ROWS)} as (insert into ${tableName(table)} (${columns}) ${select} returning ${returned})`;
}

function buildLog({ slots }: Build, { name }: ResourceModel, { from, key }: Inserted, after: Sql): Sql {
  const values = sql`${sql.lit(name)}, 'created', ${key}, ${after}, ${number(slots.next())}`;
  return sql`${sql.id(LOG)} as (${insertEvents()} select ${values} from ${sql.id(from)})`;
}

function buildReceipt({ slots }: Build, { from, key }: Inserted, isBatch: boolean): Sql {
  const value = isBatch ? sql`'[' || string_agg(${key}, ',') || ']'` : key;
  const kept = sql.join([text(slots.next()), text(slots.next()), value, number(slots.next())]);
  // Without a row, there is no receipt.
  const all = isBatch ? sql` having count(*) > 0` : sql``;
  return sql`${sql.id(RECEIPT)} as (${insertReceipts()} select ${kept} from ${sql.id(from)}${all})`;
}

/**
 * A row whose key the database changed leaves its receipt without a value, so that the statement fails. The order of the
 * tokens prevents deadlocks.
 */
function buildReceipts({ slots }: Build): Sql {
  const each = eachReceipt(slots);
  const kept = sql`select r.token, r.fingerprint, t.key, r.expires from ${each} left join ${sql.id(TEXTS)} t on t.key = r.key`;
  return sql`${sql.id(RECEIPT)} as (${insertReceipts()} ${kept} where exists (select 1 from ${sql.id(ROWS)}) order by r.token)`;
}
