import { writtenText } from "@bifocal/core/internal";
import type { InsertAtOnceCommand, Json, Key, KeysQuery, Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { EVENTS } from "../outbox/event-tables.ts";
import { RECEIPTS } from "../schema/system-tables.ts";
import type { Column } from "../table/column.ts";
import { columnOf, type Table } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { addKey, isKey } from "./read-keys.ts";
import { where } from "./read-list.ts";
import { isInKeys } from "./row-values.ts";
import { type Build, createScope, tableAs } from "./scope.ts";
import { sharedSlot, slot, type Slots } from "./slot.ts";
import type { StatementShape } from "./statement-shape.ts";

/** A command with the fields that all of its rows write. Its rows have versions. */
export interface AtOnceInsert extends InsertAtOnceCommand {
  readonly names: readonly string[];
  /** A receipt for each row, instead of one for all. */
  readonly receipts?: readonly RowReceipt[];
}

/** The receipt of one row. `key` is the JSON of its key. */
export type RowReceipt = Readonly<Record<"key" | "token" | "fingerprint", string> & { expires: number }>;

/** Names that the tables of an application won't have. */
export const [LOG, RECEIPT] = ["bifocal_log", "bifocal_kept"];
const VALUES = "bifocal_values";

/** Adds the values of `buildReferences`. */
export function addReferences(shape: StatementShape, references: readonly KeysQuery[]): void {
  for (const { resource: target, keys, filter } of references) {
    shape.note(` ${target.name}`);
    const [key] = keys as readonly [Key];
    if (keys.length === 1) addKey(shape, key).filter(filter);
    else shape.list(keys).filter(filter).value(keys.length);
  }
}

/** Returns the conditions that all referenced rows exist. */
export function buildReferences(build: Build, references: readonly KeysQuery[]): readonly Sql[] {
  return references.map((query) => referenceExists(build, query));
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

/** Several rows are one JSON text, which takes less time to write and to send than a parameter for each value. */
export function rowsText(slots: Slots): Sql {
  return sql`${slot(slots.next(), (rows) => writtenText(rows as readonly Row[]))}::text`;
}

/** Returns a value as JSON that a statement sends once for all its parts. */
export function sharedJson({ dialect, slots }: Build, write: (value: Json) => string = JSON.stringify): Sql {
  return dialect.asJson?.(sharedSlot(slots.next(), write)) as Sql;
}

/** Returns the rows of a JSON value as a table, and the values of their columns. */
export function recordsOf(
  { dialect }: Build,
  table: Table,
  names: readonly string[],
  rows: Sql,
): Readonly<Record<"from" | "values", Sql>> {
  const columns = names.map((name) => sql`${sql.id(name)} ${typeOf(dialect, columnOf(table, name))}`);
  return {
    from: sql`json_to_recordset(${rows}) as ${sql.id(VALUES)} (${sql.join(columns)})`,
    values: sql.join(names.map((name) => sql.id(VALUES, name))),
  };
}

export function insertEvents(): Sql {
  const columns = sql.join(["resource", "kind", "key", "after", "written"].map((column) => sql.id(column)));
  return sql`insert into ${sql.id(EVENTS)} (${columns})`;
}

export function insertReceipts(): Sql {
  return sql`insert into ${sql.id(RECEIPTS)} (token, fingerprint, value, expires)`;
}

/** Returns the receipts of the rows as a table `r`. */
export function eachReceipt(slots: Slots): Sql {
  const given = sql`${slot(slots.next(), (receipts) => JSON.stringify(receipts))}::text::json`;
  return sql`json_to_recordset(${given}) as r (key text, token text, fingerprint text, expires bigint)`;
}

export function typeOf({ writtenAs }: Dialect, column: Column): Sql {
  return sql.raw(writtenAs?.(column) as string);
}

const same = (value: Json): Json => value;

export function text(index: number): Sql {
  return sql`${slot(index, same)}::text`;
}

export function number(index: number): Sql {
  return sql`${slot(index, same)}::bigint`;
}
