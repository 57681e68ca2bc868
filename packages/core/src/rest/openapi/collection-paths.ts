import { withArticle } from "./with-article.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { describesAggregates, rowsOrGroups } from "./aggregate-schemas.ts";
import {
  eventContent,
  formatHeaders,
  inputBody,
  isWatched,
  itemContent,
  jsonBody,
  jsonContent,
  listContent,
  mergePatchBody,
} from "./content.ts";
import { inputExample } from "./examples.ts";
import { type PathEntry, type DocumentedResource, compact, operation, sampled } from "./openapi-types.ts";
import { relatedFilterParameters } from "./filter-parameters.ts";
import { conditionParameters, deletedParameters, listParameters, shapeParameters, sharedOf } from "./parameters.ts";
import { readSecurity, security } from "./required-scopes.ts";
import { answer, describeNotModified, minimal, preconditionErrors, problems } from "./responses.ts";
import { sampleCreate, sampleDeleteMany, sampleList, sampleUpdateMany } from "./sample-operations.ts";
import { schemaRef } from "./schema-names.ts";

export const READ = ["BAD_REQUEST", "UNAUTHENTICATED", "FORBIDDEN", "NOT_ACCEPTABLE"] as const;
export const WRITE = [...READ, "CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"] as const;
export const PAGE_HEADERS = ["ETag", "Link", "Total-Count", "Preference-Applied"];

export const WRITTEN_HEADERS = ["Preference-Applied", "Idempotent-Replayed"];
export const CREATED_HEADERS = ["ETag", "Location", ...WRITTEN_HEADERS];

/**
 * Returns a schema for one row, or for a row or a list if the resource supports bulk creates and the document describes
 * them.
 */
export function orMany(
  { described }: Pick<DocumentedResource, "described">,
  one: JsonObject,
  { bulk, access, operations }: ResourceModel,
  what: "input" | "answer",
): JsonObject {
  const { create, createMany } = operations.rest;
  if (!createMany || (described === "json" && create)) return one;
  // The caller may create a row that it can't read.
  const isAlwaysRead = what === "input" || access.read.kind === "allow";
  const items = isAlwaysRead ? one : { anyOf: [one, { type: "null" }] };
  const bounds = what === "input" ? { minItems: 1, maxItems: bulk.create } : {};
  const many: JsonObject = { type: "array", items, ...bounds };
  return create ? { oneOf: [one, many] } : many;
}

/** Describes paths such as `/books`. */
export function collectionPath(place: DocumentedResource): PathEntry {
  const { model, resource, version } = place;
  const { plural, typeName, pluralTypeName, operations, access } = resource;
  const row = schemaRef(model, resource);
  const rows: JsonObject = { type: "array", items: row };
  const listed = rowsOrGroups(place, rows, resource);
  const list = answer(`A list of ${plural}.`, { ...listContent(place, listed, resource), ...eventContent(place) }, [
    ...PAGE_HEADERS,
    ...formatHeaders(place, resource, "list"),
  ]);
  const found = answer(`A list of ${plural}.`, listContent(place, listed, resource), [
    ...PAGE_HEADERS,
    "Location",
    ...formatHeaders(place, resource, "list"),
  ]);
  const input = schemaRef(model, resource, "create");
  const created = answer("Created.", itemContent(place, orMany(place, row, resource, "answer"), resource), [
    ...CREATED_HEADERS,
    ...formatHeaders(place, resource, "item"),
  ]);
  const item: Record<string, JsonObject | undefined> = {
    get: operation(resource, `list${pluralTypeName}`, `List ${plural}`, {
      ...sampled(place, readSecurity(place, access.read), sampleList(resource)),
      description: describeList(place),
      parameters: [
        ...listParameters(place, resource, describesAggregates(place, resource)),
        ...deletedParameters(resource),
        ...relatedFilterParameters(place, resource),
        ...shapeParameters(place, resource),
        ...sharedOf(place, ...(isWatched(place) ? (["initial"] as const) : []), "ifMatch", "ifNoneMatch", "prefer"),
      ],
      responses: {
        "200": list,
        "304": describeNotModified(...PAGE_HEADERS),
        ...problems(...READ, "PRECONDITION_FAILED"),
      },
    }),
    post: operation(resource, `create${typeName}`, `Create ${withArticle(resource.name)}`, {
      ...sampled(place, security(place, access.create), sampleCreate(resource)),
      description:
        operations.rest.createMany && place.described === "all"
          ? `Creates one ${resource.name}, or several, all or none.`
          : undefined,
      parameters: [...shapeParameters(place, resource), ...sharedOf(place, "prefer", "idempotencyKey")],
      requestBody: inputBody(place, orMany(place, input, resource, "input"), inputExample(resource, "create")),
      responses: { "201": created, ...problems(...WRITE, "PRECONDITION_FAILED") },
    }),
    patch: operations.rest.updateMany ? updateMany(place, rows) : undefined,
    delete: operations.rest.deleteMany ? deleteMany(place) : undefined,
    query:
      version === "3.2"
        ? operation(resource, `query${pluralTypeName}`, `List ${plural} by a query in the body`, {
            ...sampled(place, readSecurity(place, access.read), sampleList(resource), "QUERY"),
            parameters: [...sharedOf(place, "pageAfter", "pageBefore", "ifMatch", "ifNoneMatch", "prefer")],
            requestBody: jsonBody(schemaRef(model, resource, "query")),
            responses: {
              "200": found,
              "304": describeNotModified(...PAGE_HEADERS, "Location"),
              ...problems(...READ, "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "PRECONDITION_FAILED"),
            },
          })
        : undefined,
  };
  return [`/${resource.path}`, compact(item)];
}

function describeList(place: DocumentedResource): string {
  const { plural } = place.resource;
  if (place.described === "json") return `A page of ${plural}.`;
  const events = isWatched(place) ? " As an event stream, changes." : "";
  return `A page of ${plural}. As CSV or NDJSON without page parameters, the whole list.${events}`;
}

function updateMany(place: DocumentedResource, rows: JsonObject): JsonObject {
  const { resource } = place;
  const { plural, pluralTypeName, bulk } = resource;
  const done = place.described === "all" ? { oneOf: [countSchema("updated"), rows] } : countSchema("updated");
  return operation(resource, `update${pluralTypeName}`, `Update all matching ${plural}`, {
    ...sampled(place, security(place, resource.access.read, resource.access.update), sampleUpdateMany(resource)),
    description: `Applies the same changes to all matching rows (at most ${bulk.update}), or to none. ${requiredCondition(resource)}`,
    parameters: [
      ...conditionParameters(resource, false),
      ...(place.described === "all" ? shapeParameters(place, resource) : []),
      ...sharedOf(place, "ifMatchMany", "prefer", "idempotencyKey"),
    ],
    requestBody: mergePatchBody(place, schemaRef(place.model, resource, "update")),
    responses: {
      "200": answer(
        place.described === "all"
          ? "The number of updated rows and their ids, or the rows if preferred."
          : "The number of updated rows and their ids.",
        jsonContent(done),
        WRITTEN_HEADERS,
      ),
      ...minimal(place, "Done", WRITTEN_HEADERS),
      ...problems(...WRITE, ...preconditionErrors(resource)),
    },
  });
}

function deleteMany(place: DocumentedResource): JsonObject {
  const { resource } = place;
  const { plural, pluralTypeName, bulk } = resource;
  return operation(resource, `delete${pluralTypeName}`, `Delete all matching ${plural}`, {
    ...sampled(place, security(place, resource.access.read, resource.access.delete), sampleDeleteMany(resource)),
    description: `Deletes all matching rows (at most ${bulk.delete}), or none. ${requiredCondition(resource)}`,
    parameters: [
      ...conditionParameters(resource, false),
      ...sharedOf(place, "ifMatchMany", "prefer", "idempotencyKey"),
    ],
    responses: {
      "200": answer("The number of deleted rows and their ids.", jsonContent(countSchema("deleted")), WRITTEN_HEADERS),
      ...minimal(place, "Deleted", WRITTEN_HEADERS),
      ...problems(...READ, "CONFLICT", ...preconditionErrors(resource)),
    },
  });
}

function requiredCondition({ search }: ResourceModel): string {
  return search.length === 0 ? "A filter is required." : "A filter or `q` is required.";
}

function countSchema(what: "updated" | "deleted"): JsonObject {
  const properties = { [what]: { type: "integer" }, ids: { type: "array", items: { type: ["string", "integer"] } } };
  return { type: "object", properties, required: [what, "ids"] };
}
