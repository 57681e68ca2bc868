import { writtenText } from "@bifocal/core/internal";
import { type Json, keyOf, type ResourceModel, type Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
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
  sharedJson,
  text,
} from "./insert-parts.ts";
import { failSkipped, ROWS } from "./inserted-texts.ts";
import { areKept } from "./kept-rows.ts";
import { where } from "./read-list.ts";
import { type Build, createBuild, tableName } from "./scope.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { StatementShape } from "./statement-shape.ts";

/** The outcome of the statement. It inserts nothing if a reference is missing, or if the table may change the rows. */
export type KeptOutcome = "inserted" | "missing" | "changing";

type ReadOutcome = (found: readonly (readonly unknown[])[]) => KeptOutcome;

/** One row, if all rows were inserted. The tables of an application won't have this name. */
const ALL = "bifocal_all";

const isAll = sql`(select ok from ${sql.id(ALL)})`;

/** Whether one statement can insert several rows without returning them. */
export function canInsertKept(dialect: Dialect, table: Table, rows: readonly Row[]): boolean {
  return dialect.mayChange !== undefined && rows.length > 1 && areKept(dialect, table, rows);
}

/** Adds the values in the order in which the statement takes them. */
export function insertKeptShape(
  dialect: Dialect,
  { resource, rows, names, references, logged, receipt, receipts }: AtOnceInsert,
): StatementShape {
  const shape = new StatementShape(dialect, `kept ${resource.name} ${names.join()}`);
  addReferences(shape, references);
  shape.value(rows).value(rows.length);
  if (logged !== undefined || receipt !== undefined) shape.value(rows.map((row) => keyOf(resource, row)));
  if (logged !== undefined) {
    shape.note(` log ${logged.join()}`).value(Date.now());
    if (!hasRows(resource, logged)) shape.value(rows.map((row) => loggedPart(row, logged)));
  }
  if (receipts !== undefined) shape.note(" receipt each").value(receipts);
  if (receipt === undefined) return shape;
  const { token, fingerprint, expires } = receipt;
  return shape.note(" receipt").value(token).value(fingerprint).value(expires);
}

/** Whether the log has all fields of the rows. */
function hasRows({ fields }: ResourceModel, logged: readonly string[]): boolean {
  return logged.length === fields.size;
}

function loggedPart(row: Row, logged: readonly string[]): Row {
  return Object.fromEntries(logged.map((name) => [name, row[name] as Json]));
}

/**
 * Plans one statement for all parts of an insert of several rows, of which the database keeps all values unchanged.
 * So it neither reads nor returns what it has stored.
 */
export function planInsertKept(
  dialect: Dialect,
  tables: Tables,
  { resource, names, references, logged, receipt, receipts }: AtOnceInsert,
): StatementPlan<ReadOutcome> {
  const build = createBuild(dialect, tables);
  const { slots } = build;
  const table = tables.of(resource.name);
  const mayChange = dialect.mayChange?.(table) as Sql;
  const conditions = [...buildReferences(build, references), sql`not ${mayChange}`];
  const rows = sharedJson(build, (values) => writtenText(values as readonly Row[]));
  const columns = sql.join(names.map((name) => sql.id(columnOf(table, name).name)));
  const records = recordsOf(build, table, names, rows);
  const parts = [
    // Policies for reading rows hold as for the statement that returns them.
    sql`${sql.id(ROWS)} as (insert into ${tableName(table)} (${columns}) select ${records.values} from ${records.from}${where(conditions)} returning ${keyColumn(table)})`,
    sql`${sql.id(ALL)} as (select case when count(*) = ${number(slots.next())} then true else ${failSkipped} is null end as ok from ${sql.id(ROWS)} having count(*) > 0)`,
  ];
  const keys = logged === undefined && receipt === undefined ? undefined : sharedJson(build);
  if (logged !== undefined) parts.push(buildLog(build, resource, logged, rows, keys as Sql));
  if (receipts !== undefined) {
    const kept = sql`select r.token, r.fingerprint, r.key, r.expires from ${eachReceipt(slots)}`;
    // The order of the tokens prevents deadlocks.
    parts.push(sql`${sql.id(RECEIPT)} as (${insertReceipts()} ${kept} where ${isAll} order by r.token)`);
  }
  if (receipt !== undefined) {
    const values = [text(slots.next()), text(slots.next()), sql`${keys}::text`, number(slots.next())];
    parts.push(sql`${sql.id(RECEIPT)} as (${insertReceipts()} select ${sql.join(values)} where ${isAll})`);
  }
  const outcome = sql`case when ${isAll} then 'inserted' when ${mayChange} then 'changing' else 'missing' end`;
  return {
    statement: sql`with ${sql.join(parts)} select ${outcome}`,
    read: ([row]) => row?.[0] as KeptOutcome,
  };
}

/** The log gets the sent JSON of each row, or of its logged fields. */
function buildLog(build: Build, resource: ResourceModel, logged: readonly string[], rows: Sql, keys: Sql): Sql {
  const { slots } = build;
  const written = number(slots.next());
  const after = hasRows(resource, logged) ? rows : sql`${rowsText(slots)}::json`;
  const from = sql`rows from (json_array_elements(${keys}), json_array_elements(${after})) as l (key, after)`;
  const values = sql`${sql.lit(resource.name)}, 'created', l.key::text, l.after::text, ${written}`;
  return sql`${sql.id(LOG)} as (${insertEvents()} select ${values} from ${from} where ${isAll})`;
}

function keyColumn(table: Table): Sql {
  return sql.id(columnOf(table, table.resource.key[0] as string).name);
}
