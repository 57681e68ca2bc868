import type { Json, Key, KeysQuery, Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { where } from "./read-list.ts";
import { isInKeys } from "./row-values.ts";
import { type Build, createBuild, createScope, type Scope, tableAs } from "./scope.ts";
import { numbersIn, rowReader, selectColumns, selectList, selectValues } from "./select.ts";
import { StatementShape } from "./statement-shape.ts";

export type ReadRows = (rows: readonly (readonly unknown[])[]) => readonly Row[];

/** Returns the keys whose values fit into the columns. No row can have any other key. */
export function possibleKeys(table: Table, keys: readonly Key[]): readonly Key[] {
  const columns = table.resource.key.map((name) => columnOf(table, name));
  if (columns.every(({ accepts }) => accepts === undefined)) return keys;
  return keys.filter((key) => columns.every(({ accepts }, at) => accepts?.(partOf(key, at)) ?? true));
}

export function keysShape(
  dialect: Dialect,
  { resource, keys, filter, fields, relatedValues }: KeysQuery,
  lock: string,
): StatementShape {
  const shape = new StatementShape(dialect, `keys${lock} ${resource.name} `).fields(fields);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) addKey(shape.note("1"), only);
  else shape.list(keys);
  return shape.filter(filter).relatedValues(relatedValues);
}

/** Adds each value of a key separately. */
export function addKey(shape: StatementShape, key: Key): StatementShape {
  if (typeof key === "object") for (const part of key) shape.value(part);
  else shape.value(key);
  return shape;
}

function partOf(key: Key, at: number): Json {
  return typeof key === "object" ? (key[at] as Json) : key;
}

export function planKeys(
  dialect: Dialect,
  tables: Tables,
  { resource, keys, filter, fields, relatedValues }: KeysQuery,
  lock: Sql | undefined,
): StatementPlan<ReadRows> {
  const build = createBuild(dialect, tables);
  const scope = createScope(build, tables.of(resource.name));
  const own = selectColumns(scope.table, fields);
  const conditions = [buildKeys(build, scope, keys)];
  if (filter !== undefined) conditions.push(buildFilter(build, scope, filter));
  const values = selectValues(build, scope, relatedValues, own.length);
  const list = sql.join([...selectList(dialect, scope, own), ...values.list]);
  const columns = [...own, ...values.columns];
  const readRow = rowReader(columns);
  return {
    statement: sql`select ${list} from ${tableAs(scope)}${where(conditions)}${lock ?? sql``}`,
    read: (rows) => rows.map(readRow),
    numbers: numbersIn(columns),
  };
}

function buildKeys(build: Build, scope: Scope, keys: readonly Key[]): Sql {
  const { dialect, slots } = build;
  if (keys.length === 1) return isKey(build, scope);
  const { key } = scope.table.resource;
  const columns = key.map((name) => columnOf(scope.table, name));
  const list = { index: slots.next(), slots: dialect.slotsOf(keys.length) };
  return isInKeys(dialect, columns, key.map(scope.value), list);
}

/** Returns the condition that a row has a key, whose parts are separate values. */
export function isKey({ dialect, slots }: Build, scope: Scope): Sql {
  const parts = scope.table.resource.key.map((name) => {
    const column = columnOf(scope.table, name);
    const value = dialect.equated(column, scope.value(name));
    return sql`${value} = ${dialect.operand(column, slots.next())}`;
  });
  return parts.length === 1 ? (parts[0] as Sql) : sql`(${sql.join(parts, sql` and `)})`;
}
