import {
  GraphQLBoolean,
  type GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { UNSURE } from "./unsure.ts";

/** Writes an available value as JSON. Throws `UNSURE` if graphql-js has to handle it. */
export type WriteValue = (value: unknown) => string;

/** Compiles a type with its list and non-null wrappers. `compileObject` compiles the selection of an object. */
export function compileValue(
  type: GraphQLOutputType,
  compileObject: (type: GraphQLOutputType) => WriteValue,
): WriteValue {
  if (isNonNullType(type)) {
    const write = compileNullable(type.ofType, compileObject);
    return (value) => {
      if (value === null || value === undefined) throw UNSURE;
      return write(value);
    };
  }
  const write = compileNullable(type, compileObject);
  return (value) => (value === null || value === undefined ? "null" : write(value));
}

function compileNullable(type: GraphQLOutputType, compileObject: (type: GraphQLOutputType) => WriteValue): WriteValue {
  if (isLeafType(type)) return compileLeaf(type);
  if (isListType(type)) {
    const item = compileValue(type.ofType, compileObject);
    return (value) => {
      if (!Array.isArray(value)) throw UNSURE;
      return writeList(value, item);
    };
  }
  if (!isObjectType(type) || type.isTypeOf !== undefined) throw UNSURE;
  return compileObject(type);
}

/** Compiles a type whose values are always texts. The result writes what is between the quotes. */
export function compileQuoted(type: GraphQLOutputType): WriteValue | undefined {
  if (!isNonNullType(type)) return undefined;
  if (type.ofType === GraphQLString) return writeBody;
  return type.ofType === GraphQLID ? writeIdBody : undefined;
}

export function writeList<T>(items: readonly T[], write: (item: T, index: number) => string): string {
  let text = "[";
  // V8 iterates over a frozen list several times slower.
  for (let index = 0; index < items.length; index++) {
    const item = write(items[index] as T, index);
    text += index === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

/** The result writes a non-null value. It throws `UNSURE` if the value does not plainly match its type. */
function compileLeaf(type: GraphQLScalarType | GraphQLEnumType): WriteValue {
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

export function isPlain(text: string): boolean {
  return text.length < 64 && !ESCAPED.test(text);
}

function writeText(value: unknown): string {
  if (typeof value !== "string") throw UNSURE;
  return isPlain(value) ? `"${value}"` : JSON.stringify(value);
}

/** Writes a text without its quotes. */
function writeBody(value: unknown): string {
  if (typeof value !== "string") throw UNSURE;
  return isPlain(value) ? value : JSON.stringify(value).slice(1, -1);
}

function writeId(value: unknown): string {
  return `"${writeIdBody(value)}"`;
}

function writeIdBody(value: unknown): string {
  if (typeof value === "string") return writeBody(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return `${value}`;
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

function compileEnum(type: GraphQLEnumType): WriteValue {
  const texts = new Map<unknown, string>();
  for (const { name, value } of type.getValues()) texts.set(value, `"${name}"`);
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw UNSURE;
    return text;
  };
}
