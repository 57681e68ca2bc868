import type { ListView } from "../format.ts";
import { referenceLabel } from "./value.ts";

const REFERENCE = /^filter\[([^[\].]+)\]\[(?:eq|ne|in|notIn)\]$/;

/** Returns the label of the row whose key a condition names, if a row of the page references it. */
export function filterLabel({ rows }: ListView, parameter: string, key: string): string | undefined {
  const [, field = ""] = REFERENCE.exec(parameter) ?? [];
  const row = rows.find(({ fields }) => {
    const value = fields[field];
    return (typeof value === "string" || typeof value === "number") && String(value) === key;
  });
  return row && referenceLabel(row, field);
}
