import { z } from "zod";

/** What `.meta()` says of a schema, wherever in its wrappers it was said; the outermost word counts. */
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

/** Why something is deprecated; a bare `true` gives the words that GraphQL has for it. */
export function reasonOf(deprecated: unknown): string | undefined {
  if (typeof deprecated === "string" && deprecated !== "") return deprecated;
  return deprecated === true ? "No longer supported" : undefined;
}

/** The name that `.meta({ id })` gives to a schema itself. */
export function idOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

/** The schema that a wrapper wraps. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = schema._zod.def as { readonly innerType?: z.core.$ZodType; readonly in?: z.core.$ZodType };
  return def.innerType ?? def.in;
}
