import type { Model, ResourceModel } from "../../model/model.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { operatorSchemas } from "./filter-parameters.ts";
import type { OpenApiOptions } from "./openapi-types.ts";
import { EXACT_COUNT, sortTerms } from "./parameters.ts";
import { schemaName, schemaRef } from "./schema-names.ts";

/** Returns the schemas of the `QUERY` body (RFC 10008), such as `BookFilter` and `BookQuery`. */
export function querySchemas(
  { model, described }: Pick<OpenApiOptions, "model" | "described">,
  resource: ResourceModel,
): Readonly<Record<string, JsonObject>> {
  const { page, relations } = resource;
  const filter = schemaRef(model, resource, "filter");
  const terms = sortTerms(model, resource);
  const names: JsonObject = { type: "array", items: { type: "string" } };
  const query: Record<string, JsonObject> = {
    filter,
    ...(terms.length === 0 ? {} : { sort: { type: "array", items: { type: "string", enum: terms } } }),
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
    ...(relations.size === 0 ? {} : { include: names, rel: { type: "object", additionalProperties: true } }),
  };
  return {
    [schemaName(model, resource, "filter")]: filterSchema(model, resource),
    [schemaName(model, resource, "query")]: { type: "object", properties: query, additionalProperties: false },
  };
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
  for (const relation of resource.relations.values()) {
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
