import type { TypeRules } from "../../schema/table-change.ts";

/** SQLite compares affinities: other names of a type are the same to it. */
export const sqliteRules: TypeRules = {
  fits: ({ type }, found) => [affinity(type), "numeric"].includes(affinity(found.type)),
  holds: (from, to) => affinity(to) === "text" || (affinity(from) === "integer" && affinity(to) === "real"),
  // The key of a table counts by itself.
  stopsCounting: false,
};

/** SQLite, "Datatypes", 3.1. */
function affinity(type: string): "integer" | "text" | "blob" | "real" | "numeric" {
  if (type.includes("int")) return "integer";
  if (/char|clob|text/.test(type)) return "text";
  if (type === "" || type.includes("blob")) return "blob";
  return /real|floa|doub/.test(type) ? "real" : "numeric";
}
