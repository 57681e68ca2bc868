import type { Dialect } from "../dialect/dialect.ts";
import { eventTables } from "../outbox/event-tables.ts";
import { column, KEY, NAME, NUMBER, TEXT } from "./column-types.ts";
import type { WantedTable } from "./wanted.ts";

/** Receipts of writes by token (ADR 7). */
export const RECEIPTS = "bifocal_receipt";

/** The store's own tables. */
export function systemTables({ name }: Dialect): readonly WantedTable[] {
  return [
    {
      schema: undefined,
      name: RECEIPTS,
      columns: [
        column("token", KEY[name]),
        column("fingerprint", TEXT[name]),
        column("value", TEXT[name]),
        column("expires", NUMBER[name]),
      ],
      primaryKey: ["token"],
      uniques: [],
      indexes: [{ name: "bifocal_receipt_expires_idx", columns: ["expires"] }],
      foreignKeys: [],
    },
    ...eventTables(name, { text: TEXT[name], name: KEY[name], number: NUMBER[name] }),
  ];
}

/** The applied migrations. `bifocal db apply` creates this table. */
export function migrationTable({ name }: Dialect): WantedTable {
  return {
    schema: undefined,
    name: "bifocal_migration",
    columns: [column("name", NAME[name]), column("checksum", KEY[name]), column("applied_at", KEY[name])],
    primaryKey: ["name"],
    uniques: [],
    indexes: [],
    foreignKeys: [],
  };
}
