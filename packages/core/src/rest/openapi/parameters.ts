import type { FieldModel, Model, ResourceModel } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
import { sortPaths } from "../../operation/lower-sort.ts";
import type { JsonObject } from "../../util/json.ts";
import { valueSchema } from "./value-schema.ts";

function query(name: string, description: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, in: "query", description, schema, ...more };
}

export function idParameter(name: string, resource: ResourceModel): JsonObject {
  const [only, ...others] = resource.key;
  const field = others.length === 0 ? resource.fields.get(only as string) : undefined;
  const schema: JsonObject = field === undefined ? { type: "string" } : valueSchema(field.type);
  const parts = others.length === 0 ? "" : `: ${resource.key.join(", ")}, joined by commas`;
  return { name, in: "path", required: true, description: `The id of a ${resource.name}${parts}.`, schema };
}

/** What shapes an answer of rows. */
export function shapeParameters(resource: ResourceModel): readonly JsonObject[] {
  const parameters = [
    query("fields", "Only these fields; along relations by dots. Divided by commas.", { type: "string" }),
  ];
  if (resource.relations.size === 0) return parameters;
  const names = [...resource.relations.keys()].join(", ");
  return [
    ...parameters,
    query("include", `Relations to embed, divided by commas; further ones by dots. There are: ${names}.`, {
      type: "string",
    }),
    query(
      "rel",
      "`rel[name][filter]`, `rel[name][sort]` and `rel[name][page]` of an embedded list.",
      { type: "object", additionalProperties: true },
      { style: "deepObject", explode: true },
    ),
  ];
}

/** What makes a list. */
export function listParameters(model: Model, resource: ResourceModel): readonly JsonObject[] {
  const { size, max } = resource.page;
  const sorts = sortPaths(model, resource).map((path) => path.join("."));
  return [
    ...resource.visibleFields.filter(({ filterable }) => filterable).flatMap(filterParameters),
    ...(sorts.length === 0
      ? []
      : [query("sort", `Divided by commas, '-' for descending. There are: ${sorts.join(", ")}.`, { type: "string" })]),
    query("page[size]", `Default ${size}.`, { type: "integer", minimum: 1, maximum: max, default: size }),
    query("page[after]", "Only rows behind this cursor.", { type: "string" }),
    query("page[before]", "Only rows before this cursor.", { type: "string" }),
    query("page[offset]", "How many rows to skip.", { type: "integer", minimum: 0 }),
    query("count", "Whether to count all rows that match, in `Total-Count`.", { type: "boolean", default: false }),
  ];
}

function filterParameters(field: FieldModel): readonly JsonObject[] {
  const bare: WireType = { ...field.type, nullable: false };
  const item: WireType = bare.kind === "list" ? { ...bare.item, nullable: false } : bare;
  return field.operators.map((operator) => {
    const name = `filter[${field.name}][${operator}]`;
    if (operator === "isNull") return query(name, "Whether there is no value.", { type: "boolean" });
    const isList = ["in", "notIn", "between", "hasSome", "hasEvery"].includes(operator);
    const schema: JsonObject = isList ? { type: "array", items: valueSchema(item) } : valueSchema(item);
    return query(name, field.description ?? `By ${field.name}.`, schema, isList ? { explode: true } : {});
  });
}
