import type { DialectName } from "../dialect/dialect.ts";

/** Returns a value as an SQL literal, for statements that can't have parameters. */
export function literal(dialect: DialectName, value: unknown): string {
  switch (typeof value) {
    case "number":
    case "bigint":
      return String(value);
    case "boolean":
      return dialect === "postgres" ? String(value) : String(Number(value));
    default: {
      const text = String(value).replaceAll("'", "''");
      return `'${dialect === "mysql" ? text.replaceAll("\\", "\\\\") : text}'`;
    }
  }
}
