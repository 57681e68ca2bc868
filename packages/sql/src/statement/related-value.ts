import type { FieldModel, Filter, NamedRelatedValue, RelatedValue, WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { ComparedAggregate, ComparedColumn } from "../dialect/averages.ts";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import { columnOf } from "../table/table.ts";
import { type GroupColumn, measureColumn } from "./group-columns.ts";
import { linksTo } from "./links-to.ts";
import { allEqual } from "./row-values.ts";
import { type Build, createScope, type Scope, tableAs } from "./scope.ts";

/** Passed as a parameter, because conditions can compare such values. */
export type BuildCondition = (build: Build, scope: Scope, filter: Filter) => Sql;

/** A value of a row that a statement computes from related rows, as text or number that `decode` reads. */
export interface ReadValue {
  readonly select: Sql;
  /** Has the name and the type of the value. */
  readonly column: Column;
}

/** Selects a value. Takes the values of its filter. */
export function readValue(
  build: Build,
  scope: Scope,
  value: NamedRelatedValue,
  conditionOf: BuildCondition,
): ReadValue {
  const { dialect } = build;
  const target = createScope(build, build.tables.of(value.relation.target));
  const { value: inner, readable, decode } = measureOf(dialect, target, value);
  const computed =
    scope.shared?.values.get(value) ??
    sql`(${fromRelated(build, scope, target, value, { value: inner }, conditionOf)})`;
  const { kind, name } = value;
  const type = kind === "sum" || kind === "avg" ? TEXT : kind === "rows" || kind === "values" ? COUNT : value.type;
  return {
    select: readable(computed),
    column: { ...columnFor(dialect, name, type), decode },
  };
}

/** Builds the statement that computes a value of a row as its only column, `v`, in the form in which it is compared. */
export function valueQuery(build: Build, scope: Scope, value: RelatedValue, conditionOf: BuildCondition): Sql {
  const target = createScope(build, build.tables.of(value.relation.target));
  return fromRelated(build, scope, target, value, comparedMeasure(build, target, value), conditionOf);
}

/** Builds a value for a condition or an order, and the column as which it is compared. */
export function comparedValue(
  build: Build,
  scope: Scope,
  value: RelatedValue,
  conditionOf: BuildCondition,
): { readonly value: Sql; readonly column: Column } {
  const { dialect } = build;
  const { kind, field, type } = value;
  const source = field === undefined ? undefined : columnOf(build.tables.of(value.relation.target), field);
  // Integers can add up to more than their column holds. The sum of other values has their form.
  const isOwn =
    source !== undefined &&
    (kind === "min" || kind === "max" || (kind === "sum" && type.kind !== "integer" && type.kind !== "bigint"));
  const isComputed = kind === "sum" || kind === "avg";
  const own = isComputed && source !== undefined ? dialect.comparedAs?.(kind, source, type) : undefined;
  const column =
    isOwn && own === undefined
      ? { ...source, field: { ...source.field, type } }
      : columnFor(dialect, field ?? kind, own?.type ?? type, own);
  return { value: scope.shared?.values.get(value) ?? sql`(${valueQuery(build, scope, value, conditionOf)})`, column };
}

/**
 * Builds a value for an order, like `comparedValue`. A position holds its value as a JavaScript number, so sums of
 * integers are compared as such numbers, too.
 */
export function sortedValue(
  build: Build,
  scope: Scope,
  value: RelatedValue,
  conditionOf: BuildCondition,
): { readonly value: Sql; readonly column: Column } {
  const compared = comparedValue(build, scope, value, conditionOf);
  if (value.kind !== "sum" || value.type.kind !== "integer") return compared;
  const { dialect } = build;
  const type: WireType = { kind: "number", nullable: value.type.nullable };
  return { value: dialect.asDouble(compared.value), column: columnFor(dialect, compared.column.name, type) };
}

function comparedMeasure({ dialect }: Build, target: Scope, value: RelatedValue): ComparedAggregate {
  const { kind, field, type } = value;
  if (field !== undefined && (kind === "avg" || kind === "sum")) {
    const [column, own] = [columnOf(target.table, field), target.value(field)];
    if (kind === "avg") return dialect.average(column, own, type).compared;
    if (dialect.comparedSum !== undefined) return dialect.comparedSum(column, own);
  }
  return { value: measureOf(dialect, target, value).value };
}

function measureOf(dialect: Dialect, target: Scope, { kind, field, type }: RelatedValue): GroupColumn {
  if (kind === "rows" || field === undefined) return measureColumn(dialect, target, { kind: "rows" });
  if (kind !== "avg") return measureColumn(dialect, target, { kind, field });
  return dialect.average(columnOf(target.table, field), target.value(field), type).read;
}

function fromRelated(
  build: Build,
  scope: Scope,
  target: Scope,
  { relation, filter }: RelatedValue,
  { value, parts }: ComparedAggregate,
  conditionOf: BuildCondition,
): Sql {
  const selected = parts ?? sql`${value} as v`;
  const whole = (rows: Sql): Sql => (parts === undefined ? rows : sql`select ${value} as v from (${rows})`);
  const foreign = relation.foreign.map(target.value);
  const local = relation.local.map(scope.value);
  const guard = build.dialect.guard?.(target);
  const matches = [guard, filter === undefined ? undefined : conditionOf(build, target, filter)];
  const more = matches.filter((part) => part !== undefined).map((part) => sql` and ${part}`);
  if (relation.through === undefined)
    return whole(
      sql`select ${selected} from ${tableAs(target)} where ${allEqual(foreign, local)}${sql.join(more, sql``)}`,
    );
  const { from, to, links } = linksTo(build, relation, target);
  return whole(
    sql`select ${selected} from ${links} on ${allEqual(foreign, to)} where ${allEqual(from, local)}${sql.join(more, sql``)}`,
  );
}

const TEXT: WireType = { kind: "string", nullable: true };
const COUNT: WireType = { kind: "integer", nullable: false, wide: true };

/** Returns a column of a type that isn't part of any table. */
function columnFor(dialect: Dialect, name: string, type: WireType, own?: ComparedColumn): Column {
  const field = { name, type } as Partial<FieldModel> as FieldModel;
  const declared = own?.declared ?? dialect.declare(field, false);
  const { encode, decode } = own ?? dialect.columnType(field, declared);
  return { field, name, declared, nullable: true, isDecimal: false, exact: true, encode, decode };
}
