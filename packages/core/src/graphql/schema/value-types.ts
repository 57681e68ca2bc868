import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
} from "graphql";
import type { WireEnum, WireMember, WireObject, WireType, WireUnion } from "../../model/wire-type.ts";
import { readFrom } from "../reader.ts";
import { alikeOptions, optionName, unionOf } from "../unions.ts";
import { isExpressible } from "../standard-value.ts";
import { JSONValue, scalarOf } from "./scalars.ts";
import { capitalize, isName, type Names } from "./names.ts";

type ValueType = GraphQLEnumType | GraphQLObjectType | GraphQLInputObjectType | GraphQLUnionType;
type NullableUnion = WireUnion & { readonly nullable: boolean };

export interface ValueTypes {
  readonly output: (type: WireType, path: string) => GraphQLOutputType;
  readonly input: (type: WireType, path: string) => GraphQLInputType;
  /** A member of an input object, or an argument. */
  readonly inputMember: (member: WireMember, parent: string) => GraphQLInputFieldConfig;
}

/**
 * Creates types of values that are not resources: enums, nested objects, lists. A type with its own name is shared by
 * all values of the same shape. Other types are named after the path of their field.
 */
export function createValueTypes(names: Names): ValueTypes {
  const made = new Map<string, ValueType>();

  function once<T extends ValueType>(
    type: { readonly name?: string; readonly nullable: boolean },
    path: string,
    suffix: string,
    make: (name: string) => T,
  ): T {
    // Equal shapes with the same name share one type. A different shape gets a different name.
    const { nullable: _, ...shape } = type;
    const key = `${(type.name ?? path) + suffix} ${JSON.stringify(shape)}`;
    const before = made.get(key);
    if (before !== undefined) return before as T;
    const type_ = make(names.claim((type.name !== undefined && isName(type.name) ? type.name : path) + suffix));
    made.set(key, type_);
    return type_;
  }

  const enumType = (type: WireEnum, path: string): GraphQLEnumType =>
    once(type, path, "", (name) => {
      return new GraphQLEnumType({ name, values: Object.fromEntries(type.values.map((value) => [value, { value }])) });
    });

  function output(type: WireType, path: string): GraphQLOutputType {
    if (type.kind === "list") return new GraphQLList(nonNull(output(type.item, path), type.item.nullable));
    if (type.kind === "enum") return isEnumerable(type) ? enumType(type, path) : scalarOf({ ...type, kind: "string" });
    const union = unionOf(type);
    if (union !== undefined) return unionType({ ...union, nullable: type.nullable }, path);
    if (type.kind !== "object") return scalarOf(type);
    if (!isObjectType(type)) return JSONValue;
    return once(type, path, "", (name) => {
      return new GraphQLObjectType({ name, fields: () => members(type, (member) => outputMember(member, name)) });
    });
  }

  function outputMember(member: WireMember, parent: string): GraphQLFieldConfig<Record<string, unknown>, unknown> {
    const type = output(member.type, parent + capitalize(member.name));
    return {
      ...about(member),
      type: nonNull(type, member.type.nullable || member.optional),
      resolve: own(member.name),
    };
  }

  function input(type: WireType, path: string): GraphQLInputType {
    if (type.kind === "list") return new GraphQLList(nonNullInput(input(type.item, path), type.item.nullable));
    if (type.kind === "enum") return isEnumerable(type) ? enumType(type, path) : scalarOf({ ...type, kind: "string" });
    const union = unionOf(type);
    if (union !== undefined) return oneOfInput({ ...union, nullable: type.nullable }, path);
    if (type.kind !== "object") return scalarOf(type);
    if (!isObjectType(type)) return JSONValue;
    return once(type, path, "Input", (name) => {
      const base = name.replace(/Input$/, "");
      return new GraphQLInputObjectType({ name, fields: () => members(type, (member) => inputMember(member, base)) });
    });
  }

  function inputMember(member: WireMember, parent: string): GraphQLInputFieldConfig {
    const type = input(member.type, parent + capitalize(member.name));
    const optional = member.type.nullable || member.optional;
    const { deprecationReason, ...rest } = about(member);
    return {
      ...rest,
      type: nonNullInput(type, optional),
      ...(member.default !== undefined && isExpressible(member.type) ? { defaultValue: member.default } : {}),
      ...(optional ? { deprecationReason: deprecationReason ?? null } : {}),
    };
  }

  function unionType(union: NullableUnion, path: string): GraphQLUnionType {
    return once(union, path, "", (name) => {
      const types = new Map(
        alikeOptions(union).map(({ value, type }) => [value, output(type, name) as GraphQLObjectType] as const),
      );
      return new GraphQLUnionType({
        name,
        types: () => [...types.values()],
        resolveType: (value) =>
          types.get(String((value as Readonly<Record<string, unknown>>)[union.discriminator]))?.name,
      });
    });
  }

  /** The name of a one-of member identifies the option, so the option has no discriminator. */
  function oneOfInput({ discriminator, ...union }: NullableUnion, path: string): GraphQLInputObjectType {
    return once({ ...union }, path, "Input", (name) => {
      const fields = union.options.map(({ type }) => {
        const members = type.members.filter((member) => member.name !== discriminator);
        return [optionName(type), { type: input({ ...type, members }, name) }] as const;
      });
      return new GraphQLInputObjectType({
        name,
        description: "Set exactly one of these.",
        isOneOf: true,
        fields: Object.fromEntries(fields),
      });
    });
  }

  return { output, input, inputMember };
}

/** An enum needs values that are GraphQL names; `"sci-fi"`, for example, is not one. */
function isEnumerable(type: WireEnum): boolean {
  return type.values.length > 0 && type.values.every((value) => isName(value) && !/^(true|false|null)$/.test(value));
}

function isObjectType(type: WireObject): boolean {
  return type.members.length > 0 && type.members.every((member) => isName(member.name));
}

function members<T>(type: WireObject, config: (member: WireMember) => T): Record<string, T> {
  return Object.fromEntries(type.members.map((member) => [member.name, config(member)]));
}

function about(member: WireMember): { description: string | null; deprecationReason: string | null } {
  return { description: member.description ?? null, deprecationReason: member.deprecated ?? null };
}

function own(name: string): GraphQLFieldResolver<Record<string, unknown>, unknown> {
  return readFrom((source) => (Object.hasOwn(source, name) ? source[name] : null));
}

export function nonNull(type: GraphQLOutputType, nullable: boolean): GraphQLOutputType {
  return nullable || type instanceof GraphQLNonNull ? type : new GraphQLNonNull(type);
}

export function nonNullInput(type: GraphQLInputType, nullable: boolean): GraphQLInputType {
  return nullable || type instanceof GraphQLNonNull ? type : new GraphQLNonNull(type);
}
