import { type OperandKind, OPERATORS, QUANTIFIERS } from "../../definition/operators.ts";
import type { FieldModel, RelationModel, ResourceModel } from "../../model/model.ts";
import { offeredRelations } from "../../model/offered.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import type { DocumentedResource } from "./openapi-types.ts";
import { query } from "./query-parameter.ts";
import { valueSchema } from "./value-schema.ts";

/** Returns a filter parameter for each operator of each field, such as `filter[price][gte]`. */
export function filterParameters(resource: ResourceModel): readonly JsonObject[] {
  return filterableFields(resource).flatMap((field) =>
    fieldParameters(field, `filter[${field.name}]`, field.description ?? `Filter by ${field.name}.`),
  );
}

/**
 * Returns a filter parameter for each operator of each field of related rows, such as `filter[author.name][startsWith]`
 * and `filter[reviews][some][stars][gte]`. Only the list of the resource has them, because they are many. Filters along
 * several relations, and `and`, `or` and `not`, have the same form but aren't listed.
 */
export function relatedFilterParameters(
  { model }: Pick<DocumentedResource, "model">,
  resource: ResourceModel,
): readonly JsonObject[] {
  return offeredRelations(model, resource).flatMap((relation) => {
    const fields = filterableFields(model.resources.get(relation.target) as ResourceModel);
    return prefixesOf(relation).flatMap((prefix) =>
      fields.flatMap((field) => fieldParameters(field, prefix(field.name), `Filter by the ${relation.name}.`)),
    );
  });
}

function filterableFields({ visibleFields }: ResourceModel): readonly FieldModel[] {
  return visibleFields.filter(({ filterable }) => filterable);
}

/** Returns how the parameters for the fields of related rows start. */
function prefixesOf({ name, many }: RelationModel): readonly ((field: string) => string)[] {
  if (!many) return [(field) => `filter[${name}.${field}]`];
  return QUANTIFIERS.map((quantifier) => (field) => `filter[${name}][${quantifier}][${field}]`);
}

function fieldParameters(field: FieldModel, prefix: string, about: string): readonly JsonObject[] {
  return Object.entries(operatorSchemas(field)).map(([operator, schema]) => {
    const isList = (schema as JsonObject)["type"] === "array";
    const more: JsonObject = {
      ...(isList ? { explode: true } : {}),
      ...(field.deprecated === undefined ? {} : { deprecated: true }),
    };
    const described = operator === "isNull" ? "Whether the value is null." : about;
    return query(`${prefix}[${operator}]`, described, schema as JsonObject, more);
  });
}

/** Returns the schema of the operand of each operator of a field. */
export function operatorSchemas(field: Pick<FieldModel, "type" | "operators">): JsonObject {
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
      return { type: "array", items: valueSchema(item) };
    case "pair":
      return { type: "array", items: valueSchema(item), minItems: 2, maxItems: 2 };
  }
}
