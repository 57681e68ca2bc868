import type { Issue } from "../../../errors/bifocal-error.ts";
import type { ResourceModel, Row } from "../../../model/model.ts";
import { referenceOf, tokenOf } from "../../../model/reference.ts";
import type { Filter } from "../../../operation/filter.ts";
import { denied, isAlways } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { checkReferences, setReferences } from "../checks/check-references.ts";
import { errorAt } from "../checks/error-at.ts";
import { mayMatch } from "../checks/may-match.ts";
import { omittedFields } from "../checks/watch-fields.ts";

/** A row that an operation will create, as far as its input determines it. */
export interface NewRow {
  readonly resource: ResourceModel;
  /** The written fields in stored form. */
  readonly row: Row;
  /** The decision of the rules. */
  readonly decision: Filter;
  /** Writable fields whose values aren't known yet, such as a reference to a row of the same operation. */
  readonly unknown?: readonly string[];
  /** Path of the row in the input. */
  readonly path: Issue["path"];
}

/**
 * Rejects rows that the caller can't create or whose references it can't see, before the first hook of the operation
 * runs. Fields that hooks may still set don't decide: the rules apply again to each row after its hook.
 * @param hasOtherHook Whether a hook runs before the first row is created
 */
export function decideFirst(
  context: OperationContext,
  rows: readonly NewRow[],
  hasOtherHook = false,
): Promise<void> | undefined {
  return hasOtherHook || rows.some(({ resource }) => resource.hooks.create?.before !== undefined)
    ? decideRows(context, rows)
    : undefined;
}

async function decideRows(context: OperationContext, rows: readonly NewRow[]): Promise<void> {
  const created = new Set(rows.flatMap(({ resource, row }) => referencesTo(resource, row)));
  for (const one of rows) {
    const { resource, path } = one;
    const unknown = unknownFields(one, created);
    const row = plannedRow(resource, one.row, unknown);
    try {
      await checkReferences(context, resource, row);
      if (isAlways(one.decision) || (await mayMatch(context, resource, row, one.decision, unknown))) continue;
      throw denied(context, `create this ${resource.name}`);
    } catch (thrown) {
      throw path.length > 0 ? errorAt(thrown, path) : thrown;
    }
  }
}

/** Returns the fields that hooks may set, and references to rows that the same operation creates. */
function unknownFields({ resource, row, unknown = [] }: NewRow, created: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set([...unknown, ...omittedFields(resource, row)]);
  for (const field of resource.fields.values()) if (!field.writable) names.add(field.name);
  for (const { relation, value } of setReferences(resource, row)) {
    if (!created.has(`${relation.target} ${relation.foreign.join()} ${tokenOf(value)}`)) continue;
    for (const name of relation.local) names.add(name);
  }
  return names;
}

/** Returns the row with its defaults and without unknown fields. Generators don't run. */
function plannedRow(resource: ResourceModel, written: Row, unknown: ReadonlySet<string>): Row {
  const row: Record<string, Row[string]> = {};
  for (const field of resource.fields.values()) {
    if (!unknown.has(field.name)) row[field.name] = written[field.name] ?? field.default ?? null;
  }
  return row;
}

/** Returns every value by which a reference can lead to a row. */
function referencesTo({ name, key, unique }: ResourceModel, row: Row): readonly string[] {
  return [key, ...unique].flatMap((fields) => {
    const value = referenceOf(fields, row);
    return value === null ? [] : [`${name} ${fields.join()} ${tokenOf(value)}`];
  });
}
