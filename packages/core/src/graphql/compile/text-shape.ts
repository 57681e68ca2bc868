import {
  type FieldNode,
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  isEnumType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { TextPart, TextShape } from "../../operation/text-shape.ts";
import { readerOf } from "../reader.ts";
import { isPlainText } from "../schema/scalars.ts";
import { type Compiler, type RelationPlaces, type SelectedField, selectedFields } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";

/**
 * Creates the template for the text of rows, for stores that can produce it. The places of relations may depend on
 * variables.
 */
export type ShapeText = (places: RelationPlaces) => TextShape;

/**
 * Compiles the rows of a root page. The selection can only contain `nodes` and fields that need the number of rows.
 * Throws `UNSURE` for anything else.
 */
export function compileNodesText(compiler: Compiler, type: GraphQLObjectType, nodes: readonly FieldNode[]): ShapeText {
  const parts = selectedFields(compiler.document, type, nodes);
  const [only, ...others] = parts.filter(({ field }) => readerOf(field?.resolve)?.kind === "nodes");
  const hasEdges = parts.some(({ field }) => readerOf(field?.resolve)?.kind === "edges");
  if (only?.field === undefined || others.length > 0 || hasEdges) throw UNSURE;
  return compileRowText(compiler, getNamedType(only.field.type) as GraphQLObjectType, only.nodes);
}

function compileRowText(compiler: Compiler, type: GraphQLObjectType, nodes: readonly FieldNode[]): ShapeText {
  const makers = selectedFields(compiler.document, type, nodes).map((selected) =>
    compilePart(compiler, type, selected),
  );
  return (places) => ["{", ...makers.flatMap((make) => make(places)), "}"];
}

function compilePart(compiler: Compiler, type: GraphQLObjectType, selected: SelectedField): ShapeText {
  const { prefix, field } = selected;
  if (field === undefined) return () => [`${prefix}"${type.name}"`];
  const reader = readerOf(field.resolve);
  if (reader?.kind === "field") {
    const { name } = reader;
    const isId = leafIsId(field.type);
    return () => [prefix, { kind: "field", name, isId }];
  }
  if (reader?.kind !== "relation") throw UNSURE;
  const placeOf = compiler.placeOf(field, selected.node, reader);
  const target = getNamedType(field.type);
  if (!isObjectType(target)) throw UNSURE;
  if (reader.many) {
    const page = compilePageText(compiler, target, selected.nodes, placeOf);
    return (places) => [prefix, ...page(places)];
  }
  const row = compileRowText(compiler, target, selected.nodes);
  return (places) => [prefix, { kind: "one", as: placeOf(places), shape: row(places) }];
}

/** Compiles a page of a relation, of which only the rows may be selected. */
function compilePageText(
  compiler: Compiler,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  placeOf: (places: RelationPlaces) => string,
): ShapeText {
  const makers = selectedFields(compiler.document, type, nodes).map(({ prefix, field, nodes: inner }): ShapeText => {
    if (field === undefined) return () => [`${prefix}"${type.name}"`];
    if (readerOf(field.resolve)?.kind !== "nodes") throw UNSURE;
    const row = compileRowText(compiler, getNamedType(field.type) as GraphQLObjectType, inner);
    return (places): readonly TextPart[] => {
      return [`${prefix}[`, { kind: "many", as: placeOf(places), shape: row(places) }, "]"];
    };
  });
  return (places) => ["{", ...makers.flatMap((make) => make(places)), "}"];
}

const PLAIN: ReadonlySet<unknown> = new Set([GraphQLString, GraphQLInt, GraphQLFloat, GraphQLBoolean]);

/** Returns whether a value is serialized like an ID. Throws `UNSURE` for types with their own serialization. */
function leafIsId(type: GraphQLOutputType): boolean {
  const named = isNonNullType(type) ? type.ofType : getNullableType(type);
  if (named === GraphQLID) return true;
  const isPlainEnum = isEnumType(named) && named.getValues().every(({ name, value }) => name === value);
  if (isPlainEnum || PLAIN.has(named) || isPlainText(named)) return false;
  throw UNSURE;
}
