import {
  GraphQLBoolean,
  type GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLScalarType,
  GraphQLString,
  isEnumType,
} from "graphql";
import { UNSURE } from "./unsure.ts";

/** Writes a non-null value as JSON. Throws `UNSURE` if the value does not plainly match its type. */
export type WriteLeaf = (value: unknown) => string;

export function compileLeaf(type: GraphQLScalarType | GraphQLEnumType): WriteLeaf {
  if (isEnumType(type)) return compileEnum(type);
  switch (type) {
    case GraphQLString:
      return writeText;
    case GraphQLID:
      return writeId;
    case GraphQLInt:
      return writeInt;
    case GraphQLFloat:
      return writeFloat;
    case GraphQLBoolean:
      return writeBoolean;
    default:
      return (value) => writeScalar(type, value);
  }
}

/** Most texts are short and need no escaping, so quoting them is enough. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

export function writeText(value: unknown): string {
  if (typeof value !== "string") throw UNSURE;
  return value.length < 64 && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value);
}

function writeId(value: unknown): string {
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return `"${value}"`;
  throw UNSURE;
}

function writeInt(value: unknown): string {
  if (typeof value !== "number" || (value | 0) !== value) throw UNSURE;
  return `${value}`;
}

function writeFloat(value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) throw UNSURE;
  return `${value}`;
}

function writeBoolean(value: unknown): string {
  if (typeof value !== "boolean") throw UNSURE;
  return value ? "true" : "false";
}

function writeScalar(type: GraphQLScalarType, value: unknown): string {
  let serialized: unknown;
  try {
    serialized = type.serialize(value);
  } catch {
    throw UNSURE;
  }
  if (typeof serialized === "string") return writeText(serialized);
  const text = serialized === null ? undefined : (JSON.stringify(serialized) as string | undefined);
  if (text === undefined) throw UNSURE;
  return text;
}

function compileEnum(type: GraphQLEnumType): WriteLeaf {
  const texts = new Map<unknown, string>();
  for (const { name, value } of type.getValues()) texts.set(value, `"${name}"`);
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw UNSURE;
    return text;
  };
}
