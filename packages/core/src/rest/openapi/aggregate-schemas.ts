import { AGGREGATE_FUNCTIONS } from "../../definition/aggregate-functions.ts";
import type { MeasureModel, Model, ResourceModel } from "../../model/model.ts";
import { offeredGroups } from "../../model/offered.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import type { DocumentedResource } from "./openapi-types.ts";
import { operatorSchemas } from "./filter-parameters.ts";
import { query } from "./query-parameter.ts";
import { schemaName, schemaRef } from "./schema-names.ts";
import { valueSchema } from "./value-schema.ts";

type Described = Pick<DocumentedResource, "model" | "described">;

/** Whether the document describes groups as results of a list. Like partial rows, only the document of all formats does. */
export function describesAggregates({ described }: Pick<Described, "described">, resource: ResourceModel): boolean {
  return described === "all" && resource.aggregates.isDeclared;
}

/** Returns the parameters that request groups. `about` describes `aggregate`. */
export function aggregateParameters(model: Model, resource: ResourceModel, about: string): readonly JsonObject[] {
  const { aggregate, group } = aggregateProperties(model, resource);
  const form = { style: "form", explode: false };
  return [
    query("aggregate", about, aggregate as JsonObject, form),
    ...(group === undefined
      ? []
      : [query("group", "Values by which rows are grouped, separated by commas.", group as JsonObject, form)]),
    query("having", "Conditions on groups: `having[count][gte]=10`.", havingSchema(resource, unboundedSchemas), {
      style: "deepObject",
      explode: true,
    }),
  ];
}

/** Returns the schemas of `aggregate`, `group` and `having`. */
export function aggregateProperties(model: Model, resource: ResourceModel): Readonly<Record<string, Json | undefined>> {
  const { measures } = resource.aggregates;
  const groups = offeredGroups(model, resource).map(({ name }) => name);
  return {
    aggregate: listOf([...measures.keys()]),
    ...(groups.length === 0 ? {} : { group: listOf(groups) }),
    having: havingSchema(resource, operatorSchemas),
  };
}

function havingSchema({ aggregates }: ResourceModel, schemasOf: (measure: MeasureModel) => JsonObject): JsonObject {
  const properties = [...aggregates.measures.values()].map((measure) => [
    measure.name,
    { type: "object", properties: schemasOf(measure), additionalProperties: false },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) as JsonObject, additionalProperties: true };
}

/** The lists have no bounds, because validators such as Prism read a list that a `deepObject` lacks as an empty one. */
function unboundedSchemas(measure: MeasureModel): JsonObject {
  const schemas = Object.entries(operatorSchemas(measure)) as readonly (readonly [string, JsonObject])[];
  return Object.fromEntries(schemas.map(([name, { minItems: _least, maxItems: _most, ...schema }]) => [name, schema]));
}

function listOf(names: readonly string[]): JsonObject {
  return { type: "array", items: { type: "string", enum: [...names] } };
}

/** Returns the terms by which groups can be sorted. */
export function groupSortTerms(model: Model, resource: ResourceModel): readonly string[] {
  const groups = offeredGroups(model, resource).map(({ name }) => name);
  return [...resource.aggregates.measures.keys(), ...groups].flatMap((name) => [name, `-${name}`]);
}

/** Returns `BookAggregate`, the schema of one group. */
export function aggregateSchema(model: Model, resource: ResourceModel): Readonly<Record<string, JsonObject>> {
  const { measures } = resource.aggregates;
  const of = (name: string): readonly MeasureModel[] => [...measures.values()].filter((one) => one.function === name);
  const values = AGGREGATE_FUNCTIONS.flatMap((name) => {
    const own = of(name).map(({ field = "", type }) => [field, valueSchema(type)] as const);
    return own.length === 0 ? [] : [[name, { type: "object", properties: Object.fromEntries(own) }] as const];
  });
  const keys = offeredGroups(model, resource).map(({ name, type }) => [name, valueSchema(type)] as const);
  return {
    [schemaName(model, resource, "aggregate")]: {
      type: "object",
      description: "A group of rows, with the requested values only.",
      properties: {
        group: { type: "object", properties: Object.fromEntries(keys) },
        count: { type: "integer" },
        ...Object.fromEntries(values),
      },
      required: ["group"],
    },
  };
}

/** Returns the schema of a list of rows or, if the request asks for them, of groups. */
export function rowsOrGroups(place: Described, rows: JsonObject, resource: ResourceModel): JsonObject {
  if (!describesAggregates(place, resource)) return rows;
  return { anyOf: [rows, { type: "array", items: schemaRef(place.model, resource, "aggregate") }] };
}
