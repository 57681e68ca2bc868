import { refuse } from "../../errors/refuse.ts";
import type { FieldModel, MeasureModel, ResourceModel } from "../../model/model.ts";
import type { StoreMeasure } from "../../store/store.ts";
import { averageFrom } from "../../store/aggregate/average-from.ts";
import { type Decimal, parseDecimal, printDecimal } from "../../util/decimal.ts";
import type { Json } from "../../util/json.ts";

/** The values of one group, by the names of its terms and measures. */
export type GroupValues = Readonly<Record<string, Json>>;

/** The measures that a store computes, and how to derive the requested ones from them. */
export interface MeasureReading {
  readonly measures: readonly StoreMeasure[];
  readonly read: (terms: readonly string[], keys: readonly Json[], values: readonly Json[]) => GroupValues;
}

type Compute = (values: readonly Json[]) => Json;

/** An average is computed from the sum, so that it is the same on every store. */
export function readMeasures(resource: ResourceModel, names: readonly string[]): MeasureReading {
  const measures: StoreMeasure[] = [];
  const place = (measure: StoreMeasure): number => {
    const before = measures.findIndex(({ kind, field }) => kind === measure.kind && field === measure.field);
    return before < 0 ? measures.push(measure) - 1 : before;
  };
  const computed = names.map((name): readonly [string, Compute] => {
    const measure = resource.aggregates.measures.get(name) as MeasureModel;
    if (measure.function === "count") {
      const at = place({ kind: "rows" });
      return [name, (values) => values[at] ?? 0];
    }
    const { function: kind, field } = measure;
    const source = resource.fields.get(field) as FieldModel;
    if (kind === "min" || kind === "max") {
      const at = place({ kind, field });
      return [name, (values) => values[at] ?? null];
    }
    const sum = place({ kind: "sum", field });
    if (kind === "sum") return [name, (values) => sumFrom(source, values[sum] ?? null)];
    // Counting rows is cheaper for databases.
    const count = place(source.type.nullable ? { kind: "values", field } : { kind: "rows" });
    return [
      name,
      (values) => finite(field, averageFrom(measure.type, values[sum] ?? null, Number(values[count] ?? 0))),
    ];
  });
  return {
    measures,
    read: (terms, keys, values) => {
      const group: Record<string, Json> = {};
      for (const [at, term] of terms.entries()) group[term] = keys[at] ?? null;
      for (const [name, compute] of computed) group[name] = compute(values);
      return group;
    },
  };
}

/** Converts a sum of a store to its type (docs/adr/0051). */
export function sumFrom({ name, type }: FieldModel, sum: Json): Json {
  if (sum === null || type.kind === "bigint") return sum;
  if (type.kind === "decimal") return printDecimal(parseDecimal(sum as string) as Decimal, type.scale);
  const number = Number(sum);
  if (type.kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number)) return number;
  return refuseRange("sum", name);
}

/** Rejects an average of numbers whose sum is too large. */
export function finite(field: string, average: Json): Json {
  return typeof average === "number" && !Number.isFinite(average) ? refuseRange("avg", field) : average;
}

function refuseRange(what: string, name: string): never {
  const message = `The ${what} of '${name}' is too large for a JSON number. Use a narrower filter, or more groups.`;
  return refuse(["aggregate", `${what}.${name}`], "out_of_range", message);
}
