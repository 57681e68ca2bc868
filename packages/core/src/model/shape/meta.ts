import { z } from "zod";

/** The `.meta()` of a schema or of the schemas it wraps. The outermost value wins. */
export interface Meta {
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
}

export function metaOf(schema: z.core.$ZodType): Meta {
  let description: string | undefined;
  let deprecated: string | undefined;
  for (let inner: z.core.$ZodType | undefined = schema; inner !== undefined; inner = innerOf(inner)) {
    const meta = z.globalRegistry.get(inner);
    description ??= meta?.description;
    deprecated ??= reasonOf(meta?.deprecated);
  }
  return { description, deprecated };
}

/** Returns the reason of a deprecation. For `true`, this is GraphQL's default reason. */
export function reasonOf(deprecated: unknown): string | undefined {
  if (typeof deprecated === "string" && deprecated !== "") return deprecated;
  return deprecated === true ? "No longer supported" : undefined;
}

/** Returns the name that `.meta({ id })` gives to the schema itself. */
export function idOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = schema._zod.def as { readonly innerType?: z.core.$ZodType; readonly in?: z.core.$ZodType };
  return def.innerType ?? def.in;
}
