import type { Json } from "../util/json.ts";
import { type FilterKind, OPERATOR_NAMES, OPERATORS, type Operator } from "../definition/operators.ts";

/**
 * The JSON form of a value in REST and GraphQL. Text kinds are JSON strings, and `bigint` is a string of digits.
 * `integer` is `wide` if its bounds exceed 32 bits. `json` is any value.
 */
export type WireType = WireScalar | WireDecimal | WireEnum | WireList | WireObject;

/** String formats for which GraphQL has a scalar. Everything else treats them as strings. */
export type TextFormat = "base64" | "base64url" | "ipv4" | "ipv6" | "jwt" | "ulid";

export type TextKind = "string" | "uuid" | "email" | "url" | "date" | "datetime" | "time" | "duration";

export interface WireScalar {
  readonly kind: TextKind | "integer" | "number" | "bigint" | "boolean" | "json";
  readonly nullable: boolean;
  /** For `integer` only: its values can exceed the 32 bits of GraphQL's `Int`. */
  readonly wide?: boolean;
  /** For `string` only. */
  readonly format?: TextFormat;
  /** For `json` only: the possible types, if they are known. */
  readonly union?: WireUnion;
}

/** An exact number. It is a string with `scale` digits after the point. */
export interface WireDecimal {
  readonly kind: "decimal";
  readonly nullable: boolean;
  readonly precision: number;
  readonly scale: number;
}

/** A union of named objects, distinguished by a member with a different value in each. */
export interface WireUnion {
  readonly name?: string;
  readonly discriminator: string;
  readonly options: readonly { readonly value: string; readonly type: WireObject }[];
}

/** A fixed set of strings. */
export interface WireEnum {
  readonly kind: "enum";
  readonly nullable: boolean;
  readonly values: readonly string[];
  /**
   * From zod's `.meta({ id })`: the name of the GraphQL type. By default, it is built from the resource and the field.
   */
  readonly name?: string;
}

export interface WireList {
  readonly kind: "list";
  readonly nullable: boolean;
  readonly item: WireType;
}

export interface WireObject {
  readonly kind: "object";
  readonly nullable: boolean;
  readonly name?: string;
  readonly members: readonly WireMember[];
}

export interface WireMember {
  readonly name: string;
  readonly type: WireType;
  /** Whether an input may omit it. */
  readonly optional: boolean;
  /** The value that is equivalent to an absent one, if there is such a value. */
  readonly default?: Json;
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
}

/** Returns the operators that a filter can use on a value of this type. */
export function operatorsOf(type: WireType): readonly Operator[] {
  // Databases disagree about when two objects or two lists are equal.
  if (type.kind === "list" && !operatorsOfKind(type.item.kind).includes("eq")) return operatorsOfKind("json");
  return operatorsOfKind(type.kind);
}

function operatorsOfKind(kind: FilterKind): readonly Operator[] {
  return OPERATOR_NAMES.filter((operator) => OPERATORS[operator].kinds.some((known) => known === kind));
}
