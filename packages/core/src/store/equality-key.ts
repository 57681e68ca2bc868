import { canonicalMoment } from "../model/canonical-moment.ts";
import type { WireType } from "../model/wire-type.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import type { Json } from "../util/json.ts";

/**
 * Returns a value for use in a `Set`. It is the same for two values of a type if and only if `equalValues` returns true
 * for them.
 */
export function equalityKey(type: WireType, value: Json): string | number | bigint | boolean | null {
  if (typeof value === "object" && value !== null) return canonicalJson(value);
  if (type.kind === "bigint") return BigInt(value as string);
  if (type.kind === "datetime") return canonicalMoment(value as string) ?? value;
  return value;
}
