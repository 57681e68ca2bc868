import type { JsonObject } from "../../util/json.ts";

/** Describes a parameter in the query string. */
export function query(name: string, description: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, in: "query", description, schema, ...more };
}
