import type { ResourceModel } from "../../model/model.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import type { Format } from "../formats/format.ts";
import { inputTypes, JSON_PATCH, MERGE_PATCH } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { rowExample } from "./examples.ts";
import { EVENT_STREAM } from "../../message/event-stream.ts";
import { compact, type DocumentedResource, type OpenApiFormats, ref } from "./openapi-types.ts";
import { schemaRef } from "./schema-names.ts";

/** Describes one row in each format that supports single rows. */
export function itemContent({ formats }: DocumentedResource, schema: JsonObject, of: ResourceModel): JsonObject {
  return content(schema, rowExample(of), formats, (format) => format.item !== undefined);
}

/** Describes a list in each format that supports lists. */
export function listContent({ formats }: DocumentedResource, schema: JsonObject, of: ResourceModel): JsonObject {
  const example = rowExample(of);
  return content(
    schema,
    example && [example],
    formats,
    ({ list, stream }) => list !== undefined || stream !== undefined,
  );
}

/** Describes groups in each format that supports them. */
export function groupsContent({ formats }: DocumentedResource, schema: JsonObject): JsonObject {
  return content(schema, undefined, formats, ({ groups }) => groups !== undefined);
}

/** Returns the additional headers of those formats. */
export function formatHeaders(
  { formats }: DocumentedResource,
  of: ResourceModel,
  kind: "item" | "list" | "groups",
): readonly string[] {
  const writing = formats.filter((format) => (kind === "list" ? (format.list ?? format.stream) : format[kind]));
  return [...new Set(writing.flatMap(({ headers }) => Object.keys(headers?.(of) ?? {})))];
}

/** Whether the document describes event streams of the resource. */
export function isWatched({ described, resource }: Pick<DocumentedResource, "described" | "resource">): boolean {
  return described === "all" && resource.operations.rest.watch;
}

/** Describes the events of an event stream. OpenAPI 3.1 can only describe it as text. */
export function eventContent({ model, version, described, resource }: DocumentedResource): JsonObject {
  if (!isWatched({ described, resource })) return {};
  const event = {
    type: "object",
    properties: {
      id: { type: "string" },
      event: { type: "string", enum: ["current", "created", "updated", "deleted", "left", "reset", "error"] },
      data: {
        type: "string",
        contentMediaType: JSON_TYPE,
        contentSchema: schemaRef(model, resource),
      },
    },
    required: ["event", "data"],
  };
  return { [EVENT_STREAM]: version === "3.2" ? { itemSchema: event } : { schema: { type: "string" } } };
}

function content(
  schema: JsonObject,
  example: Json | undefined,
  formats: readonly Format[],
  writes: (format: Format) => boolean,
): JsonObject {
  const others = formats
    .filter(writes)
    .map((format): [string, Json] => [format.mediaType, { schema: schemaOf(format.mediaType) }]);
  return { [JSON_TYPE]: compact({ schema, example }), ...Object.fromEntries(others) };
}

/** Describes a format other than JSON only by its general type. */
function schemaOf(mediaType: string): JsonObject {
  return mediaType.endsWith("+json") ? { type: "object" } : { type: "string" };
}

/** Describes the fields of a row in each media type from which they can be read. */
export function inputBody(
  { formats }: Pick<DocumentedResource, "formats">,
  schema: JsonObject,
  example: JsonObject | undefined,
): JsonObject {
  const types = inputTypes({ formats });
  return {
    required: true,
    content: Object.fromEntries(
      types.map((type) => [type, type === JSON_TYPE ? compact({ schema, example }) : { schema: schemaOf(type) }]),
    ),
  };
}

export function patchBody(place: DocumentedResource, schema: JsonObject, example: JsonObject | undefined): JsonObject {
  if (place.described === "json") return inputBody(place, schema, example);
  const { content: inputs } = inputBody(place, schema, example) as { readonly content: JsonObject };
  const patch = { schema: ref("schemas", "JsonPatch") };
  return { required: true, content: { [MERGE_PATCH]: compact({ schema, example }), ...inputs, [JSON_PATCH]: patch } };
}

/** Describes a merge patch, which `application/json` means as well. */
export function mergePatchBody({ described }: { readonly described: OpenApiFormats }, schema: JsonObject): JsonObject {
  return jsonBody(schema, described === "all" ? [MERGE_PATCH, JSON_TYPE] : [JSON_TYPE]);
}

export function jsonBody(schema: JsonObject, types: readonly string[] = [JSON_TYPE], isRequired = true): JsonObject {
  return { required: isRequired, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

export function jsonContent(schema: JsonObject): JsonObject {
  return { [JSON_TYPE]: { schema } };
}
