import { describeSearch } from "../../lowering/lower-search.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import { offeredRelations } from "../../model/offered.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { aggregateProperties, describesAggregates, groupSortTerms } from "./aggregate-schemas.ts";
import { operatorSchemas } from "./filter-parameters.ts";
import { compact, type OpenApiOptions } from "./openapi-types.ts";
import { DELETED, EXACT_COUNT, sortTerms } from "./parameters.ts";
import { schemaName, schemaRef } from "./schema-names.ts";

/** Returns the schemas of the `QUERY` body (RFC 10008), such as `BookFilter` and `BookQuery`. */
export function querySchemas(
  { model, described }: Pick<OpenApiOptions, "model" | "described">,
  resource: ResourceModel,
): Readonly<Record<string, JsonObject>> {
  const isAggregated = describesAggregates({ described }, resource);
  const rows = rowsQueryProperties({ model, described }, resource, isAggregated ? groupSortTerms(model, resource) : []);
  const properties = {
    ...rows,
    ...(isAggregated ? aggregateProperties(model, resource) : {}),
    ...(resource.softDelete === undefined ? {} : { deleted: DELETED }),
  };
  return {
    [schemaName(model, resource, "filter")]: filterSchema(model, resource),
    [schemaName(model, resource, "query")]: { type: "object", properties, additionalProperties: false },
  };
}

/** Returns the members of a `QUERY` body that requests rows. */
export function rowsQueryProperties(
  { model, described }: Pick<OpenApiOptions, "model" | "described">,
  resource: ResourceModel,
  moreTerms: readonly string[] = [],
): JsonObject {
  const { page } = resource;
  const filter = schemaRef(model, resource, "filter");
  const names: JsonObject = { type: "array", items: { type: "string" } };
  const sorted = [...new Set([...sortTerms(model, resource), ...moreTerms])];
  return compact({
    filter,
    ...(resource.search.length === 0
      ? {}
      : { q: { type: "string", maxLength: 200, description: describeSearch(resource, true) } }),
    ...(sorted.length === 0 ? {} : { sort: { type: "array", items: { type: "string", enum: sorted } } }),
    page: {
      type: "object",
      properties: {
        size: { type: "integer", minimum: 1, maximum: page.max, default: page.size },
        after: { type: "string" },
        before: { type: "string" },
        offset: { type: "integer", minimum: 0 },
      },
      additionalProperties: false,
    },
    count: resource.exactCount ? EXACT_COUNT : { type: "boolean", default: false },
    ...(described === "all" ? { fields: names } : {}),
    ...(offeredRelations(model, resource).length === 0
      ? {}
      : { include: names, rel: { type: "object", additionalProperties: true } }),
  });
}

function filterSchema(model: Model, resource: ResourceModel): JsonObject {
  const self = schemaRef(model, resource, "filter");
  const properties: Record<string, Json> = {};
  for (const field of resource.visibleFields) {
    if (!field.filterable) continue;
    const operators = { type: "object", properties: operatorSchemas(field), additionalProperties: false };
    const { eq } = operators.properties as { readonly eq?: JsonObject };
    properties[field.name] = eq === undefined ? operators : { anyOf: [eq, operators] };
  }
  for (const relation of offeredRelations(model, resource)) {
    const far = schemaRef(model, model.resources.get(relation.target) as ResourceModel, "filter");
    const quantified = {
      type: "object",
      properties: { some: far, every: far, none: far },
      additionalProperties: false,
    };
    properties[relation.name] = relation.many ? quantified : far;
  }
  const branches = { type: "array", items: self };
  return {
    type: "object",
    description: "All conditions must match.",
    properties: { ...properties, and: branches, or: branches, not: self },
    additionalProperties: false,
  };
}
