import type { JsonObject } from "../../util/json.ts";
import { jsonContent } from "./content.ts";
import type { PathEntry } from "./openapi-types.ts";
import { shared } from "./parameters.ts";
import { answer, NOT_MODIFIED, problems } from "./responses.ts";

/** The index and this document itself. */
export function documentPaths(): readonly PathEntry[] {
  const text = { type: "string" };
  const index: JsonObject = {
    type: "object",
    properties: {
      title: text,
      version: text,
      collections: { type: "object", additionalProperties: text },
      graphql: text,
      openapi: text,
    },
    required: ["title", "version", "collections", "graphql", "openapi"],
  };
  return [
    ["/", document("getIndex", "The collections of the API", index)],
    ["/openapi.json", document("getOpenApi", "The OpenAPI document of the API", { type: "object" })],
  ];
}

function document(operationId: string, summary: string, schema: JsonObject): JsonObject {
  return {
    get: {
      operationId,
      summary,
      description: `${summary}.`,
      tags: ["documents"],
      parameters: [...shared("ifNoneMatch")],
      responses: {
        "200": answer(`${summary}.`, jsonContent(schema), ["ETag"]),
        "304": NOT_MODIFIED,
        ...problems("NOT_ACCEPTABLE"),
      },
    },
  };
}
