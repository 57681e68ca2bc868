import { type GraphQLObjectType, getNamedType, type GraphQLOutputType } from "graphql";
import { readerOf } from "../reader.ts";
import { type Compiler, type SelectedField, selectedFields } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";
import { compileValue, type WriteValue } from "./write-value.ts";

/** Compiles objects that are not rows: the info of a page, a value with members, the result of an action. */
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

function compileMember(compiler: Compiler, type: GraphQLObjectType, selected: SelectedField): WriteValue {
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

/** Compiles a value of any type except rows and pages, which have their own compilers. */
export function compileSelected(compiler: Compiler, type: GraphQLOutputType, { nodes }: SelectedField): WriteValue {
  return compileValue(type, (object) => compiler.object(getNamedType(object) as GraphQLObjectType, nodes));
}

export function compute(read: (source: never) => unknown, source: unknown): unknown {
  try {
    return read(source as never);
  } catch {
    throw UNSURE;
  }
}

/** Like graphql-js's default resolver, except that a function is left to graphql-js, which would call it. */
function propertyOf(source: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = source[name];
  if (typeof value === "function") throw UNSURE;
  return value;
}
