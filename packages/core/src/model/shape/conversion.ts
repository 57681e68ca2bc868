import type { z } from "zod";

/** How a value that code sees differs from its JSON. `each`: the items of a list, or the values of a record. */
export type Conversion =
  | "date"
  | "bigint"
  | "codec"
  | { readonly each: Conversion }
  | { readonly members: Readonly<Record<string, Conversion>> };

/** Returns how values of the schema's output differ from their JSON; undefined if they don't. */
export function conversionOf(
  schema: z.core.$ZodType,
  open: ReadonlySet<z.core.$ZodType> = new Set(),
): Conversion | undefined {
  // A recursive schema contains no value that needs a conversion.
  if (open.has(schema)) return undefined;
  const inner = new Set(open).add(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "date":
    case "bigint":
      return def.type;
    case "array":
      return eachOf(conversionOf(def.element, inner));
    case "record":
      return eachOf(conversionOf(def.valueType, inner));
    case "object": {
      const members = Object.entries(def.shape).flatMap(([name, member]) => {
        const form = conversionOf(member, inner);
        return form === undefined ? [] : [[name, form] as const];
      });
      return members.length === 0 ? undefined : { members: Object.fromEntries(members) };
    }
    case "union":
      return def.options.map((option) => conversionOf(option, inner)).find((form) => form !== undefined);
    case "pipe":
      return "reverseTransform" in def && def.reverseTransform !== undefined ? "codec" : conversionOf(def.out, inner);
    case "lazy":
      return conversionOf(def.getter(), inner);
    case "readonly":
    case "catch":
    case "nonoptional":
    case "default":
    case "prefault":
    case "optional":
    case "nullable":
      return conversionOf(def.innerType, inner);
    default:
      return undefined;
  }
}

function eachOf(each: Conversion | undefined): Conversion | undefined {
  return each && { each };
}
