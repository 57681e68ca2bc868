import type { JsonObject } from "../../util/json.ts";
import { documentSample } from "./code-samples.ts";
import type { Format } from "../formats/format.ts";
import { jsonContent } from "./content.ts";
import type { PathEntry } from "./openapi-types.ts";
import { shared } from "./parameters.ts";
import { answer, describeNotModified, problems } from "./responses.ts";

/** Describes the index and the OpenAPI document itself. */
export function documentPaths(formats: readonly Format[], hasSchemes: boolean, prefix: string): readonly PathEntry[] {
  const text = { type: "string" };
  const index: JsonObject = {
    type: "object",
    properties: {
      title: text,
      version: text,
      collections: { type: "object", additionalProperties: text },
      graphql: text,
      openapi: text,
      docs: text,
    },
    required: ["title", "version", "collections", "graphql", "openapi"],
  };
  const pages = formats.flatMap((format): [string, JsonObject][] =>
    format.index === undefined ? [] : [[format.mediaType, { schema: text }]],
  );
  const contents = { ...jsonContent(index), ...Object.fromEntries(pages) };
  const headers = formats.flatMap(({ pageHeaders = {} }) => Object.keys(pageHeaders));
  // Everyone may read them.
  const security = hasSchemes ? { security: [] } : {};
  const parts = (path: string): JsonObject => ({ ...security, ...documentSample(prefix, path) });
  return [
    ["/", document("getIndex", "The collections of the API", contents, parts("/"), headers)],
    [
      "/client.json",
      document(
        "getClient",
        "The description of the API for its clients",
        jsonContent({ type: "object" }),
        parts("/client.json"),
      ),
    ],
    [
      "/openapi.json",
      document(
        "getOpenApi",
        "The OpenAPI document of the API",
        jsonContent({ type: "object" }),
        parts("/openapi.json"),
        [],
        ["formats"],
      ),
    ],
  ];
}

function document(
  operationId: string,
  summary: string,
  content: JsonObject,
  parts: JsonObject,
  headers: readonly string[] = [],
  parameters: readonly string[] = [],
): JsonObject {
  return {
    get: {
      operationId,
      summary,
      description: `${summary}.`,
      tags: ["documents"],
      ...parts,
      parameters: shared(...parameters, "ifNoneMatch"),
      responses: {
        "200": answer(`${summary}.`, content, ["ETag", ...headers]),
        "304": describeNotModified("ETag"),
        ...problems(
          ...(parameters.length > 0 ? ["BAD_REQUEST" as const] : []),
          "NOT_ACCEPTABLE",
          "PRECONDITION_FAILED",
        ),
      },
    },
  };
}
