import {
  type ArgumentNode,
  getArgumentValues,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ValueNode,
  type VariableNode,
} from "graphql";
import { UNSURE } from "./unsure.ts";

/** The variables of one execution, coerced. */
export type Variables = Readonly<Record<string, unknown>>;

/** Returns the value of a literal, or undefined for a variable without a value. Throws `UNSURE`. */
export type ReadLiteral = (variables: Variables) => unknown;

export function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  return node.kind === Kind.OBJECT && node.fields.some((field) => hasVariable(field.value));
}

/** Returns the value of a literal without variables. */
export function constantOf(type: GraphQLInputType, node: ValueNode): unknown {
  const name = { kind: Kind.NAME, value: "value" } as const;
  const argument: ArgumentNode = { kind: Kind.ARGUMENT, name, value: node };
  const field = { name: "literal", args: [{ name: "value", type }] } as unknown as GraphQLField<unknown, unknown>;
  return getArgumentValues(field, { kind: Kind.FIELD, name, arguments: [argument] })["value"];
}

/** Compiles a literal to a function of its variables (specification §5.6.1 and §3.10, "Input Coercion"). */
export function compileLiteral(type: GraphQLInputType, node: ValueNode): ReadLiteral {
  if (!hasVariable(node)) {
    const value = constantOf(type, node);
    return () => value;
  }
  if (isNonNullType(type)) {
    const read = compileLiteral(type.ofType, node);
    return (variables) => required(read(variables));
  }
  if (node.kind === Kind.VARIABLE) {
    const name = variableName(node);
    return (variables) => variables[name];
  }
  if (isListType(type)) return compileList(type.ofType, node);
  if (isInputObjectType(type) && node.kind === Kind.OBJECT && !type.isOneOf) {
    const given = new Map(node.fields.map((field) => [field.name.value, field.value]));
    return compileInputObject(Object.values(type.getFields()), given);
  }
  // A custom scalar whose literal contains variables.
  throw UNSURE;
}

function compileList(item: GraphQLInputType, node: ValueNode): ReadLiteral {
  const readers = (node.kind === Kind.LIST ? node.values : [node]).map((one) => compileLiteral(item, one));
  // An item that is a variable without a value is null.
  return (variables) => readers.map((read) => read(variables) ?? null);
}

/** Compiles the members of an input object, or the arguments of a field. */
export function compileInputObject(
  members: readonly (GraphQLInputField | GraphQLArgument)[],
  given: ReadonlyMap<string, ValueNode>,
): ReadLiteral {
  const readers: { readonly name: string; readonly read: ReadLiteral; readonly standard: unknown }[] = [];
  for (const member of members) {
    const node = given.get(member.name);
    const standard = defaultOf(member);
    if (node === undefined && standard === undefined) continue;
    const read = node === undefined ? () => undefined : compileMember(member.type, node, standard);
    readers.push({ name: member.name, read, standard });
  }
  return (variables) => {
    const value: Record<string, unknown> = {};
    for (const { name, read, standard } of readers) {
      const one = read(variables);
      if (one !== undefined) value[name] = one;
      else if (standard !== undefined) value[name] = standard;
    }
    return value;
  };
}

function compileMember(type: GraphQLInputType, node: ValueNode, standard: unknown): ReadLiteral {
  if (node.kind !== Kind.VARIABLE || standard === undefined) return compileLiteral(type, node);
  // The default replaces a missing variable, but not null.
  const name = variableName(node);
  return isNonNullType(type)
    ? (variables) => (variables[name] === null ? required(null) : variables[name])
    : (variables) => variables[name];
}

export function hasDefault(member: GraphQLInputField | GraphQLArgument): boolean {
  return member.defaultValue !== undefined || ("default" in member && member.default !== undefined);
}

/** Returns the default as JSON. Throws `UNSURE` if only graphql-js knows it. */
export function defaultOf(member: GraphQLInputField | GraphQLArgument): unknown {
  if (member.defaultValue !== undefined) return member.defaultValue;
  if (hasDefault(member)) throw UNSURE;
  return undefined;
}

/** Returns the name of a variable. Throws `UNSURE` for names that every object inherits, such as `toString`. */
export function variableName({ name: { value } }: VariableNode): string {
  if (value in Object.prototype) throw UNSURE;
  return value;
}

function required(value: unknown): unknown {
  if (value === undefined || value === null) throw UNSURE;
  return value;
}
