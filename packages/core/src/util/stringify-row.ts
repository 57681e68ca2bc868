import type { Json } from "./json.ts";

/**
 * Serializes a row to JSON. Lists are copied, because V8 serializes a frozen list several times slower than its copy, and stores
 * can freeze their rows.
 */
export function stringifyRow(row: Readonly<Record<string, unknown>>): string {
  let copy: Record<string, unknown> | undefined;
  for (const name in row) {
    const value = row[name];
    if (!Array.isArray(value)) continue;
    copy ??= { ...row };
    copy[name] = [...(value as readonly Json[])];
  }
  return JSON.stringify(copy ?? row);
}
