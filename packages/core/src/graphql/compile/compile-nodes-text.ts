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
import { compileTextShape, type TextMember } from "../../lowering/compile-text-shape.ts";
import type { TextShape } from "../../operation/text-shape.ts";
import { readerOf } from "../reader.ts";
import { isPlainText } from "../schema/scalars.ts";
import { type Compiler, type RelationPlaces, type SelectedField, selectedFields } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";

/** The type of an object of the result, and the fields that select from it. */
interface Selected {
  readonly type: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
}

type Member = TextMember<Selected>;

/**
 * Compiles the template for the text of a root page's rows, for stores that can produce it. The selection can only
 * contain `nodes` and fields that need the number of rows. Throws `UNSURE` for anything else.
 */
export function compileNodesText(
  compiler: Compiler,
  { type, nodes }: Selected,
  places: RelationPlaces,
): TextShape | undefined {
  const parts = selectedFields(compiler.document, type, nodes);
  const [only, ...others] = parts.filter(({ field }) => readerOf(field?.resolve)?.kind === "nodes");
  const hasEdges = parts.some(({ field }) => readerOf(field?.resolve)?.kind === "edges");
  if (only?.field === undefined || others.length > 0 || hasEdges) throw UNSURE;
  return compileTextShape(selectedFrom(only), (row) =>
    selectedFields(compiler.document, row.type, row.nodes).map((field) => memberOf(compiler, row, field, places)),
  );
}

function memberOf(compiler: Compiler, { type }: Selected, selected: SelectedField, places: RelationPlaces): Member {
  const { key, field } = selected;
  if (field === undefined) return typenameMember(key, type);
  const reader = readerOf(field.resolve);
  if (reader?.kind === "field") return { key, kind: "field", name: reader.name, isId: leafIsId(field.type) };
  if (reader?.kind !== "relation") throw UNSURE;
  const as = compiler.placeOf(field, selected.node, reader)(places);
  const row = selectedFrom(selected);
  if (!reader.many) return { key, kind: "one", as, row };
  return { key, kind: "object", members: pageMembers(compiler, row, as) };
}

/** Returns the members of a page of a relation, of which only the rows may be selected. */
function pageMembers(compiler: Compiler, { type, nodes }: Selected, as: string): readonly Member[] {
  return selectedFields(compiler.document, type, nodes).map((selected): Member => {
    const { key, field } = selected;
    if (field === undefined) return typenameMember(key, type);
    if (readerOf(field.resolve)?.kind !== "nodes") throw UNSURE;
    return { key, kind: "many", as, row: selectedFrom(selected) };
  });
}

function selectedFrom({ field, nodes }: SelectedField): Selected {
  const type = field && getNamedType(field.type);
  if (!isObjectType(type)) throw UNSURE;
  return { type, nodes };
}

function typenameMember(key: string, { name }: GraphQLObjectType): Member {
  return { key, kind: "constant", text: JSON.stringify(name) };
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
