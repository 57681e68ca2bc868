import type { z } from "zod";
import type { Side } from "../../model/shape/value-shape.ts";

/**
 * Returns the part of a schema that determines the wire form of one side, without wrappers for null and absence. For a
 * codec, this is always the input side.
 */
export function wireSchema(schema: z.core.$ZodType, side: Side): z.core.$ZodType {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "pipe":
      if (def.reverseTransform !== undefined) return wireSchema(def.in, "input");
      return wireSchema(side === "input" && def.in._zod.def.type !== "transform" ? def.in : def.out, side);
    case "nullable":
    case "optional":
    case "nonoptional":
    case "default":
    case "prefault":
    case "readonly":
    case "catch":
      return wireSchema(def.innerType, side);
    case "lazy":
      return wireSchema(def.getter(), side);
    case "union": {
      const [only, ...others] = def.options.filter((option) => option._zod.def.type !== "null");
      return only === undefined || others.length > 0 ? schema : wireSchema(only, side);
    }
    default:
      return schema;
  }
}
