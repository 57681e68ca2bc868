import { withArticle } from "./with-article.ts";
import type { ActionModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { READ, WRITE, WRITTEN_HEADERS } from "./collection-paths.ts";
import { formatHeaders, itemContent, jsonBody, jsonContent } from "./content.ts";
import { compact, operation, type PathEntry, type DocumentedResource, sampled } from "./openapi-types.ts";
import { idParameter, shapeParameters, sharedOf } from "./parameters.ts";
import { security } from "./required-scopes.ts";
import { answer, currentRow, minimal, problems } from "./responses.ts";
import { sampleAction } from "./sample-operations.ts";
import { schemaRef } from "./schema-names.ts";
import { inputSchema, valueSchema } from "./value-schema.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { answersRow } from "../write/handle-action.ts";

/** Describes paths such as `/books/{id}/publish` and `/books/discount`. */
export function actionPath(place: DocumentedResource, action: ActionModel): PathEntry {
  const { resource } = place;
  const { name, on, input, deprecated } = action;
  const isItem = on === "item";
  const suffix = isItem ? resource.typeName : resource.pluralTypeName;
  const what = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${isItem ? `${withArticle(resource.name)}` : resource.plural}`;
  const rules = isItem ? [resource.access.read, action.access] : [action.access];
  const post = operation(resource, name + suffix, what, {
    ...sampled(place, security(place, ...rules), sampleAction(resource, action)),
    description: action.description,
    parameters: [
      ...(answersRow(action) ? shapeParameters(place, resource) : []),
      ...sharedOf(place, ...(isItem ? (["ifMatch"] as const) : []), "prefer", "idempotencyKey"),
    ],
    requestBody:
      input === undefined ? undefined : jsonBody(inputSchema(input.schema, input.type), [JSON_TYPE], !input.optional),
    responses: {
      ...answers(place, action),
      ...problems(
        ...(input === undefined ? [...READ, "CONFLICT" as const] : WRITE),
        "PRECONDITION_FAILED",
        ...(isItem ? (["NOT_FOUND"] as const) : []),
      ),
    },
    ...(deprecated === undefined ? {} : { deprecated: true }),
  });
  const path = `/${resource.path}${isItem ? "/{id}" : ""}/${kebabCase(name)}`;
  return [path, compact({ parameters: isItem ? [idParameter("id", resource)] : undefined, post })];
}

function answers(place: DocumentedResource, action: ActionModel): JsonObject {
  const { model, resource } = place;
  if (action.output !== undefined) {
    return { "200": answer("The result.", jsonContent(valueSchema(action.output.type)), WRITTEN_HEADERS) };
  }
  if (action.on === "collection") return { "204": answer("Done.", undefined, WRITTEN_HEADERS) };
  const headers = ["ETag", ...WRITTEN_HEADERS];
  const row = itemContent(place, schemaRef(model, resource), resource);
  return {
    "200": answer(currentRow(place), row, [...headers, ...formatHeaders(place, resource, "item")]),
    ...minimal(place, "Done", headers),
  };
}
