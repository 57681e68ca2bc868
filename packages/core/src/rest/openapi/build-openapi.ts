import type { Json, JsonObject } from "../../util/json.ts";
import { compact, type OpenApiOptions } from "./openapi-types.ts";
import { resourcePaths } from "./resource-paths.ts";
import { HEADERS, problemResponses } from "./responses.ts";
import { componentSchemas } from "./schemas.ts";

/** The OpenAPI 3.1 document of an API. */
export function buildOpenApi({ model, info, schemes, prefix }: OpenApiOptions): JsonObject {
  const names = Object.keys(schemes);
  return compact({
    openapi: "3.1.1",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: { ...info },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    tags: [...model.resources.values()].map(({ plural, description }) => compact({ name: plural, description })),
    paths: Object.fromEntries([...model.resources.values()].flatMap((resource) => resourcePaths(model, resource))),
    components: {
      schemas: componentSchemas(model),
      responses: problemResponses(),
      headers: HEADERS,
      securitySchemes: schemes as Readonly<Record<string, Json>> as JsonObject,
    },
    // Nobody must show a credential, as far as the document knows: each resource has rules of its own.
    security: names.length === 0 ? undefined : [{}, ...names.map((name) => ({ [name]: [] }))],
  });
}
