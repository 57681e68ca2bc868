import { capitalArticle, withArticle } from "./with-article.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { CREATED_HEADERS, READ, WRITE, WRITTEN_HEADERS } from "./collection-paths.ts";
import { eventContent, formatHeaders, inputBody, isWatched, itemContent, jsonContent, patchBody } from "./content.ts";
import { inputExample } from "./examples.ts";
import { type PathEntry, type DocumentedResource, operation, sampled } from "./openapi-types.ts";
import { deletedParameters, idParameter, shapeParameters, sharedOf } from "./parameters.ts";
import { readSecurity, security } from "./required-scopes.ts";
import { answer, currentRow, describeNotModified, minimal, preconditionErrors, problems } from "./responses.ts";
import { sampleChange, sampleDelete, sampleGet } from "./sample-operations.ts";
import { schemaRef } from "./schema-names.ts";

/** Describes paths such as `/books/{id}`. */
export function itemPath(place: DocumentedResource): PathEntry {
  const { model, resource } = place;
  const { name, typeName, upsert, access } = resource;
  const row = schemaRef(model, resource);
  const changes = preconditionErrors(resource);
  const ofFormats = formatHeaders(place, resource, "item");
  const changed = answer(currentRow(place), itemContent(place, row, resource), [
    "ETag",
    ...WRITTEN_HEADERS,
    ...ofFormats,
  ]);
  const empty = minimal(place, "Done", ["ETag", ...WRITTEN_HEADERS]);
  const made = answer("Created.", itemContent(place, row, resource), [...CREATED_HEADERS, ...ofFormats]);
  const parameters = [...shapeParameters(place, resource), ...sharedOf(place, "ifMatch", "prefer", "idempotencyKey")];
  const refused = problems(...WRITE, "NOT_FOUND", ...changes);
  return [
    `/${resource.path}/{id}`,
    {
      parameters: [idParameter("id", resource)],
      get: operation(resource, `get${typeName}`, `Get ${withArticle(name)}`, {
        ...sampled(place, readSecurity(place, access.read), sampleGet(resource)),
        description: isWatched(place) ? `Gets ${withArticle(name)}. As an event stream, its changes.` : undefined,
        parameters: [
          ...deletedParameters(resource),
          ...shapeParameters(place, resource),
          ...sharedOf(place, ...(isWatched(place) ? (["initial"] as const) : []), "ifMatch", "ifNoneMatch", "prefer"),
        ],
        responses: {
          "200": answer(`${capitalArticle(name)}.`, { ...itemContent(place, row, resource), ...eventContent(place) }, [
            "ETag",
            "Preference-Applied",
            ...ofFormats,
          ]),
          "304": describeNotModified("ETag", "Preference-Applied"),
          ...problems(...READ, "NOT_FOUND", "PRECONDITION_FAILED"),
        },
      }),
      put: operation(resource, `replace${typeName}`, `Replace ${withArticle(name)}`, {
        ...sampled(place, security(place, access.read, access.update), sampleChange("replace", resource)),
        description: upsert ? `Replaces ${withArticle(name)}, or creates it if it doesn't exist.` : undefined,
        parameters: upsert ? [...parameters, ...sharedOf(place, "ifNone")] : parameters,
        requestBody: inputBody(place, schemaRef(model, resource, "replace"), inputExample(resource, "replace")),
        responses: { "200": changed, ...(upsert ? { "201": made } : {}), ...empty, ...refused },
      }),
      patch: operation(resource, `update${typeName}`, `Update ${withArticle(name)}`, {
        ...sampled(place, security(place, access.read, access.update), sampleChange("update", resource)),
        parameters,
        requestBody: patchBody(place, schemaRef(model, resource, "update"), inputExample(resource, "update")),
        responses: { "200": changed, ...empty, ...refused },
      }),
      delete: operation(resource, `delete${typeName}`, `Delete ${withArticle(name)}`, {
        ...sampled(place, security(place, access.read, access.delete), sampleDelete(resource)),
        parameters: [...sharedOf(place, "ifMatch", "prefer", "idempotencyKey")],
        responses: {
          "200": answer("Deleted.", jsonContent(deletedSchema(resource)), WRITTEN_HEADERS),
          ...minimal(place, "Deleted", WRITTEN_HEADERS),
          ...problems(...READ, "NOT_FOUND", "CONFLICT", ...changes),
        },
      }),
    },
  ];
}

function deletedSchema({ key, fields }: ResourceModel): JsonObject {
  const kind = key.length === 1 ? fields.get(key[0] as string)?.type.kind : undefined;
  const id = { type: kind === "integer" ? "integer" : "string" };
  return { type: "object", properties: { deleted: { const: true }, id }, required: ["deleted", "id"] };
}
