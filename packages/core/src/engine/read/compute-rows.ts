import type { FromComputation, LoadComputation, RelatedComputation, SourceRow } from "../../model/computation.ts";
import type { ComputedModel, FieldModel, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { allMaybePromises, type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { finite, sumFrom } from "../aggregate/read-measures.ts";
import { runApplicationCode } from "../ambient-transaction.ts";
import { createLoadContext } from "../load-context.ts";
import { visibleChanges } from "../history/visible-changes.ts";
import type { OperationContext } from "../operation-context.ts";
import type { PlannedField, SelectionPlan } from "./plan-selection.ts";
import { readRelatedValues } from "./read-related-values.ts";

/** The values of one computed field, in the order of the rows. */
interface Column {
  readonly name: string;
  readonly values: readonly Json[];
}

/** Returns copies of the rows of one level with the computed fields of its plan. Each `load` runs once for all rows. */
export function computeRows(
  context: OperationContext,
  { resource, computed }: Pick<SelectionPlan, "resource" | "computed">,
  rows: readonly Row[],
): MaybePromise<readonly Row[]> {
  const [first] = rows;
  const missing = computed.flatMap(({ related = [] }) =>
    related.filter(({ name }) => first === undefined || !Object.hasOwn(first, name)),
  );
  const reading = missing.length === 0 ? undefined : readRelatedValues(context, resource, missing, rows);
  return mapMaybePromise(reading, (valuesOf) => {
    const measured = valuesOf === undefined ? rows : rows.map((row) => ({ ...row, ...valuesOf(row) }));
    return computeColumns(context, resource, computed, measured);
  });
}

function computeColumns(
  context: OperationContext,
  resource: ResourceModel,
  computed: SelectionPlan["computed"],
  rows: readonly Row[],
): MaybePromise<readonly Row[]> {
  const columns = computed.map((planned) => computeColumn(context, resource, planned, rows));
  return mapMaybePromise(allMaybePromises(columns), (all) =>
    rows.map((row, index) => {
      const complete: Record<string, Json> = { ...row };
      for (const { name, values } of all) complete[name] = values[index] as Json;
      return complete;
    }),
  );
}

function computeColumn(
  context: OperationContext,
  resource: ResourceModel,
  planned: PlannedField,
  rows: readonly Row[],
): MaybePromise<Column> {
  const { name, computation } = planned.field;
  if (computation.kind === "related") {
    return {
      name,
      values: rows.map(
        relatedFrom(resourceOf(context.engine.model, targetOf(resource, computation)), planned.field, computation),
      ),
    };
  }
  if (computation.kind === "changes") {
    return visibleChanges(context, resource, rows).then((values) => ({ name, values }));
  }
  const sources = rows.map(sourceOf(resource, computation.from));
  if (computation.kind === "from") return { name, values: sources.map(valueFrom(computation)) };
  return mapMaybePromise(load(context, resource, computation, sources), (values) => {
    if (!Array.isArray(values) || values.length !== rows.length) {
      const returned = Array.isArray(values) ? `${values.length} values` : typeof values;
      const problem = `'load' of the computed field '${resource.name}.${name}' returned ${returned} for ${rows.length} rows.`;
      throw new Error(`${problem} Return a list with one value for each row, in their order.`);
    }
    return { name, values: values.map(computation.toWire) };
  });
}

/** Returns the function that converts the values of a store to the value of a field (docs/adr/0051). */
function relatedFrom(
  target: ResourceModel,
  { name }: ComputedModel,
  { function: kind, field }: RelatedComputation,
): (row: Row) => Json {
  const source = field === undefined ? undefined : target.fields.get(field);
  if (source === undefined || kind === "min" || kind === "max") return (row) => row[name] ?? null;
  if (kind === "sum") return (row) => sumFrom(source, row[name] ?? null);
  return (row) => finite(source.name, row[name] ?? null);
}

function targetOf({ relations }: ResourceModel, { relation }: RelatedComputation): string {
  return (relations.get(relation) as RelationModel).target;
}

function valueFrom({ get, toWire }: FromComputation): (source: SourceRow) => Json {
  return (source) => toWire(get(source));
}

/** The operation may end before `load` does: its deadline also applies to application code. */
function load(
  context: OperationContext,
  resource: ResourceModel,
  computation: LoadComputation,
  sources: readonly SourceRow[],
): MaybePromise<unknown> {
  return runApplicationCode(context, [], () => computation.load(sources, createLoadContext(context, resource)));
}

/** Returns the function that reads these fields of a row as decoded values. */
function sourceOf({ fields }: ResourceModel, names: readonly string[]): (row: Row) => SourceRow {
  const read = names.map((name) => ({ name, codec: (fields.get(name) as FieldModel).codec }));
  return (row) => {
    const source: Record<string, unknown> = {};
    for (const { name, codec } of read) {
      const stored = row[name] ?? null;
      source[name] = codec === undefined ? stored : codec.toValue(stored);
    }
    return source;
  };
}
