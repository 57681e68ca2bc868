import type { JsonObject } from "../../util/json.ts";
import { aggregateProperties, groupSortTerms } from "./aggregate-schemas.ts";
import { PAGE_HEADERS, READ } from "./collection-paths.ts";
import { formatHeaders, groupsContent, jsonBody } from "./content.ts";
import { relatedFilterParameters } from "./filter-parameters.ts";
import { compact, type DocumentedResource, operation, type PathEntry, sampled } from "./openapi-types.ts";
import { groupParameters, sharedOf } from "./parameters.ts";
import { rowsQueryProperties } from "./query-schema.ts";
import { readSecurity } from "./required-scopes.ts";
import { answer, describeNotModified, problems } from "./responses.ts";
import { sampleGroups } from "./sample-operations.ts";
import { schemaRef } from "./schema-names.ts";

/** Describes `/books/aggregate`, whose responses always contain groups. */
export function aggregatePath(place: DocumentedResource, segment: string): PathEntry {
  const { model, resource, version } = place;
  const groups = { type: "array", items: schemaRef(model, resource, "aggregate") };
  const needed = readSecurity(place, resource.access.read);
  const sample = sampleGroups(resource);
  const id = `aggregate${resource.pluralTypeName}`;
  const summary = `Compute values from groups of ${resource.plural}`;
  const answered = (...headers: readonly string[]): JsonObject => ({
    "200": answer(`Groups of ${resource.plural}.`, groupsContent(place, groups), [
      ...PAGE_HEADERS,
      ...headers,
      ...formatHeaders(place, resource, "groups"),
    ]),
    "304": describeNotModified(...PAGE_HEADERS, ...headers),
  });
  const get = operation(resource, id, summary, {
    ...sampled(place, needed, sample),
    description: "Without `aggregate` and `group`, the response contains the number of rows.",
    parameters: [
      ...groupParameters(model, resource),
      ...relatedFilterParameters(place, resource),
      ...sharedOf(place, "ifMatch", "ifNoneMatch", "prefer"),
    ],
    responses: { ...answered(), ...problems(...READ, "PRECONDITION_FAILED") },
  });
  const withBody = operation(resource, `${id}ByBody`, `${summary} by a query in the body`, {
    ...sampled(place, needed, sample, "QUERY"),
    parameters: sharedOf(place, "pageAfter", "pageBefore", "ifMatch", "ifNoneMatch", "prefer"),
    requestBody: jsonBody(bodySchema(place)),
    responses: {
      ...answered("Location"),
      ...problems(...READ, "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "PRECONDITION_FAILED"),
    },
  });
  return [`/${resource.path}/${segment}`, compact(version === "3.2" ? { get, query: withBody } : { get })];
}

function bodySchema(place: DocumentedResource): JsonObject {
  const { model, resource } = place;
  const { filter, q, page } = rowsQueryProperties(place, resource);
  const sort = { type: "array", items: { type: "string", enum: [...groupSortTerms(model, resource)] } };
  const properties = compact({ ...aggregateProperties(model, resource), filter, q, sort, page });
  return { type: "object", properties, additionalProperties: false };
}
