import {
  compareAsDecimal,
  type FieldModel,
  isDecimal as isDecimalText,
  type Json,
  type LinkTable,
  type Model,
  type RelationModel,
  type ResourceModel,
} from "@bifocal/core/store";
import type { Dialect } from "../dialect/dialect.ts";
import { type Column, isDecimalColumn } from "./column.ts";
import type { Found, FoundColumn } from "./found.ts";
import { namingRules, type Naming, splitName, type TableOptions } from "./naming.ts";
import type { LinkColumns, Table, Tables } from "./table.ts";

export interface NamingOptions {
  readonly naming?: Naming | undefined;
  readonly tables?: Readonly<Record<string, TableOptions>> | undefined;
  /** Link tables by the name of `through`, with columns by the names of `from` and `to`. */
  readonly links?: Readonly<Record<string, TableOptions>> | undefined;
}

/** Resolves the database names of everything that a store's resources need. */
export function resolveNames(resources: readonly ResourceModel[], options: NamingOptions): readonly NamedTable[] {
  const rules = namingRules(options.naming);
  return resources.map((resource) => {
    const { table, columns = {}, keep = [], trigrams = [] } = options.tables?.[resource.name] ?? {};
    const names = new Map<string, string>();
    for (const field of resource.fields.keys()) names.set(field, columns[field] ?? rules.column(field, resource));
    return { resource, ...splitName(table ?? rules.table(resource)), columns: names, keep, trigrams };
  });
}

export interface NamedTable {
  readonly resource: ResourceModel;
  readonly schema: string | undefined;
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly keep: readonly string[];
  readonly trigrams: readonly string[];
}

/** Resolves the names of all link tables. */
export function resolveLinks(named: readonly NamedTable[], options: NamingOptions): ReadonlyMap<string, LinkColumns> {
  const found = new Map<string, LinkColumns>();
  for (const { resource } of named) {
    for (const { through } of resource.relations.values()) {
      if (through !== undefined) found.set(linkToken(through), linkColumns(through, options));
    }
  }
  return found;
}

export function linkColumns(through: LinkTable, { naming, links = {} }: NamingOptions): LinkColumns {
  const rules = namingRules(naming);
  const { table, columns = {}, keep = [] } = links[through.name] ?? {};
  const named = (names: readonly string[]): readonly string[] => names.map((one) => columns[one] ?? rules.link(one));
  const [from, to] = [named(through.from), named(through.to)];
  return { through, ...splitName(table ?? rules.link(through.name)), from, to, keep };
}

function linkToken({ name, from, to }: LinkTable): string {
  return `${name} ${from.join()} ${to.join()}`;
}

/** Combines the names with the tables found in the database. */
export function resolveTables(
  dialect: Dialect,
  named: readonly NamedTable[],
  links: ReadonlyMap<string, LinkColumns>,
  found: Found,
  model: Model,
): Tables {
  const tables = new Map<string, Table>();
  for (const { resource, schema, name, columns, keep, trigrams } of named) {
    const there = found.get(fullName({ schema, name }));
    const own = new Map<string, Column>();
    const searched = searchedFields(model, resource);
    for (const field of resource.fields.values()) {
      const column = columns.get(field.name) as string;
      const made = createColumn(dialect, field, column, there?.get(column));
      const words = searched.has(field.name) ? dialect.findWords?.(found, { schema, name }, column) : undefined;
      own.set(field.name, words === undefined ? made : { ...made, words });
    }
    tables.set(resource.name, { resource, schema, name, columns: own, keep, trigrams, searched });
  }
  const get = (resource: string): Table => {
    const table = tables.get(resource);
    if (table === undefined) throw new Error(`The resource '${resource}' is in another store.`);
    return table;
  };
  return {
    of: get,
    link: ({ through }: RelationModel) => linkOf(links, through as LinkTable),
    resources: [...tables.values()],
    links: [...links.values()],
  };
}

/** Returns the fields of a resource that its own search or that of another resource looks for words in. */
export function searchedFields(model: Model, { name }: ResourceModel): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const { search, relations, name: from } of model.resources.values()) {
    for (const [first, second] of search) {
      if (second === undefined && from === name) fields.add(first);
      else if (second !== undefined && relations.get(first)?.target === name) fields.add(second);
    }
  }
  return fields;
}

/** Returns the name of the column that holds the words of a text. PostgreSQL truncates names at 63 bytes. */
export function wordsColumn(column: string): string {
  return `${column.slice(0, 50)}_words`;
}

/** Returns the link table of a relation or of its inverse, even if only the other side declares it. */
function linkOf(links: ReadonlyMap<string, LinkColumns>, through: LinkTable): LinkColumns {
  const own = links.get(linkToken(through));
  if (own !== undefined) return own;
  const declared = links.get(linkToken({ ...through, from: through.to, to: through.from })) as LinkColumns;
  return { ...declared, through, from: declared.to, to: declared.from };
}

export function fullName({ schema, name }: { readonly schema: string | undefined; readonly name: string }): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

function createColumn(dialect: Dialect, field: FieldModel, name: string, there: FoundColumn | undefined): Column {
  const declared = there?.declared ?? dialect.declare(field, false);
  const isDecimal = isDecimalColumn(field, declared);
  if (isDecimal) compareAsDecimal(field);
  const type = dialect.columnType(field, declared);
  const numbers = isDecimal
    ? { accepts: (value: Json) => isDecimalText(value as string) && type.accepts?.(value) !== false }
    : {};
  const { nullable = true, exact = true } = there ?? {};
  return { field, name, declared, nullable, isDecimal, exact, ...type, ...numbers };
}
