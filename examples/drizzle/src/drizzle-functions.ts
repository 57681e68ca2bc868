import type { ResourceFunctions } from "@bifocal/core";
import type { Filter } from "@bifocal/core/store";
import { and, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

/**
 * A resource behind Drizzle. It passes on every filter that Drizzle supports. For others it returns too many rows,
 * which is allowed: Bifocal filters, sorts and limits the result.
 */
export function drizzleFunctions(db: Database, table: SQLiteTable, key: SQLiteColumn): ResourceFunctions {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
  return {
    list: async ({ filter }) =>
      db
        .select()
        .from(table)
        .where(filter && toSql(filter, columns)),
    getMany: async (ids) =>
      db
        .select()
        .from(table)
        .where(inArray(key, [...ids])),
    create: async (row) => first(await db.insert(table).values(row).returning()),
    update: async (id, changes) => first(await db.update(table).set(changes).where(eq(key, id)).returning()),
    delete: async (id) => {
      await db.delete(table).where(eq(key, id));
    },
  };
}

function first(rows: unknown): object {
  const [row] = rows as object[];
  if (row === undefined) throw new Error("The row has gone meanwhile.");
  return row;
}

/**
 * Returns a condition that is true for every matching row, and possibly for others. Returns `undefined` for all rows.
 */
function toSql(filter: Filter, columns: Readonly<Record<string, SQLiteColumn>>): SQL | undefined {
  if (filter.kind === "and") return and(...filter.filters.map((inner) => toSql(inner, columns)));
  if (filter.kind === "or") {
    const parts = filter.filters.map((inner) => toSql(inner, columns));
    // If one part of an `or` cannot be translated, the whole condition can match any row.
    return parts.includes(undefined) ? undefined : or(...parts);
  }
  if (filter.kind !== "compare") return undefined;
  const column = columns[filter.field];
  return column === undefined ? undefined : comparison(column, filter.operator, filter.value);
}

function comparison(column: SQLiteColumn, operator: string, value: unknown): SQL | undefined {
  switch (operator) {
    case "eq":
      return eq(column, value);
    case "in":
      return inArray(column, value as unknown[]);
    case "lt":
      return lt(column, value);
    case "lte":
      return lte(column, value);
    case "gt":
      return gt(column, value);
    case "gte":
      return gte(column, value);
    case "isNull":
      return value === true ? isNull(column) : isNotNull(column);
    default:
      return undefined;
  }
}
