import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  type ValueNode,
} from "graphql";
import { constantOf, hasDefault, hasVariable } from "../compile/literal.ts";

/**
 * Whether a literal is a valid value of the type (§5.6). `use` defines its variables; without it, variables are
 * invalid.
 */
export function isPlainLiteral(
  use: VariableUse | undefined,
  type: GraphQLInputType,
  node: ValueNode,
  isOptional = false,
): boolean {
  if (node.kind === Kind.VARIABLE) return use !== undefined && isPlainVariable(use, node.name.value, type, isOptional);
  if (isNonNullType(type)) return node.kind !== Kind.NULL && isPlainLiteral(use, type.ofType, node);
  if (node.kind === Kind.NULL) return true;
  if (isListType(type)) {
    const { ofType } = type;
    if (node.kind !== Kind.LIST) return isPlainLiteral(use, ofType, node);
    return node.values.every((item) => isPlainLiteral(use, ofType, item));
  }
  if (isInputObjectType(type)) return node.kind === Kind.OBJECT && isPlainObject(use, type, node);
  if (isEnumType(type)) return node.kind === Kind.ENUM && (type.getValue(node.value) ?? undefined) !== undefined;
  return isPlainScalar(type, node);
}

function isPlainObject(use: VariableUse | undefined, type: GraphQLInputObjectType, node: ObjectValueNode): boolean {
  if (type.isOneOf) return false;
  const fields = type.getFields();
  const given = new Set<string>();
  for (const { name, value } of node.fields) {
    const field = Object.hasOwn(fields, name.value) ? fields[name.value] : undefined;
    if (field === undefined || given.has(name.value)) return false;
    given.add(name.value);
    if (!isPlainLiteral(use, field.type, value, hasDefault(field))) return false;
  }
  return Object.values(fields).every((field) => given.has(field.name) || !isRequiredInputField(field));
}

function isPlainScalar(type: GraphQLScalarType, node: ValueNode): boolean {
  if (hasVariable(node)) return false;
  try {
    return constantOf(type, node) !== undefined;
  } catch {
    return false;
  }
}

/** The variables that an operation defines, and those that are still unused. */
export interface VariableUse {
  readonly types: ReadonlyMap<string, { readonly type: GraphQLInputType; readonly hasDefault: boolean }>;
  readonly unused: Set<string>;
}

/** Whether a variable may be used where this type is expected (§5.8.5). */
function isPlainVariable(
  { types, unused }: VariableUse,
  name: string,
  wanted: GraphQLInputType,
  hasDefault: boolean,
): boolean {
  const found = types.get(name);
  if (found === undefined) return false;
  unused.delete(name);
  const isSafe = isNonNullType(wanted) && !isNonNullType(found.type) && (found.hasDefault || hasDefault);
  return isPart(found.type, isSafe ? wanted.ofType : wanted);
}

function isPart(given: GraphQLInputType, wanted: GraphQLInputType): boolean {
  if (given === wanted) return true;
  if (isNonNullType(wanted)) return isNonNullType(given) && isPart(given.ofType, wanted.ofType);
  if (isNonNullType(given)) return isPart(given.ofType, wanted);
  return isListType(given) && isListType(wanted) && isPart(given.ofType, wanted.ofType);
}
