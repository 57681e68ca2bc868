import type { TypeRules } from "../../schema/table-change.ts";
import { fitsScaled, holdsScaled, scaleOf } from "./sqlite-decimals.ts";

/** SQLite only distinguishes affinities. Other names of a type with the same affinity are equal. */
export const sqliteRules: TypeRules = {
  fits: ({ type }, found) => {
    if (affinity(found.type) === "numeric") return true;
    const isScaled = scaleOf(type) !== undefined || scaleOf(found.type) !== undefined;
    return isScaled ? fitsScaled(type, found.type) : affinity(type) === affinity(found.type);
  },
  holds(from, to) {
    if (affinity(to) === "text") return true;
    if (scaleOf(from) !== undefined || scaleOf(to) !== undefined) return holdsScaled(from, to);
    return affinity(from) === "integer" && affinity(to) === "real";
  },
  // The integer key of a table always counts.
  stopsCounting: false,
};

/** SQLite, "Datatypes", 3.1. */
function affinity(type: string): "integer" | "text" | "blob" | "real" | "numeric" {
  if (type.includes("int")) return "integer";
  if (/char|clob|text/.test(type)) return "text";
  if (type === "" || type.includes("blob")) return "blob";
  return /real|floa|doub/.test(type) ? "real" : "numeric";
}
