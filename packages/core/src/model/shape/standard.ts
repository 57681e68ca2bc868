import { z } from "zod";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Json } from "../../util/json.ts";
import type { Shape } from "./shape.ts";

/**
 * What an absent value stands for, where to write it means the same: it is the same each time, and parsing leaves it
 * as it is. Undefined for a schema whose values differ from their wire form.
 */
export function standardOf(
  schema: z.core.$ZodType,
  { decode, encode }: Pick<Shape, "decode" | "encode">,
): Json | undefined {
  if (decode !== undefined || encode !== undefined) return undefined;
  const absent = parse(schema, undefined);
  if (absent === undefined) return undefined;
  const written = canonicalJson(absent);
  const isSame = [parse(schema, undefined), parse(schema, absent)].every((one) => canonicalJson(one) === written);
  return isSame ? (JSON.parse(written) as Json) : undefined;
}

/** Undefined where it is refused, or takes time to tell. */
function parse(schema: z.core.$ZodType, value: unknown): unknown {
  try {
    return z.safeParse(schema, value).data;
  } catch (thrown) {
    if (thrown instanceof z.core.$ZodAsyncError) return undefined;
    throw thrown;
  }
}
