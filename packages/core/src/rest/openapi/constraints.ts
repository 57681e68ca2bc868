import { z } from "zod";
import type { Side } from "../../model/shape/shape.ts";
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

/** What a schema demands of a value on the wire, besides its type, in the words of JSON Schema. */
export function constraintsOf(schema: z.core.$ZodType, type: WireType, side: Side): JsonObject {
  // Answers have moments in stored form, however they were written.
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

/** What is said of a schema is no constraint, and need not be JSON. */
const NO_META = z.registry<Record<string, never>>();

/** What zod has no words for is described by its type alone. */
function jsonSchemaOf(schema: z.core.$ZodType, io: Side): Readonly<Record<string, unknown>> {
  try {
    return z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: NO_META });
  } catch {
    return {};
  }
}

/** Patterns have no flags, and are read as `u` has it (JSON Schema 2020-12 §6.4). */
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
  const told = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as readonly { readonly pattern?: RegExp }[];
  const kept = bag["patterns"] as ReadonlySet<RegExp> | undefined;
  return [...(kept ?? []), ...told.flatMap(({ pattern = [] }) => pattern)];
}

/** Of a schema that changes what it is given, as `.trim()` does, only what it checks afterwards holds of the result. */
function afterOverwriting(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, checks = [] } = (schema as z.core.$ZodTypes)._zod.def;
  const last = checks.findLastIndex((check) => check._zod.def.check === "overwrite");
  if (last < 0) return schema;
  const later: readonly z.core.$ZodCheck<never>[] = checks.slice(last + 1);
  if (type === "string") return z.string().check(...(later as readonly z.core.$ZodCheck<string>[]));
  return type === "number" ? z.number().check(...(later as readonly z.core.$ZodCheck<number>[])) : z.unknown();
}
