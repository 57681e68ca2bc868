import type {
  FieldText,
  Json,
  RelatedTextQuery,
  ResourceModel,
  TextPage,
  TextPart,
  TextQuery,
  TextShape,
  WireType,
} from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf, type Tables } from "../table/table.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { buildRange, listShape, where } from "./read-list.ts";
import { allEqual } from "./row-values.ts";
import { type Build, createBuild, createScope, type Scope, tableAs, tableName } from "./scope.ts";
import { findShared, shareValues } from "./shared-values.ts";
import type { StatementShape } from "./statement-shape.ts";
import type { SortColumn } from "./sort.ts";

/** Returns `undefined` if the JSON of some value can only be written by JavaScript, or a required value is missing. */
export type ReadTexts = (rows: readonly (readonly unknown[])[], query: TextQuery) => TextPage | undefined;

/** Whether the database can write the JSON of all selected fields. */
export function canMakeTexts(
  dialect: Dialect,
  tables: Tables,
  { resource, shape, related }: TextQuery | (RelatedTextQuery & { readonly shape: TextShape }),
): boolean {
  if (dialect.texts === undefined) return false;
  const table = tables.of(resource.name);
  return shape.every((part) => {
    if (typeof part === "string") return true;
    if (part.kind === "field") return dialect.texts?.(columnOf(table, part.name), sql``) !== undefined;
    const query = related.get(part.as);
    return query !== undefined && canMakeTexts(dialect, tables, { ...query, shape: part.shape });
  });
}

export function textsShape(dialect: Dialect, query: TextQuery): StatementShape {
  const shape = listShape(dialect, "texts", { ...query, fields: undefined });
  noteRow(dialect, shape, query.resource, query.shape, query.related);
  return shape;
}

/**
 * Adds values in the order in which the statement takes them. Constant text is a value too, because clients choose the
 * aliases in it.
 */
function noteRow(
  dialect: Dialect,
  shape: StatementShape,
  resource: ResourceModel,
  parts: TextShape,
  related: TextQuery["related"],
): void {
  for (const part of merged(resource, parts)) {
    if (typeof part === "string") shape.note("'").value(part);
    else if (part.kind === "field") shape.note(`.${part.name}${part.isId ? "#" : ""}`);
    else {
      const query = related.get(part.as) as RelatedTextQuery;
      shape.note(` ${part.kind} ${query.relation.source}.${query.relation.name}${query.goesBack ? "^" : ""}<`);
      if (!query.goesBack)
        shape
          .note(`${query.limit}`)
          .share(findShared(dialect, query))
          .sort(query.sort)
          .filter(query.filter)
          .skip(query.offset);
      noteRow(dialect, shape, query.resource, part.shape, query.related);
      shape.note(">");
    }
  }
}

/** Merges adjacent texts. The quotes around a numeric id become such texts. */
function merged({ fields }: ResourceModel, parts: TextShape): TextShape {
  const found: TextPart[] = [];
  const add = (part: TextPart): void => {
    const last = found.at(-1);
    if (typeof part === "string" && typeof last === "string") found[found.length - 1] = last + part;
    else found.push(part);
  };
  for (const part of parts) {
    const type =
      typeof part === "object" && part.kind === "field" && part.isId ? fields.get(part.name)?.type : undefined;
    if (type === undefined || type.nullable || !isNumber(type)) add(part);
    else for (const one of ['"', { ...(part as FieldText), isId: false }, '"'] as const) add(one);
  }
  return found;
}

function isNumber({ kind }: WireType): boolean {
  return kind === "integer" || kind === "number";
}

/**
 * Plans one statement for a list and everything nested in it: a column with the text of each row, and columns for its
 * position.
 */
export function planTexts(dialect: Dialect, tables: Tables, query: TextQuery): StatementPlan<ReadTexts> {
  const build = createBuild(dialect, tables);
  const scope = shareValues(build, createScope(build, tables.of(query.resource.name)), query);
  const range = buildRange(build, scope, query);
  const text = rowText(build, scope, query.shape, query.related, undefined);
  const places = range.columns.map(
    ({ column, value }, at) => sql`${dialect.readable(column, value)} as ${sql.id(`c${at + 1}`)}`,
  );
  const cut = dialect.limit(query.limit + 1, range.offset);
  const list = sql.join([sql`${text} as c0`, ...places]);
  return {
    statement: sql`select ${list} from ${tableAs(scope)}${sql.join(range.joins, sql``)}${where(range.conditions)}${range.order}${cut}`,
    read: textsReader(range.columns),
  };
}

function textsReader(columns: readonly SortColumn[]): ReadTexts {
  return (found, { limit, fromEnd }) => {
    const rows = found.length > limit ? found.slice(0, limit) : [...found];
    if (fromEnd === true) rows.reverse();
    const texts = rows.map(([text]) => text);
    if (!texts.every((text) => typeof text === "string")) return undefined;
    const position = (index: number): Json[] =>
      columns.map(({ column }, at) => {
        const raw = rows[index]?.[at + 1];
        return raw === null || raw === undefined ? null : column.decode(raw);
      });
    return { texts, more: found.length > limit, position };
  };
}

/**
 * Returns the expression for the text of a row. It is NULL if some part can't be written, which makes the enclosing
 * texts NULL too.
 */
function rowText(
  build: Build,
  scope: Scope,
  shape: TextShape,
  related: TextQuery["related"],
  above: Scope | undefined,
): Sql {
  const parts = merged(scope.table.resource, shape).map((part) => {
    if (typeof part === "string") return build.dialect.text(build.slots.next());
    if (part.kind === "field") return fieldText(build, scope, part);
    return relatedText(build, scope, part, related.get(part.as) as RelatedTextQuery, above);
  });
  return sql`(${sql.join(parts, sql` || `)})`;
}

function fieldText(
  { dialect }: Build,
  { table, value }: Scope,
  { name, isId }: Extract<TextPart, { kind: "field" }>,
): Sql {
  const column = columnOf(table, name);
  const plain = dialect.texts?.(column, value(name)) as Sql;
  const text = isId && isNumber(column.field.type) ? sql`'"' || ${plain} || '"'` : plain;
  return column.field.type.nullable ? sql`case when ${value(name)} is null then 'null' else ${text} end` : text;
}

function relatedText(
  build: Build,
  scope: Scope,
  { kind, shape }: Extract<TextPart, { kind: "one" | "many" }>,
  query: RelatedTextQuery,
  above: Scope | undefined,
): Sql {
  const { relation } = query;
  const isOne = kind === "one";
  // The relation leads back to the parent row, which is already in scope.
  const { dialect } = build;
  if (query.goesBack && above !== undefined) {
    const text = rowText(build, above, shape, query.related, undefined);
    return dialect.once?.(text) ?? text;
  }
  const target = shareValues(build, createScope(build, build.tables.of(relation.target)), query);
  const joined = joinFrom(build, target, query, relation.local.map(scope.value));
  const range = buildRange(build, target, query);
  const text = rowText(build, target, shape, query.related, scope);
  const order = isOne && relation.kind === "belongsTo" ? sql`` : range.order;
  const cut = dialect.limit(isOne ? 1 : query.limit, range.offset);
  const rows = sql`select ${text} as x ${joined.from}${sql.join(range.joins, sql``)}${where([joined.on, ...range.conditions])}${order}${cut}`;
  const name = sql.id(build.alias());
  const known = sql`count(*) = count(${name}.x)`;
  if (!isOne) {
    const all = sql`coalesce(${dialect.joinTexts(sql`${name}.x`)}, '')`;
    return sql`(select case when ${known} then ${all} end from (${rows}) as ${name})`;
  }
  // If a required row is missing, the text is NULL, and the caller reads the rows in another way to report the error.
  const missing = relation.nullable ? sql`'null'` : sql`null`;
  return sql`(select case when count(*) = 0 then ${missing} else max(${name}.x) end from (${rows}) as ${name})`;
}

function joinFrom(
  build: Build,
  target: Scope,
  { relation }: RelatedTextQuery,
  local: readonly Sql[],
): { readonly from: Sql; readonly on: Sql } {
  const foreign = relation.foreign.map(target.value);
  if (relation.through === undefined) return { from: sql`from ${tableAs(target)}`, on: allEqual(foreign, local) };
  const link = build.tables.link(relation);
  const alias = build.alias();
  const ids = (columns: readonly string[]): readonly Sql[] => columns.map((column) => sql.id(alias, column));
  const from = sql`from ${tableName(link)} as ${sql.id(alias)} inner join ${tableAs(target)} on ${allEqual(foreign, ids(link.to))}`;
  return { from, on: allEqual(ids(link.from), local) };
}
