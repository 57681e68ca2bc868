import type { Dialect } from "../dialect/dialect.ts";
import { column, KEY, NUMBER, TEXT } from "../schema/column-types.ts";
import type { WantedTable } from "../schema/wanted.ts";

/** Returns the table of requests with an `Idempotency-Key` and their responses. */
export function idempotencyTable({ name }: Pick<Dialect, "name">, table: string): WantedTable {
  return {
    schema: undefined,
    name: table,
    columns: [
      column("token", KEY[name]),
      column("fingerprint", KEY[name]),
      column("lease", NUMBER[name]),
      column("expires", NUMBER[name]),
      { ...column("answer", TEXT[name]), nullable: true },
    ],
    primaryKey: ["token"],
    uniques: [],
    indexes: [{ name: `${table}_expires_idx`, columns: ["expires"] }],
    foreignKeys: [],
  };
}
