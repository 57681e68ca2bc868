import type { FieldModel, ResourceModel } from "@bifocal/core/store";
import type { Dialect } from "../dialect/dialect.ts";
import { isJson } from "../table/column.ts";
import { columnOf, type LinkColumns, type Table, type Tables } from "../table/table.ts";
import { constraintName, uniqueNames } from "./constraint-name.ts";
import { literal } from "./literal.ts";
import { isLongText } from "./long-text.ts";

/** A table that a store needs, in the types of one dialect. */
export interface WantedTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly columns: readonly WantedColumn[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly WantedIndex[];
  readonly indexes: readonly WantedIndex[];
  readonly foreignKeys: readonly WantedForeignKey[];
  /** Columns that migrations never change. */
  readonly keep?: readonly string[] | undefined;
}

export interface WantedColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The database generates the values by counting. */
  readonly isCounted: boolean;
  /** An SQL expression for the value in existing rows. */
  readonly fill?: string;
}

export interface WantedIndex {
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * A hash index serves only equality, and holds values of any length. `gin` means an index of trigrams. Default: a
   * B-tree.
   */
  readonly method?: "hash" | "gin" | undefined;
}

export interface WantedForeignKey {
  readonly name: string;
  readonly column: string;
  readonly target: Pick<Table, "schema" | "name">;
  readonly targetColumn: string;
  /** Deleting a row also deletes its links. */
  readonly cascades: boolean;
}

/** Returns the tables of a store: first those of resources, then those of links. */
export function wantedTables(dialect: Dialect, tables: Tables, foreignKeys: boolean): readonly WantedTable[] {
  const own = tables.resources.map((table) => wantedTable(dialect, tables, table, foreignKeys));
  const names = new Set(own.map(({ schema, name }) => `${schema ?? ""}.${name}`));
  const links = new Map<string, WantedTable>();
  for (const table of tables.resources) {
    for (const relation of table.resource.relations.values()) {
      if (relation.through === undefined) continue;
      const link = tables.link(relation);
      const token = `${link.schema ?? ""}.${link.name}`;
      // A link table may also belong to a resource, and both sides of a relation declare it.
      if (names.has(token) || links.has(token)) continue;
      const ends = [
        { column: link.from, table, field: relation.local },
        { column: link.to, table: tables.of(relation.target), field: relation.foreign },
      ] as const;
      links.set(token, wantedLink(dialect, link, ends, foreignKeys));
    }
  }
  return [...own, ...links.values()];
}

function wantedTable(dialect: Dialect, tables: Tables, table: Table, foreignKeys: boolean): WantedTable {
  const { resource, schema, name } = table;
  const column = (field: string): string => columnOf(table, field).name;
  const references = [...resource.relations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && tables.resources.some((other) => other.resource.name === target),
  );
  const keyed = new Set([...resource.key, ...resource.unique.flat(), ...references.map(({ local }) => local)]);
  const groups = resource.unique.map((fields) => fields.map(column));
  const names = uniqueNames(name, groups);
  return {
    schema,
    name,
    keep: table.keep,
    columns: [...resource.fields.values()].map((field) => {
      const type = dialect.declare(field, keyed.has(field.name));
      const fill = fillOf(dialect, resource, field, type);
      return {
        name: column(field.name),
        type,
        nullable: field.type.nullable,
        isCounted: field.generated?.when === "store",
        ...(fill === undefined ? {} : { fill }),
      };
    }),
    primaryKey: resource.key.map(column),
    uniques: groups.map((columns, at) => ({ name: names[at] as string, columns })),
    indexes: indexesOf(dialect, tables, table, column),
    foreignKeys: foreignKeys
      ? references.map(({ local, foreign, target }) => ({
          name: constraintName(name, [column(local)], "fkey"),
          column: column(local),
          target: tables.of(target),
          targetColumn: columnOf(tables.of(target), foreign).name,
          cascades: false,
        }))
      : [],
  };
}

/** Returns the default of a field, or the initial version of a row, as a literal. */
function fillOf(dialect: Dialect, resource: ResourceModel, field: FieldModel, type: string): string | undefined {
  const value = field.name === resource.version ? 1 : field.default;
  return value === undefined || value === null
    ? undefined
    : literal(dialect.name, dialect.columnType(field, type).encode(value));
}

/**
 * Returns the indexes for the fields by which lists are filtered, sorted and related. Each index ends with the key,
 * because every sort does.
 */
function indexesOf(
  dialect: Dialect,
  tables: Tables,
  { resource, name, trigrams }: Table,
  column: (field: string) => string,
): readonly WantedIndex[] {
  const found = new Map<string, WantedIndex>();
  const leading = new Set([resource.key[0], ...resource.unique.map(([first]) => first)]);
  const add = (field: FieldModel | undefined, relates: boolean): void => {
    if (field === undefined || isJson(field.type) || (leading.has(field.name) && !field.sortable)) return;
    if (field.name === resource.key[0]) return;
    if (!relates && needsHash(dialect, field)) {
      const own = column(field.name);
      found.set(field.name, { name: constraintName(name, [own], "idx"), columns: [own], method: "hash" });
      return;
    }
    const columns = [field.name, ...resource.key.filter((key) => key !== field.name)].map(column);
    found.set(field.name, { name: constraintName(name, [column(field.name)], "idx"), columns });
  };
  for (const field of resource.fields.values()) if (field.filterable || field.sortable) add(field, false);
  for (const { kind, local } of resource.relations.values())
    if (kind === "belongsTo") add(resource.fields.get(local), true);
  for (const foreign of pointedAt(tables, resource)) add(resource.fields.get(foreign), true);
  const ofTrigrams = trigrams.map((field): WantedIndex => {
    const columns = [column(field)];
    return { name: constraintName(name, columns, "trgm"), columns, method: "gin" };
  });
  return dialect.name === "postgres" ? [...found.values(), ...ofTrigrams] : [...found.values()];
}

/**
 * Whether a B-tree of a field would reject long texts, on PostgreSQL. MySQL indexes a prefix, and SQLite any length. A
 * sortable field keeps its B-tree, because no other index is sorted: a text that doesn't fit is rejected with 422.
 */
export function needsHash(dialect: Pick<Dialect, "name">, field: FieldModel): boolean {
  return dialect.name === "postgres" && !field.sortable && isLongText(field);
}

/** Returns the fields by which other resources find the rows of this resource. */
function pointedAt(tables: Tables, resource: ResourceModel): readonly string[] {
  return tables.resources.flatMap((other) =>
    [...other.resource.relations.values()]
      .filter(({ kind, target }) => (kind === "hasMany" || kind === "hasOne") && target === resource.name)
      .map(({ foreign }) => foreign),
  );
}

type Ends = readonly [End, End];
interface End {
  readonly column: string;
  readonly table: Table;
  readonly field: string;
}

function wantedLink(
  dialect: Dialect,
  { schema, name, from, to, keep }: LinkColumns,
  ends: Ends,
  foreignKeys: boolean,
): WantedTable {
  const columns = ends.map(({ column, table, field }) => ({
    name: column,
    type: dialect.declare(columnOf(table, field).field, true),
    nullable: false,
    isCounted: false,
  }));
  const keys = ends.map(({ column, table, field }) => ({
    name: constraintName(name, [column], "fkey"),
    column,
    target: table,
    targetColumn: columnOf(table, field).name,
    cascades: true,
  }));
  return {
    schema,
    name,
    keep,
    columns,
    primaryKey: [from, to],
    uniques: [],
    // For lookups from the other side.
    indexes: [{ name: constraintName(name, [to], "idx"), columns: [to, from] }],
    foreignKeys: foreignKeys ? keys : [],
  };
}
