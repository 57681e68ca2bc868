import { withArticle } from "./with-article.ts";
import type { QueryModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { PAGE_HEADERS, READ } from "./collection-paths.ts";
import { formatHeaders, jsonBody, jsonContent, listContent } from "./content.ts";
import { relatedFilterParameters } from "./filter-parameters.ts";
import { compact, type DocumentedResource, operation, type PathEntry, sampled } from "./openapi-types.ts";
import { idParameter, listParameters, shapeParameters, sharedOf } from "./parameters.ts";
import { query as queryParameter } from "./query-parameter.ts";
import { rowsQueryProperties } from "./query-schema.ts";
import { readSecurity } from "./required-scopes.ts";
import { answer, describeNotModified, problems } from "./responses.ts";
import { sampleQuery } from "./sample-operations.ts";
import { schemaRef } from "./schema-names.ts";
import { inputSchema, valueSchema } from "./value-schema.ts";

/** Describes paths such as `/books/trending` and `/books/{id}/summary`. */
export function namedQueryPath(place: DocumentedResource, query: QueryModel): PathEntry {
  const { resource, version } = place;
  const { name, on, deprecated } = query;
  const isItem = on === "item";
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const summary = `${title}${query.output === undefined ? ` ${resource.plural}` : ` of ${isItem ? `${withArticle(resource.name)}` : resource.plural}`}`;
  const id = name + (isItem ? resource.typeName : resource.pluralTypeName);
  const needed = readSecurity(
    place,
    ...(isItem || query.output === undefined ? [resource.access.read] : []),
    query.access,
  );
  const sample = sampleQuery(resource, query);
  const parts = {
    description: query.description,
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
  const errors = [
    ...READ,
    "VALIDATION_FAILED",
    "PRECONDITION_FAILED",
    ...(isItem ? ["NOT_FOUND" as const] : []),
  ] as const;
  const headers = ["ETag", "Preference-Applied", ...(query.output === undefined ? PAGE_HEADERS : [])];
  const responses = (...more: readonly string[]): JsonObject => ({
    "200": result(place, query, more),
    "304": describeNotModified(...new Set([...headers, ...more])),
  });
  const get = operation(resource, id, summary, {
    ...sampled(place, needed, sample),
    ...parts,
    parameters: [...parameters(place, query), ...sharedOf(place, "ifMatch", "ifNoneMatch", "prefer")],
    responses: { ...responses(), ...problems(...errors) },
  });
  const withBody = operation(resource, `${id}ByBody`, `${summary}, by a query in the body`, {
    ...sampled(place, needed, sample, "QUERY"),
    ...parts,
    parameters: sharedOf(
      place,
      ...(query.output === undefined ? (["pageAfter", "pageBefore"] as const) : []),
      ...(["ifMatch", "ifNoneMatch", "prefer"] as const),
    ),
    requestBody: jsonBody(bodySchema(place, query)),
    responses: {
      ...responses("Location"),
      ...problems(...errors, "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    },
  });
  const path = `/${resource.path}${isItem ? "/{id}" : ""}/${kebabCase(name)}`;
  const item = { parameters: isItem ? [idParameter("id", resource)] : undefined, get };
  return [path, compact(version === "3.2" ? { ...item, query: withBody } : item)];
}

function result(place: DocumentedResource, { output }: QueryModel, headers: readonly string[]): JsonObject {
  const { model, resource } = place;
  if (output !== undefined) {
    return answer("The result.", jsonContent(valueSchema(output.type)), ["ETag", "Preference-Applied", ...headers]);
  }
  const rows = { type: "array", items: schemaRef(model, resource) };
  const all = [...PAGE_HEADERS, ...headers, ...formatHeaders(place, resource, "list")];
  return answer(`A list of ${resource.plural}.`, listContent(place, rows, resource), all);
}

/** The members of the input, and for rows the parameters of a list. */
function parameters(place: DocumentedResource, query: QueryModel): readonly JsonObject[] {
  const { properties, required } = inputParts(query);
  const own = Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as JsonObject;
    const about = typeof description === "string" ? description : `The \`${name}\` of the query.`;
    const isObject = rest["type"] === "object" || (Array.isArray(rest["type"]) && rest["type"].includes("object"));
    const style = isObject ? { style: "deepObject", explode: true } : {};
    return queryParameter(name, about, rest, required.includes(name) ? { required: true, ...style } : style);
  });
  if (query.output !== undefined) return own;
  const { resource } = place;
  const list = [...listParameters(place, resource), ...relatedFilterParameters(place, resource)];
  return [...own, ...list, ...shapeParameters(place, resource)];
}

function bodySchema(place: DocumentedResource, query: QueryModel): JsonObject {
  const { properties, required } = inputParts(query);
  const all =
    query.output === undefined ? { ...properties, ...rowsQueryProperties(place, place.resource) } : properties;
  return compact({
    type: "object",
    properties: all,
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  });
}

function inputParts({ input }: QueryModel): { readonly properties: JsonObject; readonly required: readonly string[] } {
  if (input === undefined) return { properties: {}, required: [] };
  const { properties = {}, required = [] } = inputSchema(input.schema, input.type);
  return { properties: properties as JsonObject, required: required as readonly string[] };
}
