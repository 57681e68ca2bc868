import { writtenText } from "@bifocal/core/internal";
import type { InsertAtOnceCommand, Json, Key, KeysQuery, ResourceModel, Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { EVENTS } from "../outbox/event-tables.ts";
import { RECEIPTS } from "../schema/system-tables.ts";
import { type Column, encodeOr } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { addKey, isKey } from "./read-keys.ts";
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
import { isInKeys } from "./row-values.ts";
import { type Build, createBuild, createScope, refOf, type Scope, tableAs, tableName } from "./scope.ts";
import { rowReader, selectColumns, selectList } from "./select.ts";
import { slot } from "./slot.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { StatementShape } from "./statement-shape.ts";

/** A command with the fields that all of its rows write. Its rows have versions. */
export interface AtOnceInsert extends InsertAtOnceCommand {
  readonly names: readonly string[];
  /** A receipt for each row, instead of one for all. */
  readonly receipts?: readonly RowReceipt[];
}

/** The receipt of one row. `key` is the JSON of its key. */
export type RowReceipt = Readonly<Record<"key" | "token" | "fingerprint", string> & { expires: number }>;

/** Names that the tables of an application won't have. */
const [LOG, RECEIPT, VALUES] = ["bifocal_log", "bifocal_kept", "bifocal_values"];

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
  for (const { resource: target, keys, filter } of references) {
    shape.note(` ${target.name}`);
    const [key] = keys as readonly [Key];
    if (keys.length === 1) addKey(shape, key).filter(filter);
    else shape.list(keys).filter(filter).value(keys.length);
  }
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
  const conditions = references.map((query) => referenceExists(build, query));
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

/**
 * Returns the condition that referenced rows exist. A single key is compared with `=`, because PostgreSQL would plan the
 * statement again for each list of one key.
 */
function referenceExists(build: Build, { resource, keys, filter }: KeysQuery): Sql {
  const { dialect, tables, slots } = build;
  const scope = createScope(build, tables.of(resource.name));
  const columns = resource.key.map((name) => columnOf(scope.table, name));
  const isOne = keys.length === 1;
  const conditions = [
    isOne
      ? isKey(build, scope)
      : isInKeys(dialect, columns, resource.key.map(scope.value), {
          index: slots.next(),
          slots: dialect.slotsOf(keys.length),
        }),
  ];
  if (filter !== undefined) conditions.push(buildFilter(build, scope, filter));
  const from = sql`from ${tableAs(scope)}${where(conditions)}`;
  return isOne ? sql`exists (select 1 ${from})` : sql`(select count(*) ${from}) = ${number(slots.next())}`;
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

/** Several rows are one JSON text, which takes less time to write and to send than a parameter for each value. */
function insertMany(
  { dialect, slots }: Build,
  table: Table,
  names: readonly string[],
  conditions: readonly Sql[],
): readonly Sql[] {
  const columns = names.map((name) => sql`${sql.id(name)} ${typeOf(dialect, columnOf(table, name))}`);
  const values = names.map((name) => sql.id(VALUES, name));
  const given = sql`${slot(slots.next(), (rows) => writtenText(rows as readonly Row[]))}::text`;
  const from = sql`from ${sql.id(GIVEN)}, json_to_recordset(${sql.id(GIVEN, "rows")}::json) as ${sql.id(VALUES)} (${sql.join(columns)})`;
  return [
    sql`${sql.id(GIVEN)} as (select ${given} as rows, ${number(slots.next())} as number)`,
    insertFrom(table, names, sql`select ${sql.join(values)} ${from}${where(conditions)}`),
  ];
}

function insertFrom(table: Table, names: readonly string[], select: Sql): Sql {
  const columns = sql.join(names.map((name) => sql.id(columnOf(table, name).name)));
  const returned = sql.join([...table.columns.values()].map(({ name }) => sql.id(name)));
  return sql`${sql.id(ROWS)} as (insert into ${tableName(table)} (${columns}) ${select} returning ${returned})`;
}

function typeOf({ writtenAs }: Dialect, column: Column): Sql {
  return sql.raw(writtenAs?.(column) as string);
}

function buildLog({ slots }: Build, { name }: ResourceModel, { from, key }: Inserted, after: Sql): Sql {
  const columns = sql.join(["resource", "kind", "key", "after", "written"].map((column) => sql.id(column)));
  const values = sql`${sql.lit(name)}, 'created', ${key}, ${after}, ${number(slots.next())}`;
  return sql`${sql.id(LOG)} as (insert into ${sql.id(EVENTS)} (${columns}) select ${values} from ${sql.id(from)})`;
}

function buildReceipt({ slots }: Build, { from, key }: Inserted, isBatch: boolean): Sql {
  const value = isBatch ? sql`'[' || string_agg(${key}, ',') || ']'` : key;
  const kept = sql.join([text(slots.next()), text(slots.next()), value, number(slots.next())]);
  // Without a row, there is no receipt.
  const all = isBatch ? sql` having count(*) > 0` : sql``;
  return sql`${sql.id(RECEIPT)} as (insert into ${sql.id(RECEIPTS)} (token, fingerprint, value, expires) select ${kept} from ${sql.id(from)}${all})`;
}

/**
 * A row whose key the database changed leaves its receipt without a value, so that the statement fails. The order of the
 * tokens prevents deadlocks.
 */
function buildReceipts({ slots }: Build): Sql {
  const given = sql`${slot(slots.next(), (receipts) => JSON.stringify(receipts))}::text::json`;
  const each = sql`json_to_recordset(${given}) as r (key text, token text, fingerprint text, expires bigint)`;
  const kept = sql`select r.token, r.fingerprint, t.key, r.expires from ${each} left join ${sql.id(TEXTS)} t on t.key = r.key`;
  return sql`${sql.id(RECEIPT)} as (insert into ${sql.id(RECEIPTS)} (token, fingerprint, value, expires) ${kept} where exists (select 1 from ${sql.id(ROWS)}) order by r.token)`;
}

const same = (value: Json): Json => value;

function text(index: number): Sql {
  return sql`${slot(index, same)}::text`;
}

function number(index: number): Sql {
  return sql`${slot(index, same)}::bigint`;
}
