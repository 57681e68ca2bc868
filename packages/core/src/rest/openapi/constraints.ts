import { z } from "zod";
import type { Side } from "../../model/shape/value-shape.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { wireSchema } from "./wire-schema.ts";

const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** Returns the constraints of a zod schema beyond its type, as JSON Schema keywords. */
export function constraintsOf(schema: z.core.$ZodType, type: WireType, side: Side): JsonObject {
  // Responses contain datetimes in stored form, whatever form they were written in.
  if (side === "output" && type.kind === "datetime") return {};
  const wire = wireSchema(schema, side);
  const held = side === "output" ? afterOverwriting(wire) : wire;
  const made = jsonSchemaOf(held, side);
  return Object.fromEntries(
    CONSTRAINTS.flatMap((name): [string, Json][] => {
      const value = made[name];
      if (value === undefined || (name === "pattern" && !isPortable(held, value as string))) return [];
      return [[name, value as Json]];
    }),
  );
}

/** Metadata isn't a constraint and may contain values that aren't JSON. */
const NO_META = z.registry<Record<string, never>>();

/** Schemas that zod can't convert are described by their type only. */
function jsonSchemaOf(schema: z.core.$ZodType, io: Side): Readonly<Record<string, unknown>> {
  try {
    return z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: NO_META });
  } catch {
    return {};
  }
}

/** JSON Schema patterns have no flags and are interpreted like `u` (JSON Schema 2020-12 §6.4). */
function isPortable(schema: z.core.$ZodType, source: string): boolean {
  if (patternsOf(schema).some((pattern) => pattern.source === source && /[ims]/.test(pattern.flags))) return false;
  try {
    return new RegExp(source, "u").source === source;
  } catch {
    return false;
  }
}

function patternsOf(schema: z.core.$ZodType): readonly RegExp[] {
  const { bag, def } = schema._zod;
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as readonly {
    readonly pattern?: RegExp;
  }[];
  const kept = bag["patterns"] as ReadonlySet<RegExp> | undefined;
  return [...(kept ?? []), ...checks.flatMap(({ pattern = [] }) => pattern)];
}

/** If a schema changes its value, as `.trim()` does, only the checks after that apply to the result. */
function afterOverwriting(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, checks = [] } = (schema as z.core.$ZodTypes)._zod.def;
  const last = checks.findLastIndex((check) => check._zod.def.check === "overwrite");
  if (last < 0) return schema;
  const later: readonly z.core.$ZodCheck<never>[] = checks.slice(last + 1);
  if (type === "string") return z.string().check(...(later as readonly z.core.$ZodCheck<string>[]));
  return type === "number" ? z.number().check(...(later as readonly z.core.$ZodCheck<number>[])) : z.unknown();
}
