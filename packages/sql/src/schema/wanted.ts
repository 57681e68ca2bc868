import type { FieldModel, RelationModel, ResourceModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { unindexedColumn, WORDS_TYPE } from "../dialect/mysql/mysql-words-index.ts";
import { isJson } from "../table/column.ts";
import { wordsColumn } from "../table/resolve-tables.ts";
import { columnOf, type LinkColumns, type Table, type Tables } from "../table/table.ts";
import { constraintName, indexName, uniqueNames } from "./constraint-name.ts";
import { literal } from "./literal.ts";
import { livingColumn, partialOn, uniqueGroups } from "./living.ts";
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
  /** Columns whose words are in a table of their own. */
  readonly words?: readonly string[];
  readonly policy?: WantedPolicy | undefined;
}

/** A policy that limits the rows of a table to those of a tenant. */
export interface WantedPolicy {
  /** Contains a hash of the condition, because PostgreSQL reports conditions in another notation. */
  readonly name: string;
  readonly using: Sql;
}

export interface WantedColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The database generates the values by counting. */
  readonly isCounted: boolean;
  /** The expression of a generated column. */
  readonly generated?: Sql;
  /** An SQL expression for the value in existing rows. */
  readonly fill?: string;
  /** The SQL expression that the database computes the value from. */
  readonly computed?: string;
}

export interface WantedIndex {
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * A hash index serves only equality, and holds values of any length. `gin` means an index of trigrams, or of the words
   * in a `tsvector`. `fulltext` means an index of words on MySQL. Default: a B-tree.
   */
  readonly method?: "hash" | "gin" | "fulltext" | undefined;
  /** The column that is null in the rows of a partial index. Default: the index has all rows. */
  readonly living?: string | undefined;
}

export interface WantedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: Pick<Table, "schema" | "name">;
  readonly targetColumns: readonly string[];
  /** Deleting a row also deletes its links. */
  readonly cascades: boolean;
  /** Whether a reference that cascades has the same effect, because the relation deletes the rows anyway. */
  readonly mayCascade?: boolean;
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
        { columns: link.from, table, fields: relation.local },
        { columns: link.to, table: tables.of(relation.target), fields: relation.foreign },
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
  const keyed = new Set([...resource.key, ...resource.unique.flat(), ...references.flatMap(({ local }) => local)]);
  const living = livingColumn(dialect, table);
  const groups = uniqueGroups(dialect, table);
  const names = uniqueNames(name, groups);
  return {
    schema,
    name,
    keep: table.keep,
    ...(dialect.hasWordsTables === true && schema === undefined && table.searched.size > 0
      ? { words: [...table.searched].map(column).sort() }
      : {}),
    columns: [
      ...[...resource.fields.values()].map((field) => {
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
      ...(living === undefined ? [] : [living]),
      ...wordsColumns(dialect, table),
    ],
    primaryKey: resource.key.map(column),
    uniques: groups.map((columns, at) => ({ name: names[at] as string, columns, living: partialOn(dialect, table) })),
    indexes: indexesOf(dialect, tables, table, column),
    foreignKeys: foreignKeys
      ? references.filter(hasForeignKey(tables)).map(({ local, foreign, target, onDelete }) => ({
          name: constraintName(name, local.map(column), "fkey"),
          columns: local.map(column),
          target: tables.of(target),
          targetColumns: foreign.map((field) => columnOf(tables.of(target), field).name),
          cascades: false,
          mayCascade: onDelete === "cascade",
        }))
      : [],
  };
}

/** A unique group of living rows isn't unique in the table, so no foreign key can reference it. */
function hasForeignKey(tables: Tables) {
  return ({ target, toKey }: RelationModel): boolean => toKey || tables.of(target).resource.softDelete === undefined;
}

/** Returns the searched fields whose words can have a column, because no field has a column with its name. */
function wordFields({ searched, columns }: Table): readonly string[] {
  const names = new Set(Array.from(columns.values(), ({ name }) => name));
  return [...searched].filter((field) => {
    const words = wordsColumn(columns.get(field)?.name ?? field);
    return !names.has(words) && !names.has(unindexedColumn(words));
  });
}

/** Returns the columns that hold the words of the searched fields. */
function wordsColumns({ words, isUnindexed }: Dialect, table: Table): readonly WantedColumn[] {
  if (isUnindexed !== undefined) {
    const rest = { nullable: true, isCounted: false };
    return wordFields(table).flatMap((field): readonly WantedColumn[] => {
      const { name } = columnOf(table, field);
      const own = wordsColumn(name);
      return [
        { name: own, type: WORDS_TYPE, ...rest },
        { name: unindexedColumn(own), type: "int", generated: isUnindexed(name), ...rest },
      ];
    });
  }
  if (words === undefined) return [];
  return wordFields(table).map((field): WantedColumn => {
    const { name } = columnOf(table, field);
    return {
      name: wordsColumn(name),
      type: "tsvector",
      nullable: true,
      isCounted: false,
      generated: words(sql.id(name)),
    };
  });
}

/** Returns the default of a field, or the initial version of a row, as a literal. */
function fillOf(dialect: Dialect, resource: ResourceModel, field: FieldModel, type: string): string | undefined {
  const value = field.name === resource.version ? 1 : field.default;
  return value === undefined || value === null
    ? undefined
    : literal(dialect.name, dialect.columnType(field, type).encode(value));
}

/**
 * Returns the indexes for the fields by which lists are filtered, sorted, related and limited to a tenant. Each index
 * ends with the key, because every sort does.
 */
function indexesOf(
  dialect: Dialect,
  tables: Tables,
  table: Table,
  column: (field: string) => string,
): readonly WantedIndex[] {
  const { resource, name, trigrams } = table;
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
  /** Skips fields that an index of the key or of a unique group starts with. */
  const addGroup = (fields: readonly string[]): void => {
    const starts = (group: readonly string[]): boolean =>
      group.length >= fields.length && fields.every((name) => group.indexOf(name) in fields);
    if ([resource.key, ...resource.unique].some(starts)) return;
    const columns = [...fields, ...resource.key.filter((key) => !fields.includes(key))].map(column);
    found.set(fields.join(), { name: indexName(name, fields.map(column)), columns });
  };
  // Entries are read by their row, and an index by each field would slow down every write of a row. Old ones are deleted
  // by their time.
  const isHistory = resource.historyOf !== undefined;
  for (const field of resource.fields.values())
    if (isHistory ? resource.keepFor !== undefined && field.name === "at" : field.filterable || field.sortable)
      add(field, false);
  const relate = (fields: readonly string[]): void => {
    if (fields.length === 1) add(resource.fields.get(fields[0] as string), true);
    else addGroup(fields);
  };
  for (const { kind, local } of resource.relations.values()) if (kind === "belongsTo") relate(local);
  for (const foreign of pointedAt(tables, resource)) relate(foreign);
  const { tenant } = resource;
  if (tenant !== undefined && !isHistory) {
    const own = column(tenant.field);
    if (![...found.values()].some(({ columns }) => columns[0] === own)) relate([tenant.field]);
  }
  const ofTrigrams = trigrams.map((field): WantedIndex => {
    const columns = [column(field)];
    return { name: constraintName(name, columns, "trgm"), columns, method: "gin" };
  });
  const indexes = [...found.values(), ...wordsIndexes(dialect, table)];
  return dialect.name === "postgres" ? [...indexes, ...ofTrigrams] : indexes;
}

function wordsIndexes(dialect: Dialect, table: Table): readonly WantedIndex[] {
  const { name, resource } = table;
  if (dialect.words === undefined && dialect.isUnindexed === undefined) return [];
  return wordFields(table).flatMap((field): readonly WantedIndex[] => {
    const words = wordsColumn(columnOf(table, field).name);
    const index = { name: constraintName(name, [words], "idx"), columns: [words] };
    if (dialect.isUnindexed === undefined) return [{ ...index, method: "gin" }];
    const unindexed = [unindexedColumn(words), ...resource.key.map((key) => columnOf(table, key).name)];
    return [
      { ...index, method: "fulltext" },
      { name: indexName(name, unindexed.slice(0, 1)), columns: unindexed },
    ];
  });
}

/**
 * Whether a B-tree of a field would reject long texts, on PostgreSQL. MySQL indexes a prefix, and SQLite any length. A
 * sortable field keeps its B-tree, because no other index is sorted: a text that doesn't fit is rejected with 422.
 */
export function needsHash(dialect: Pick<Dialect, "name">, field: FieldModel): boolean {
  return dialect.name === "postgres" && !field.sortable && isLongText(field);
}

/** Returns the lists of fields by which other resources find the rows of this resource. */
function pointedAt(tables: Tables, resource: ResourceModel): readonly (readonly string[])[] {
  return tables.resources.flatMap((other) =>
    [...other.resource.relations.values()]
      .filter(({ kind, target }) => (kind === "hasMany" || kind === "hasOne") && target === resource.name)
      .map(({ foreign }) => foreign),
  );
}

type Ends = readonly [End, End];
interface End {
  readonly columns: readonly string[];
  readonly table: Table;
  readonly fields: readonly string[];
}

function wantedLink(
  dialect: Dialect,
  { schema, name, from, to, keep }: LinkColumns,
  ends: Ends,
  foreignKeys: boolean,
): WantedTable {
  const columns = ends.flatMap((end) =>
    end.columns.map((column, at) => ({
      name: column,
      type: dialect.declare(columnOf(end.table, end.fields[at] as string).field, true),
      nullable: false,
      isCounted: false,
    })),
  );
  const keys = ends.map((end) => ({
    name: constraintName(name, end.columns, "fkey"),
    columns: end.columns,
    target: end.table,
    targetColumns: end.fields.map((field) => columnOf(end.table, field).name),
    cascades: true,
  }));
  return {
    schema,
    name,
    keep,
    columns,
    primaryKey: [...from, ...to],
    uniques: [],
    // For lookups from the other side.
    indexes: [{ name: indexName(name, to), columns: [...to, ...from] }],
    foreignKeys: foreignKeys ? keys : [],
  };
}
