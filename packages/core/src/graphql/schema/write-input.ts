import { GraphQLID, type GraphQLInputFieldConfig, GraphQLInputObjectType } from "graphql";
import type { FieldModel, InputMode, ResourceModel } from "../../model/model.ts";
import { isWritable } from "../../model/parse/input-parser.ts";
import { standardValue, tellsTime } from "../standard-value.ts";
import { capitalize } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { nonNullInput } from "./value-types.ts";

const ABOUT: Readonly<Record<InputMode, string>> = {
  create: "A new row. What is absent gets its default.",
  replace: "The whole row anew: every field is required, or null where it may be.",
  update: "Changes: what is absent stays as it is, null empties.",
};

/** `CreateBookInput`, `ReplaceBookInput` and `UpdateBookInput`; undefined where no field is writable. */
export function writeInput(
  types: SchemaTypes,
  resource: ResourceModel,
  mode: InputMode,
): GraphQLInputObjectType | undefined {
  const writable = resource.visibleFields.filter((field) => isWritable(field, mode));
  if (writable.length === 0) return undefined;
  return new GraphQLInputObjectType({
    name: `${capitalize(mode)}${resource.typeName}Input`,
    description: ABOUT[mode],
    fields: () => Object.fromEntries(writable.map((field) => [field.name, fieldConfig(types, resource, field, mode)])),
  });
}

function fieldConfig(
  types: SchemaTypes,
  resource: ResourceModel,
  field: FieldModel,
  mode: InputMode,
): GraphQLInputFieldConfig {
  const type = field.identifies ? GraphQLID : types.input(field.input, resource.typeName + capitalize(field.name));
  const optional = field.input.nullable || mode === "update" || (mode === "create" && !field.required);
  const value = mode === "create" ? standardValue(field) : undefined;
  const isKnown = mode === "create" && field.default !== undefined && !tellsTime(field.input);
  const isToldInWords = isKnown && value === undefined;
  const standard = isToldInWords ? `Default: ${JSON.stringify(field.default)}.` : undefined;
  const description = [field.description, standard].filter((text) => text !== undefined).join("\n\n");
  return {
    type: nonNullInput(type, optional),
    ...(value === undefined ? {} : { defaultValue: value }),
    description: description === "" ? null : description,
    // A required input cannot be deprecated (specification §3.10).
    deprecationReason: optional ? (field.deprecated ?? null) : null,
  };
}
