import { sql } from "kysely";
import { sequenceTable } from "../../schema/alter-columns.ts";
import { slot } from "../../statement/slot.ts";
import type { Column } from "../../table/column.ts";
import type { Table } from "../../table/table.ts";
import type { Sql } from "../dialect.ts";

/**
 * Advances the sequence that belongs to the column. Does nothing if there is no such sequence or the database user has
 * no permission to set it.
 */
export function countOn(table: Pick<Table, "schema" | "name">, column: Column, index: number): Sql {
  const value = sql`${slot(index, (given) => given)}::bigint`;
  const own = sql`pg_get_serial_sequence(${sql.lit(sequenceTable(table))}, ${sql.lit(column.name)})::regclass`;
  return sql`select setval(own, ${value}) from (select ${own} as own) as s where case
    when own is null or not has_sequence_privilege(own, 'update') then false
    else coalesce(pg_sequence_last_value(own), 0) < ${value} end`;
}
