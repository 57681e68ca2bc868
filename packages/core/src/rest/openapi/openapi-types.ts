import type { Model } from "../../model/model.ts";
import type { Json, JsonObject } from "../../util/json.ts";

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** OpenAPI security scheme objects by name. */
export type SecuritySchemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface OpenApiOptions {
  readonly model: Model;
  readonly info: ApiInfo;
  readonly schemes: SecuritySchemes;
  /** Where the API is mounted. */
  readonly prefix: string;
}

/** Members that are `undefined` are left out of the document. */
export function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function ref(kind: "schemas" | "responses" | "headers" | "parameters", name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}
