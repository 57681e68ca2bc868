import { z } from "zod";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Json } from "../../util/json.ts";
import type { ValueShape } from "./value-shape.ts";

/**
 * Returns the value that is equivalent to an absent one: it is always the same, and parsing leaves it unchanged.
 * Undefined if the schema converts its values.
 */
export function standardOf(
  schema: z.core.$ZodType,
  { decode, encode }: Pick<ValueShape, "decode" | "encode">,
): Json | undefined {
  if (decode !== undefined || encode !== undefined) return undefined;
  const absent = parse(schema, undefined);
  if (absent === undefined) return undefined;
  const written = canonicalJson(absent);
  const isSame = [parse(schema, undefined), parse(schema, absent)].every((one) => canonicalJson(one) === written);
  return isSame ? (JSON.parse(written) as Json) : undefined;
}

/** Returns undefined if the value is invalid or the schema is async. */
function parse(schema: z.core.$ZodType, value: unknown): unknown {
  try {
    return z.safeParse(schema, value).data;
  } catch (thrown) {
    if (thrown instanceof z.core.$ZodAsyncError) return undefined;
    throw thrown;
  }
}
