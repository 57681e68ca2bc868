import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
} from "graphql";
import type { TextFormat, WireDecimal, WireScalar } from "../../model/wire-type.ts";

const PLAIN_TEXT = new Set<unknown>();

/**
 * Creates a string scalar. It only checks that a value is a string. The resource's schema checks the format, so that
 * REST and GraphQL report the same error.
 */
function textScalar(name: string, description: string, specifiedByURL?: string): GraphQLScalarType {
  const parse = (value: unknown, node?: ValueNode): string => {
    if (typeof value === "string") return value;
    throw new GraphQLError(`${name} must be a string.`, { nodes: node });
  };
  const scalar = new GraphQLScalarType({
    name,
    description,
    specifiedByURL: specifiedByURL ?? null,
    serialize: (value) => (typeof value === "string" ? value : String(value)),
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
  });
  PLAIN_TEXT.add(scalar);
  return scalar;
}

/** Whether values of a type are serialized exactly as they are stored. */
export function isPlainText(type: unknown): boolean {
  return PLAIN_TEXT.has(type);
}

const LOCAL_DATE = "https://scalars.graphql.org/andimarek/local-date.html";
const RFC3339 = "https://www.rfc-editor.org/rfc/rfc3339";

export const UUID = textScalar(
  "UUID",
  "A UUID (RFC 9562), in lowercase or uppercase.",
  "https://scalars.graphql.org/chillicream/uuid.html",
);
export const EmailAddress = textScalar("EmailAddress", "An email address.", "https://www.rfc-editor.org/rfc/rfc5322");
const URLText = textScalar("URL", "An absolute URL.", "https://url.spec.whatwg.org/");
const DateText = textScalar("Date", "A date: `2026-01-31`.", LOCAL_DATE);
export const DateTime = textScalar("DateTime", "A date and time with offset: `2026-01-31T12:00:00Z`.", RFC3339);
export const Time = textScalar("Time", "A time of day: `12:00:00`.", RFC3339);
export const Duration = textScalar(
  "Duration",
  "A duration (ISO 8601): `P1DT12H`.",
  "https://www.iso.org/standard/70907.html",
);

/** `node` is the literal in a document, for the location of the error. */
function safeInteger(value: unknown, node?: ValueNode): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new GraphQLError("SafeInt must be an integer between -(2^53 - 1) and 2^53 - 1.", { nodes: node });
}

/** An integer that may exceed the 32 bits of `Int`. */
export const SafeInt = new GraphQLScalarType({
  name: "SafeInt",
  description: "An integer between -(2^53 - 1) and 2^53 - 1.",
  // The integers that JSON implementations agree on.
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
  serialize: (value) => safeInteger(value),
  parseValue: (value) => safeInteger(value),
  parseLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined, node),
});

function digits(value: unknown, node?: ValueNode): string {
  if (typeof value === "string" && /^-?\d+$/.test(value)) return value;
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  throw new GraphQLError("BigInt must be an integer, or a string of digits.", { nodes: node });
}

/** An integer of any size. It is sent as text, because JSON numbers would lose digits. */
const BigIntText = new GraphQLScalarType({
  name: "BigInt",
  description: "An integer of any size, as a string of digits.",
  serialize: (value) => digits(value),
  parseValue: (value) => digits(value),
  parseLiteral: (node) => digits(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined, node),
});

/** It must be a string in documents too, because clients and servers round JSON numbers. */
const DecimalText = textScalar("Decimal", 'An exact decimal number, as a string: `"12.50"`.');

export const JSONValue = new GraphQLScalarType({
  name: "JSON",
  description: "Any JSON value.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259",
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueOfLiteral(node, variables),
});

const rfc = (number: number): string => `https://www.rfc-editor.org/rfc/rfc${number}`;

const BY_FORMAT: Readonly<Record<TextFormat, GraphQLScalarType>> = {
  base64: textScalar(
    "Base64String",
    "Base64-encoded bytes with padding: `SGVsbG8=`.",
    "https://scalars.graphql.org/chillicream/base64-string.html",
  ),
  base64url: textScalar("Base64URL", "Base64url-encoded bytes without padding: `SGVsbG8`.", rfc(4648)),
  ipv4: textScalar("IPv4", "An IPv4 address: `192.0.2.1`.", rfc(791)),
  ipv6: textScalar("IPv6", "An IPv6 address: `2001:db8::1`.", rfc(5952)),
  jwt: textScalar("JWT", "A JSON Web Token.", rfc(7519)),
  ulid: textScalar("ULID", "A lexicographically sortable id of 26 letters and digits.", "https://github.com/ulid/spec"),
};

const BY_KIND: Readonly<Record<(WireScalar | WireDecimal)["kind"], GraphQLScalarType>> = {
  string: GraphQLString,
  uuid: UUID,
  email: EmailAddress,
  url: URLText,
  date: DateText,
  datetime: DateTime,
  time: Time,
  duration: Duration,
  integer: GraphQLInt,
  number: GraphQLFloat,
  bigint: BigIntText,
  decimal: DecimalText,
  boolean: GraphQLBoolean,
  json: JSONValue,
};

export function scalarOf(type: WireScalar | WireDecimal): GraphQLScalarType {
  if (type.kind === "integer" && type.wide === true) return SafeInt;
  return type.kind === "decimal" || type.format === undefined ? BY_KIND[type.kind] : BY_FORMAT[type.format];
}

/** Returns the JSON value of a literal. Objects have no prototype, so no key from a client can reach one. */
function valueOfLiteral(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => valueOfLiteral(item, variables));
    case Kind.OBJECT: {
      const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const { name, value: member } of node.fields) {
        // A variable without a value omits its member, as in an input object (specification §3.10).
        if (member.kind === Kind.VARIABLE && !Object.hasOwn(variables ?? {}, member.name.value)) continue;
        value[name.value] = valueOfLiteral(member, variables);
      }
      return value;
    }
    default:
      return node.value;
  }
}
