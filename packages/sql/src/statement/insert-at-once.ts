import type { InsertAtOnceCommand, Json, Key, KeysQuery, ResourceModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { EVENTS } from "../outbox/event-tables.ts";
import { RECEIPTS } from "../schema/system-tables.ts";
import { type Column, encodeOr } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { addKey, isKey, type ReadRows } from "./read-keys.ts";
import { where } from "./read-list.ts";
import { isInKeys } from "./row-values.ts";
import { type Build, createBuild, createScope, refOf, type Scope, tableAs, tableName } from "./scope.ts";
import { rowReader, selectColumns, selectList } from "./select.ts";
import { slot } from "./slot.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { StatementShape } from "./statement-shape.ts";
import { insertedValue } from "./write.ts";

/** A command with the fields that all of its rows write. */
export interface AtOnceInsert extends InsertAtOnceCommand {
  readonly names: readonly string[];
}

/** Names that the tables of an application won't have. */
const [ROWS, LOG, RECEIPT, VALUES] = ["bifocal_rows", "bifocal_log", "bifocal_kept", "bifocal_values"];

const eligible = new WeakMap<Table, boolean>();

/** Whether one statement can insert rows of a table, log them and write their receipt. */
export function canInsertAtOnce({ writtenAs, loggedText }: Dialect, table: Table): boolean {
  if (writtenAs === undefined || loggedText === undefined) return false;
  let isEligible = eligible.get(table);
  if (isEligible === undefined) {
    isEligible = [...table.columns.values()].every(
      (column) => writtenAs(column) !== undefined && loggedText(column, sql``) !== undefined,
    );
    eligible.set(table, isEligible);
  }
  return isEligible;
}

/** Adds the values in the order in which the statement takes them. */
export function insertAtOnceShape(
  dialect: Dialect,
  { resource, rows, names, references, logged, receipt }: AtOnceInsert,
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
  for (const name of names) {
    if (only !== undefined) shape.value(insertedValue(resource, name, only));
    else shape.value(rows.map((row) => insertedValue(resource, name, row)));
  }
  if (logged !== undefined) shape.note(` log ${logged.join()}`).value(Date.now());
  if (receipt === undefined) return shape;
  const { token, fingerprint, expires, isBatch } = receipt;
  return shape
    .note(isBatch ? " receipts" : " receipt")
    .value(token)
    .value(fingerprint)
    .value(expires);
}

/**
 * Plans one statement for all parts of an insert. It inserts nothing if a reference is missing. The log and the receipt
 * are written from the inserted rows, because the database may change values.
 */
export function planInsertAtOnce(
  dialect: Dialect,
  tables: Tables,
  { resource, rows, names, references, logged, receipt }: AtOnceInsert,
): StatementPlan<ReadRows> {
  const build = createBuild(dialect, tables);
  const table = tables.of(resource.name);
  const inserted: Scope = { table, alias: ROWS, value: (field) => refOf(ROWS, columnOf(table, field)) };
  const conditions = references.map((query) => referenceExists(build, query));
  const parts = [buildInsert(build, table, names, rows.length, conditions)];
  if (logged !== undefined) parts.push(buildLog(build, inserted, logged));
  if (receipt !== undefined) parts.push(buildReceipt(build, inserted, receipt.isBatch));
  const columns = selectColumns(table);
  const readRow = rowReader(columns);
  return {
    statement: sql`with ${sql.join(parts)} select ${sql.join(selectList(dialect, inserted, columns))} from ${sql.id(ROWS)}`,
    read: (read) => read.map(readRow),
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

/** A single row has a parameter for each column, several rows have a list for each column. */
function buildInsert(
  { dialect, slots }: Build,
  table: Table,
  names: readonly string[],
  count: number,
  conditions: readonly Sql[],
): Sql {
  const columns = names.map((name) => columnOf(table, name));
  const into = sql`insert into ${tableName(table)} (${sql.join(columns.map(({ name }) => sql.id(name)))})`;
  const typeOf = (column: Column): string => dialect.writtenAs?.(column) as string;
  const written = columns.map((column) => {
    const encode = (value: Json): unknown => encodeOr(column, value);
    if (count === 1) return sql`${slot(slots.next(), encode)}::${sql.raw(typeOf(column))}`;
    const list = slot(slots.next(), (values) => (values as readonly Json[]).map(encode));
    return sql`${list}::${sql.raw(typeOf(column))}[]`;
  });
  const values =
    count === 1
      ? sql`select ${sql.join(written)}`
      : sql`select * from unnest(${sql.join(written)}) as ${sql.id(VALUES)}`;
  const returned = sql.join([...table.columns.values()].map(({ name }) => sql.id(name)));
  return sql`${sql.id(ROWS)} as (${into} ${values}${where(conditions)} returning ${returned})`;
}

function buildLog({ slots, dialect }: Build, inserted: Scope, logged: readonly string[]): Sql {
  const { resource } = inserted.table;
  const members = logged.map((name, at) => {
    const before = `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    return sql`${sql.lit(before)} || coalesce(${textOf(dialect, inserted, name)}, 'null')`;
  });
  const after = sql`${sql.join(members, sql` || `)} || '}'`;
  const columns = sql.join(["resource", "kind", "key", "after", "written"].map((name) => sql.id(name)));
  const values = sql`${sql.lit(resource.name)}, 'created', ${keyText(dialect, inserted)}, ${after}, ${number(slots.next())}`;
  return sql`${sql.id(LOG)} as (insert into ${sql.id(EVENTS)} (${columns}) select ${values} from ${sql.id(ROWS)})`;
}

function buildReceipt({ slots, dialect }: Build, inserted: Scope, isBatch: boolean): Sql {
  const key = keyText(dialect, inserted);
  const value = isBatch ? sql`'[' || string_agg(${key}, ',') || ']'` : key;
  const kept = sql.join([text(slots.next()), text(slots.next()), value, number(slots.next())]);
  // Without a row, there is no receipt.
  const all = isBatch ? sql` having count(*) > 0` : sql``;
  return sql`${sql.id(RECEIPT)} as (insert into ${sql.id(RECEIPTS)} (token, fingerprint, value, expires) select ${kept} from ${sql.id(ROWS)}${all})`;
}

/** Returns the JSON of a row's key. */
function keyText(dialect: Dialect, inserted: Scope): Sql {
  const { key }: ResourceModel = inserted.table.resource;
  const parts = key.map((name) => textOf(dialect, inserted, name));
  return parts.length === 1 ? (parts[0] as Sql) : sql`'[' || ${sql.join(parts, sql` || ',' || `)} || ']'`;
}

function textOf({ loggedText }: Dialect, { table, value }: Scope, name: string): Sql {
  return loggedText?.(columnOf(table, name), value(name)) as Sql;
}

const same = (value: Json): Json => value;

function text(index: number): Sql {
  return sql`${slot(index, same)}::text`;
}

function number(index: number): Sql {
  return sql`${slot(index, same)}::bigint`;
}
