import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";
import { coerceScalar } from "./coerce-scalar.ts";
import { exactVariables } from "./exact-variables.ts";
import { constantOf, defaultOf, variableName, type Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

/** Coerced variables, or the errors in them (specification §6.1.2). */
export type CoercedVariables =
  | { readonly variables: Variables; readonly errors?: never }
  | { readonly variables?: never; readonly errors: readonly GraphQLError[] };

export type CoerceVariables = (inputs: Readonly<Record<string, unknown>>) => CoercedVariables;

type Coerce = (value: unknown) => unknown;

const NONE: CoercedVariables = { variables: {} };

/**
 * Compiles the coercion of an operation's variables. Input that may be invalid goes to graphql-js, for its error
 * messages.
 */
export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  options: { readonly hideSuggestions: boolean; readonly maxErrors: number },
): CoerceVariables {
  if (definitions.length === 0) return () => NONE;
  const exact: CoerceVariables = (inputs) => {
    const found = exactVariables(schema, definitions, inputs, options);
    return found.errors === undefined ? { variables: found.coerced } : { errors: found.errors };
  };
  let compiled: readonly Variable[];
  try {
    compiled = definitions.map((definition) => compileVariable(schema, definition));
  } catch {
    return exact;
  }
  return (inputs) => {
    try {
      return { variables: coerceAll(compiled, inputs) };
    } catch (thrown) {
      if (thrown !== UNSURE) throw thrown;
      return exact(inputs);
    }
  };
}

interface Variable {
  readonly name: string;
  readonly coerce: Coerce;
  readonly standard: unknown;
  readonly isRequired: boolean;
}

function compileVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): Variable {
  const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined;
  if (!isInputType(type)) throw UNSURE;
  const { defaultValue } = definition;
  const standard = defaultValue === undefined ? undefined : constantOf(type, defaultValue);
  return {
    name: variableName(definition.variable),
    coerce: coercerOf(type),
    standard,
    isRequired: isNonNullType(type) && standard === undefined,
  };
}

function coerceAll(compiled: readonly Variable[], inputs: Readonly<Record<string, unknown>>): Variables {
  const coerced: Record<string, unknown> = {};
  for (const { name, coerce, standard, isRequired } of compiled) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value !== undefined) coerced[name] = coerce(value);
    else if (standard !== undefined) coerced[name] = standard;
    else if (isRequired) throw UNSURE;
  }
  return coerced;
}

const COERCERS = new WeakMap<GraphQLInputType, Coerce>();

function coercerOf(type: GraphQLInputType): Coerce {
  let coerce = COERCERS.get(type);
  if (coerce === undefined) {
    // Input types may refer to each other, so each coercer is created on first use.
    let made: Coerce | undefined;
    coerce = (value) => (made ??= makeCoercer(type))(value);
    COERCERS.set(type, coerce);
  }
  return coerce;
}

function makeCoercer(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const inner = coercerOf(type.ofType);
    return (value) => {
      if (value === null) throw UNSURE;
      return inner(value);
    };
  }
  const coerce = makeNonNull(type);
  return (value) => (value === null ? null : coerce(value));
}

function makeNonNull(type: GraphQLInputType): Coerce {
  if (isListType(type)) {
    const item = coercerOf(type.ofType);
    return (value) => (Array.isArray(value) ? value.map((one) => item(one ?? null)) : [item(value)]);
  }
  if (isScalarType(type)) return (value) => coerceScalar(type, value);
  if (isEnumType(type)) {
    return (value) => {
      const found = typeof value === "string" ? type.getValue(value) : undefined;
      if (found === undefined || found === null) throw UNSURE;
      return found.value as unknown;
    };
  }
  if (isNonNullType(type) || type.isOneOf) throw UNSURE;
  const members = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    coerce: coercerOf(field.type),
    standard: defaultOf(field),
    isRequired: isNonNullType(field.type),
  }));
  return (value) => {
    if (typeof value !== "object" || Array.isArray(value)) throw UNSURE;
    const given = value as Readonly<Record<string, unknown>>;
    let left = Object.keys(given).length;
    for (const { name } of members) if (Object.hasOwn(given, name)) left -= 1;
    if (left > 0) throw UNSURE;
    return coerceAll(members, given);
  };
}
