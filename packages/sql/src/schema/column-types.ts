import type { DialectName } from "../dialect/dialect.ts";
import type { WantedColumn } from "./wanted.ts";

/** Text of any length. */
export const TEXT: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "longtext character set utf8mb4",
  sqlite: "text",
};
/** Text in ASCII that is found by an index. */
export const KEY: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "varchar(255) character set ascii collate ascii_bin",
  sqlite: "text",
};
/** Text that is found by an index. */
export const NAME: Readonly<Record<DialectName, string>> = {
  postgres: "text",
  mysql: "varchar(255) character set utf8mb4 collate utf8mb4_bin",
  sqlite: "text",
};
/** Whole numbers that JavaScript holds. */
export const NUMBER: Readonly<Record<DialectName, string>> = { postgres: "bigint", mysql: "bigint", sqlite: "integer" };

/** A column that is always there. */
export function column(name: string, type: string): WantedColumn {
  return { name, type, nullable: false, isCounted: false };
}
