import { z } from "zod";

type Check = z.core.$ZodChecks["_zod"]["def"];

/** Metadata that doesn't change the format or the range of a schema. */
const NEUTRAL_META: ReadonlySet<string> = new Set(["title", "description", "deprecated", "example", "examples"]);

/** Checks without an effect on the format of a text. */
const TEXT_CHECKS: ReadonlySet<string> = new Set(["min_length", "max_length", "length_equals", "overwrite", "custom"]);

/** Checks without an effect on the range of a number. */
const NUMBER_CHECKS: ReadonlySet<string> = new Set(["multiple_of", "overwrite", "custom"]);

const FORMATS: Readonly<Record<string, string>> = { uuid: "uuid", guid: "uuid", email: "email", regex: "" };

const SAFE = Number.MAX_SAFE_INTEGER;

/** Ranges of the formats of integers. */
const RANGES: Readonly<Record<string, IntegerRange>> = {
  safeint: { least: -SAFE, most: SAFE },
  int32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint32: { least: 0, most: 2 ** 32 - 1 },
};

export interface IntegerRange {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns the format in the JSON Schema of a text, or an empty string if it has none. Returns undefined if only zod
 * can compute it. Most fields have few and well-known checks, and the conversion of zod takes long when it runs for
 * the first time.
 */
export function formatOfChecks(schema: z.core.$ZodType): string | undefined {
  let found = "";
  for (const def of checksOf(schema, "string") ?? [undefined]) {
    if (def === undefined) return undefined;
    if (TEXT_CHECKS.has(def.check)) continue;
    const format = def.check === "string_format" ? FORMATS[def.format] : undefined;
    // The last one of several formats counts, which depends on their order.
    if (format === undefined || found !== "") return undefined;
    found = format;
  }
  return found;
}

/**
 * Returns the range of an integer, or null if the schema also accepts fractions. Returns undefined if only zod can
 * compute it.
 */
export function rangeOfChecks(schema: z.core.$ZodType): IntegerRange | null | undefined {
  let [least, most] = [-Infinity, Infinity];
  let isInteger = false;
  for (const def of checksOf(schema, "number") ?? [undefined]) {
    if (def === undefined) return undefined;
    switch (def.check) {
      case "number_format": {
        const range = RANGES[def.format];
        if (range === undefined || isInteger) return undefined;
        isInteger = true;
        least = Math.max(least, range.least);
        most = Math.min(most, range.most);
        break;
      }
      case "greater_than":
        least = Math.max(least, Number(def.value));
        break;
      case "less_than":
        most = Math.min(most, Number(def.value));
        break;
      default:
        if (!NUMBER_CHECKS.has(def.check)) return undefined;
    }
  }
  return isInteger ? { least, most } : null;
}

/** Returns undefined if a schema has another type, its own JSON Schema, or metadata that may change it. */
function checksOf(schema: z.core.$ZodType, type: string): readonly Check[] | undefined {
  const { def, toJSONSchema } = schema._zod;
  if (def.type !== type || toJSONSchema !== undefined) return undefined;
  if (Object.keys(z.globalRegistry.get(schema) ?? {}).some((key) => !NEUTRAL_META.has(key))) return undefined;
  const all = (def.checks ?? []).map((check) => check._zod.def as Check);
  return "check" in def ? [def as unknown as Check, ...all] : all;
}
