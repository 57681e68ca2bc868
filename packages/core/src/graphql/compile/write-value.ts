import { type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType } from "graphql";
import { UNSURE } from "./unsure.ts";
import { compileLeaf } from "./write-leaf.ts";

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

export function writeList<T>(items: readonly T[], write: (item: T, index: number) => string): string {
  let text = "[";
  for (const [index, item] of items.entries()) text += index === 0 ? write(item, index) : `,${write(item, index)}`;
  return `${text}]`;
}
