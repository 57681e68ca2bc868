import { type GraphQLObjectType, getNamedType, type GraphQLOutputType } from "graphql";
import { readerOf } from "../reader.ts";
import { type Compiler, type Selected, selectedFields } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";
import { compileValue, type WriteValue } from "./write-value.ts";

/** Objects that are no rows: a page's info, a value with members, what an action answered. */
export const compileObject =
  (compiler: Compiler): Compiler["object"] =>
  (type, nodes) => {
    const parts = selectedFields(compiler.document, type, nodes).map((selected) => ({
      prefix: selected.prefix,
      write: compileMember(compiler, type, selected),
    }));
    return (source) => {
      if (typeof source !== "object") throw UNSURE;
      let text = "";
      for (const { prefix, write } of parts) text += prefix + write(source);
      return `{${text}}`;
    };
  };

function compileMember(compiler: Compiler, type: GraphQLObjectType, selected: Selected): WriteValue {
  const { field, node } = selected;
  if (field === undefined) return () => `"${type.name}"`;
  const write = compileSelected(compiler, field.type, selected);
  if (field.resolve === undefined) {
    const { value: name } = node.name;
    return (source) => write(propertyOf(source as Readonly<Record<string, unknown>>, name));
  }
  const reader = readerOf(field.resolve);
  if (reader?.kind !== "computed") throw UNSURE;
  return (source) => write(compute(reader.read, source));
}

/** A value of any type but those of rows and pages, which are read in another way. */
export function compileSelected(compiler: Compiler, type: GraphQLOutputType, { nodes }: Selected): WriteValue {
  return compileValue(type, (object) => compiler.object(getNamedType(object) as GraphQLObjectType, nodes));
}

export function compute(read: (source: never) => unknown, source: unknown): unknown {
  try {
    return read(source as never);
  } catch {
    throw UNSURE;
  }
}

/** As graphql-js's default resolver, which calls functions; those are its own business. */
function propertyOf(source: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = source[name];
  if (typeof value === "function") throw UNSURE;
  return value;
}
