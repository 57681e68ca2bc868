import type { DialectName } from "../dialect/dialect.ts";
import type { WantedColumn } from "./wanted.ts";

/** Text of any length. */
export const TEXT: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "longtext character set utf8mb4",
  sqlite: "text",
};
/** ASCII text that can be indexed. */
export const KEY: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "varchar(255) character set ascii collate ascii_bin",
  sqlite: "text",
};
/** Text that can be indexed. */
export const NAME: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "varchar(255) character set utf8mb4 collate utf8mb4_bin",
  sqlite: "text",
};
/** Integers in the safe range of JavaScript. */
export const NUMBER: Readonly<Record<DialectName, string>> = { postgres: "bigint", mysql: "bigint", sqlite: "integer" };

/** Returns a column that isn't nullable. */
export function column(name: string, type: string): WantedColumn {
  return { name, type, nullable: false, isCounted: false };
}
