import type { SchemaStep } from "@bifocal/core/store";
import type { Dialect } from "../dialect/dialect.ts";
import { fullName } from "../table/resolve-tables.ts";
import { addForeignKey, addIndex, addUnique, dropForeignKey, dropIndex, dropTable, step } from "./alter-table.ts";
import { alterColumns } from "./alter-columns.ts";
import { isSameKey } from "./compare-table.ts";
import { isOwnIndex } from "./constraint-name.ts";
import type { FoundForeignKey, FoundTable } from "./found-table.ts";
import { dropUniqueNote } from "./notes.ts";
import { createPolicy, createTable, disablePolicies, dropPolicy } from "./print-table.ts";
import { changeSqliteTable } from "./rebuild-table.ts";
import type { TableChange, TypeRules } from "./table-change.ts";
import type { WantedForeignKey, WantedPolicy, WantedTable } from "./wanted.ts";

export interface Comparison {
  readonly missing: readonly WantedTable[];
  readonly changes: readonly TableChange[];
  /** Tables that migrations created and the model no longer contains. */
  readonly spare: readonly FoundTable[];
}

/** Returns the steps that make the database match the model, in an order in which no step prevents another. */
export function planSteps(dialect: Dialect, rules: TypeRules, comparison: Comparison): readonly SchemaStep[] {
  const { missing, spare } = comparison;
  const created = missing.map(fullName);
  const changes = comparison.changes.map((change) => (dialect.name === "mysql" ? withIndexesAnew(change) : change));
  const create = missing.map((table) => step(dialect, `create table ${fullName(table)}`, createTable(dialect, table)));
  const drop = spare.map((table) => dropTable(dialect, table, created));
  if (dialect.name === "sqlite") {
    return [...drop, ...create, ...changes.flatMap((change) => changeSqliteTable(dialect, rules, change))];
  }
  const references = planReferences(dialect, changes);
  return [
    ...changes.flatMap((change) => dropPolicies(dialect, change)),
    ...spare.flatMap((table) => table.foreignKeys.map((key) => dropForeignKey(dialect, table, key))),
    ...references.flatMap(({ change, drop: keys }) => keys.map((key) => dropForeignKey(dialect, change.wanted, key))),
    ...changes.flatMap((change) =>
      [...change.dropUniques, ...change.dropIndexes].map((index) =>
        dropIndex(dialect, change.wanted, index, dropUniqueNote(change, index)),
      ),
    ),
    ...drop,
    ...create,
    ...changes.flatMap((change) => alterColumns(dialect, rules, change)),
    ...changes.flatMap(({ wanted, addUniques }) => addUniques.map((one) => addUnique(dialect, wanted, one))),
    ...changes.flatMap(({ wanted, addIndexes }) => addIndexes.map((one) => addIndex(dialect, wanted, one))),
    ...missing.flatMap((table) => table.foreignKeys.map((key) => addForeignKey(dialect, table, key))),
    ...references.flatMap(({ change, add }) => add.map((key) => addForeignKey(dialect, change.wanted, key))),
    ...missing.flatMap((table) => addPolicy(dialect, table, table.policy)),
    ...changes.flatMap((change) => addPolicy(dialect, change.wanted, change.addPolicy)),
  ];
}

/** Policies are dropped first, because a column in a condition can't change its type. */
function dropPolicies(dialect: Dialect, { wanted, dropPolicies: names }: TableChange): readonly SchemaStep[] {
  if (names.length === 0) return [];
  const drop = names.map((name) => dropPolicy(wanted, name));
  const statements = wanted.policy === undefined ? [...drop, disablePolicies(wanted)] : drop;
  return [step(dialect, `drop the tenant policy of ${fullName(wanted)}`, statements)];
}

function addPolicy(dialect: Dialect, table: WantedTable, policy: WantedPolicy | undefined): readonly SchemaStep[] {
  if (policy === undefined) return [];
  return [step(dialect, `limit the rows of ${fullName(table)} by tenant`, createPolicy(table, policy))];
}

interface References {
  readonly change: TableChange;
  readonly drop: readonly FoundForeignKey[];
  readonly add: readonly WantedForeignKey[];
}

/** Returns the references that differ, and those that must be dropped while the columns they depend on change. */
function planReferences(dialect: Dialect, changes: readonly TableChange[]): readonly References[] {
  const disturbed = new Map(changes.map((change) => [fullName(change.wanted), disturbedBy(dialect, change)]));
  const isDisturbed = (table: string, columns: readonly string[]): boolean => {
    const by = disturbed.get(table);
    return by === "all" || columns.some((name) => by?.has(name) === true);
  };
  return changes.map((change) => {
    const { wanted, found, dropForeignKeys, addForeignKeys } = change;
    const anew = found.foreignKeys.flatMap((there) => {
      const isAnew = isDisturbed(fullName(wanted), there.columns) || isDisturbed(there.target, there.targetColumns);
      if (!isAnew) return [];
      const key = wanted.foreignKeys.find((one) => isSameKey(wanted.name, one, there));
      return key === undefined || addForeignKeys.includes(key)
        ? []
        : [{ there, key: { ...key, cascades: there.cascades } }];
    });
    return {
      change,
      drop: [...dropForeignKeys, ...anew.map(({ there }) => there)],
      add: [...addForeignKeys, ...anew.map(({ key }) => key)],
    };
  });
}

/** Returns the columns of a table whose references must be dropped while it changes. */
function disturbedBy(dialect: Dialect, change: TableChange): ReadonlySet<string> | "all" {
  const { changesKey, dropUniques, changeColumns, dropIndexes } = change;
  if (changesKey) return "all";
  const isMysql = dialect.name === "mysql";
  const changed = [
    ...changeColumns.filter(({ retypes }) => retypes || isMysql).map(({ column }) => column.name),
    ...dropUniques.flatMap(({ columns }) => columns),
  ];
  // MySQL needs an index that starts with the column of each reference.
  return new Set(isMysql ? [...changed, ...dropIndexes.flatMap(({ columns }) => columns.slice(0, 1))] : changed);
}

/** MySQL can't change the indexed length of a text column while its index exists, so the index is recreated. */
function withIndexesAnew(change: TableChange): TableChange {
  const { wanted, found, changeColumns, dropIndexes, addIndexes } = change;
  const retyped = new Set(changeColumns.filter(({ retypes }) => retypes).map(({ column }) => column.name));
  const anew = found.indexes.filter(
    (index) =>
      isOwnIndex(wanted.name, index) && !dropIndexes.includes(index) && index.columns.some((name) => retyped.has(name)),
  );
  const again = wanted.indexes.filter(({ name }) => anew.some((index) => index.name === name));
  return { ...change, dropIndexes: [...dropIndexes, ...anew], addIndexes: [...addIndexes, ...again] };
}
