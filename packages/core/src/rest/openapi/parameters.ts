import { type OperandKind, OPERATORS } from "../../definition/operators.ts";
import type { FieldModel, Model, ResourceModel } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
import { sortPaths } from "../../lowering/lower-sort.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { ref } from "./openapi-types.ts";
import { valueSchema } from "./value-schema.ts";

function query(name: string, description: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, in: "query", description, schema, ...more };
}

function header(name: string, description: string, schema: JsonObject = { type: "string" }): JsonObject {
  return { name, in: "header", description, schema };
}

/** Parameters that many operations share. */
export const PARAMETERS: Readonly<Record<string, JsonObject>> = {
  fields: query("fields", "Fields to return, separated by commas. Use dots for fields of relations.", {
    type: "string",
  }),
  rel: query(
    "rel",
    "Filter, sort and page of an embedded list: `rel[name][filter]`, `rel[name][sort]` and `rel[name][page]`.",
    { type: "object", additionalProperties: true },
    { style: "deepObject", explode: true },
  ),
  pageAfter: query("page[after]", "Only rows after this cursor.", { type: "string" }),
  pageBefore: query("page[before]", "Only rows before this cursor.", { type: "string" }),
  pageOffset: query("page[offset]", "Number of rows to skip.", { type: "integer", minimum: 0 }),
  count: query("count", "Whether to return the total number of matching rows in `Total-Count`.", {
    type: "boolean",
    default: false,
  }),
  initial: query("initial", "For event streams: whether to send the existing rows first.", {
    type: "boolean",
    default: false,
  }),
  ifMatch: header("If-Match", "Succeeds only if the row has one of these versions (RFC 9110 §13.1.1)."),
  ifNoneMatch: header("If-None-Match", "Returns 304 if the client already has this version (RFC 9110 §13.1.2)."),
  ifNone: header("If-None-Match", "`*`: succeeds only if the row doesn't exist yet (RFC 9110 §13.1.2)."),
  prefer: header("Prefer", "`return=minimal`, `return=representation`, `handling=lenient` (RFC 7240)."),
  idempotencyKey: header(
    "Idempotency-Key",
    "A unique key of the request. Retries with the same key are executed only once.",
    {
      type: "string",
      minLength: 1,
      maxLength: 257,
    },
  ),
};

export function shared(...names: readonly (keyof typeof PARAMETERS)[]): readonly JsonObject[] {
  return names.map((name) => ref("parameters", name));
}

export function idParameter(name: string, resource: ResourceModel): JsonObject {
  const [only, ...others] = resource.key;
  const field = others.length === 0 ? resource.fields.get(only as string) : undefined;
  const schema: JsonObject = field === undefined ? { type: "string" } : valueSchema(field.type);
  const parts = others.length === 0 ? "" : `: ${resource.key.join(", ")}, joined by commas`;
  return { name, in: "path", required: true, description: `The id of a ${resource.name}${parts}.`, schema };
}

/** Returns the parameters that select the contents of rows. */
export function shapeParameters(resource: ResourceModel): readonly JsonObject[] {
  if (resource.relations.size === 0) return shared("fields");
  const names = [...resource.relations.keys()].join(", ");
  const include = `Relations to embed, separated by commas; use dots for nested relations. Available: ${names}.`;
  return [...shared("fields"), query("include", include, { type: "string" }), ...shared("rel")];
}

export function listParameters(model: Model, resource: ResourceModel): readonly JsonObject[] {
  const { size, max } = resource.page;
  return [
    ...filterParameters(resource),
    ...sortParameters(model, resource),
    query("page[size]", `Default ${size}.`, { type: "integer", minimum: 1, maximum: max, default: size }),
    ...shared("pageAfter", "pageBefore", "pageOffset", "count"),
  ];
}

function sortParameters(model: Model, resource: ResourceModel): readonly JsonObject[] {
  const items = sortTerms(model, resource);
  if (items.length === 0) return [];
  const schema = { type: "array", items: { type: "string", enum: items } };
  return [
    query("sort", "Sort fields, separated by commas. A leading '-' sorts in descending order.", schema, {
      style: "form",
      explode: false,
    }),
  ];
}

export function sortTerms(model: Model, resource: ResourceModel): string[] {
  return sortPaths(model, resource).flatMap((path) => [path.join("."), `-${path.join(".")}`]);
}

/**
 * Returns a filter parameter for each operator of each field. Filters on related rows have the same form but aren't
 * listed.
 */
export function filterParameters(resource: ResourceModel): readonly JsonObject[] {
  return resource.visibleFields.filter(({ filterable }) => filterable).flatMap(fieldParameters);
}

function fieldParameters(field: FieldModel): readonly JsonObject[] {
  return Object.entries(operatorSchemas(field)).map(([operator, schema]) => {
    const name = `filter[${field.name}][${operator}]`;
    const isList = (schema as JsonObject)["type"] === "array";
    const more: JsonObject = {
      ...(isList ? { explode: true } : {}),
      ...(field.deprecated === undefined ? {} : { deprecated: true }),
    };
    const about =
      operator === "isNull" ? "Whether the value is null." : (field.description ?? `Filter by ${field.name}.`);
    return query(name, about, schema as JsonObject, more);
  });
}

/** The operand of each operator of a field. */
export function operatorSchemas(field: FieldModel): JsonObject {
  const bare: WireType = { ...field.type, nullable: false };
  const item: WireType = bare.kind === "list" ? { ...bare.item, nullable: false } : bare;
  return Object.fromEntries(
    field.operators.map((operator): [string, Json] => [operator, operandSchema(OPERATORS[operator].operand, item)]),
  );
}

function operandSchema(operand: OperandKind, item: WireType): JsonObject {
  switch (operand) {
    case "flag":
      return { type: "boolean" };
    case "text":
      return { type: "string" };
    case "one":
      return valueSchema(item);
    case "list":
    case "pair":
      return { type: "array", items: valueSchema(item) };
  }
}
