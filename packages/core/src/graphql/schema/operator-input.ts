import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  getNamedType,
} from "graphql";
import type { FieldModel, ResourceModel } from "../../model/model.ts";
import { type Operator, OPERATORS } from "../../definition/operators.ts";
import { operatorsOf } from "../../model/operators-of.ts";
import type { WireType } from "../../model/wire-type.ts";
import { idOwner } from "../ids.ts";
import { capitalize } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { nonNullInput } from "./value-types.ts";

/** Global ids can only be compared for equality, like UUIDs; their text and order have no meaning. */
const OF_OPAQUE: ReadonlySet<Operator> = new Set(operatorsOf({ kind: "uuid", nullable: false }));

/**
 * Creates `StringFilter`, `IDFilter`, `BookGenreFilter` and so on: the operators of one type of value. Fields with the
 * same operators share one type.
 */
export function createOperatorInputs(
  types: Pick<SchemaTypes, "model" | "ids" | "names" | "operand">,
): (resource: ResourceModel, field: FieldModel) => GraphQLInputObjectType {
  const made = new Map<string, GraphQLInputObjectType>();
  return (resource, field) => {
    const list = field.type.kind === "list" ? field.type : undefined;
    const operand = types.operand(resource, field, list?.item ?? field.type);
    const isOpaque = types.ids.isGlobal && idOwner(types.model, resource, field) !== undefined;
    const operators = isOpaque ? field.operators.filter((operator) => OF_OPAQUE.has(operator)) : field.operators;
    const word = isOpaque ? GraphQLID.name : wordOf(field, list?.item ?? field.type);
    const name = (word ?? getNamedType(operand).name) + (list ? "List" : "");
    const key = `${name} ${operators.join()}`;
    const before = made.get(key);
    if (before !== undefined) return before;
    const type = new GraphQLInputObjectType({
      name: types.names.claim(`${name}Filter`),
      fields: fieldsOf(operators, operand),
    });
    made.set(key, type);
    return type;
  };
}

/** Keys of different kinds have different operators. */
function wordOf(field: FieldModel, type: WireType): string | undefined {
  if (!field.identifies) return undefined;
  return type.kind === "uuid" || type.kind === "enum" ? GraphQLID.name : capitalize(type.kind) + GraphQLID.name;
}

function fieldsOf(operators: readonly Operator[], operand: GraphQLInputType): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const operator of operators) fields[operator] = { type: typeOf(operator, operand) };
  return fields;
}

function typeOf(operator: Operator, operand: GraphQLInputType): GraphQLInputType {
  const traits = OPERATORS[operator];
  switch (traits.operand) {
    case "flag":
      return GraphQLBoolean;
    case "one":
    case "text":
      return operand;
    case "list":
    case "pair":
      return new GraphQLList(nonNullInput(operand, traits.nullable));
  }
}
