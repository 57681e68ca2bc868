import { fullName } from "../table/resolve-tables.ts";
import { isOwnConstraint, isOwnIndex } from "./constraint-name.ts";
import type { FoundForeignKey, FoundTable, FoundTableColumn } from "./found-table.ts";
import type { ColumnChange, TableChange, TypeRules } from "./table-change.ts";
import type { WantedColumn, WantedForeignKey, WantedTable } from "./wanted.ts";

/**
 * Compares a table with the wanted one. Other indexes and constraints, which the store did not create, are ignored.
 */
export function compareTable(rules: TypeRules, wanted: WantedTable, found: FoundTable): TableChange {
  const { name } = wanted;
  const kept = new Set(wanted.keep);
  const names = new Set(wanted.columns.map((column) => column.name));
  const uniques = difference(
    wanted.uniques,
    found.uniques,
    (one, other) => one.living === other.living && isSameSet(one.columns, other.columns),
  );
  const indexes = difference(
    wanted.indexes,
    [...found.indexes, ...found.uniques.filter(({ living }) => living === undefined)],
    (one, other) => one.method === other.method && isSameList(one.columns, other.columns),
  );
  const foreignKeys = difference(wanted.foreignKeys, found.foreignKeys, (one, other) => isSameKey(name, one, other));
  const { policy } = wanted;
  const policies = found.policies ?? [];
  return {
    wanted,
    found,
    dropPolicies: policies.filter((one) => one !== policy?.name),
    addPolicy: policy !== undefined && policies.includes(policy.name) ? undefined : policy,
    addColumns: wanted.columns.filter((column) => !found.columns.has(column.name)),
    dropColumns: computedFirst([...found.columns.values()]).filter(
      ({ name: one }) => !names.has(one) && !kept.has(one),
    ),
    changeColumns: wanted.columns.flatMap((column) => {
      const there = found.columns.get(column.name);
      return there === undefined || kept.has(column.name) ? [] : compareColumn(rules, column, there);
    }),
    changesKey: !isSameList(wanted.primaryKey, found.primaryKey),
    addUniques: uniques.missing,
    dropUniques: uniques.spare.filter((one) => isOwnConstraint(name, one, "key")),
    addIndexes: indexes.missing,
    dropIndexes: indexes.spare.filter((one) => isOwnIndex(name, one)),
    addForeignKeys: foreignKeys.missing,
    dropForeignKeys: foreignKeys.spare.filter((one) => isOwnConstraint(name, one, "fkey")),
  };
}

/** A column can only be dropped after those that are computed from it. */
function computedFirst(columns: readonly FoundTableColumn[]): readonly FoundTableColumn[] {
  return [...columns.filter((column) => column.isComputed), ...columns.filter((column) => !column.isComputed)];
}

function compareColumn(
  { fits, stopsCounting }: TypeRules,
  column: WantedColumn,
  found: FoundTableColumn,
): readonly ColumnChange[] {
  const retypes = !fits(column, found);
  const stops = stopsCounting && found.isCounted && !column.isCounted;
  const nulls = column.nullable === found.nullable ? undefined : column.nullable ? "allow" : "require";
  const counts = column.isCounted && !found.isCounted ? "start" : stops ? "stop" : undefined;
  return retypes || nulls !== undefined || counts !== undefined
    ? [{ column, found, retypes, nulls, counts, hasNulls: false }]
    : [];
}

function difference<Wanted, Found>(
  wanted: readonly Wanted[],
  found: readonly Found[],
  isSame: (one: Wanted, other: Found) => boolean,
): { readonly missing: readonly Wanted[]; readonly spare: readonly Found[] } {
  return {
    missing: wanted.filter((one) => !found.some((other) => isSame(one, other))),
    spare: found.filter((other) => !wanted.some((one) => isSame(one, other))),
  };
}

/**
 * If the application created the reference, it decides what a deletion does. References with the names that the store
 * gives must match the model, but databases choose the same names. So they may cascade if the relation does.
 */
export function isSameKey(table: string, wanted: WantedForeignKey, found: FoundForeignKey): boolean {
  const isSame =
    isSameList(wanted.columns, found.columns) &&
    fullName(wanted.target) === found.target &&
    isSameList(wanted.targetColumns, found.targetColumns);
  if (!isSame || wanted.cascades) return isSame && found.cascades;
  return !found.cascades || wanted.mayCascade === true || !isOwnConstraint(table, found, "fkey");
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
