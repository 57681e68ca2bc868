import type { Json } from "../util/json.ts";

/**
 * The JSON form of a value, as both styles send it. `text` kinds are JSON strings; `bigint` is a string of digits;
 * `integer` is `wide` where its bounds do not fit 32 bits; `json` is anything.
 */
export type WireType = WireScalar | WireEnum | WireList | WireObject;

/** Formats of a string that GraphQL has a scalar for; to all else it is a string. */
export type TextFormat = "base64" | "base64url" | "ipv4" | "ipv6" | "jwt" | "ulid";

export type TextKind = "string" | "uuid" | "email" | "url" | "date" | "datetime" | "time" | "duration";

export interface WireScalar {
  readonly kind: TextKind | "integer" | "number" | "bigint" | "boolean" | "json";
  readonly nullable: boolean;
  /** `integer` only: it may leave the 32 bits of GraphQL's `Int`. */
  readonly wide?: boolean;
  /** `string` only. */
  readonly format?: TextFormat;
  /** `json` only: what it may be, where that can be told. */
  readonly union?: WireUnion;
}

/** One of several named objects, told apart by a member that has another value in each. */
export interface WireUnion {
  readonly name?: string;
  readonly discriminator: string;
  readonly options: readonly { readonly value: string; readonly type: WireObject }[];
}

/** One of a few strings. */
export interface WireEnum {
  readonly kind: "enum";
  readonly nullable: boolean;
  readonly values: readonly string[];
  /** From zod's `.meta({ id })`: names the GraphQL type; otherwise resource and field do. */
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
  /** May be absent from an input. */
  readonly optional: boolean;
  /** What an absent one stands for, where that is all the same to the schema. */
  readonly default?: Json;
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
}
