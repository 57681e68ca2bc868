import { canonicalJson } from "../../util/canonical-json.ts";
import type { WireType } from "../wire-type.ts";

/**
 * Returns the most specific type that covers several: their common type, an enum of all values, a number, a string, or
 * any JSON.
 */
export function mergeTypes(types: readonly WireType[]): WireType {
  const nullable = types.some((type) => type.nullable);
  const distinct = [...new Map(types.map((type) => [canonicalJson({ ...type, nullable }), type])).values()];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return { ...only, nullable };
  const values = distinct.flatMap((type) => (type.kind === "enum" ? type.values : []));
  if (distinct.every((type) => type.kind === "enum")) return { kind: "enum", nullable, values: [...new Set(values)] };
  if (distinct.every((type) => type.kind === "integer" || type.kind === "number")) {
    if (distinct.every((type) => type.kind === "integer")) return { kind: "integer", nullable, wide: true };
    return { kind: "number", nullable };
  }
  const isText = distinct.every((type) => type.kind === "string" || type.kind === "enum" || type.kind in TEXT);
  return { kind: isText ? "string" : "json", nullable };
}

const TEXT: Readonly<Record<string, true>> = {
  uuid: true,
  email: true,
  url: true,
  date: true,
  datetime: true,
  time: true,
  duration: true,
};
