import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from "graphql";
import type { Row } from "../../model/model.ts";
import type { RawRelations, RawRows, RowPage } from "../../operation/visible-rows.ts";
import type { Arguments } from "../root-field.ts";
import type { Reader } from "../reader.ts";
import { eachField } from "../lower/each-field.ts";
import type { Document } from "../lower/document.ts";
import type { Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";
import type { WriteValue } from "./write-value.ts";

/** The places of the relations whose arguments contain variables, in one execution. */
export type RelationPlaces = readonly string[];

/**
 * Returns `text` with the row appended. Appending to one string is faster than joining strings that were joined before.
 */
export type WriteRow = (text: string, row: Row, related: RawRelations, places: RelationPlaces) => string;
export type WriteRows = (text: string, rows: RawRows, places: RelationPlaces) => string;
export type WritePage = (text: string, page: RowPage, places: RelationPlaces) => string;

/** A relation whose arguments contain variables, which determine its place in the node. */
export interface DynamicPlace {
  readonly argumentsOf: (variables: Variables) => Arguments;
  readonly placeOf: (args: Arguments) => string;
}

export type RelationReader = Extract<Reader, { kind: "relation" | "groups" }>;
export type PlaceOf = (places: RelationPlaces) => string;

/** Compiles the fields of a document, by the kind of type that each selects from. */
export interface Compiler {
  readonly document: Document;
  /** Whether the same rows are likely to be written again. Rows of a read are; rows of a write are new. */
  readonly isRead: boolean;
  /** In the order of `Places`. */
  readonly dynamic: DynamicPlace[];
  /** Finds the key of a relation in its node. It is the same for every use of a field of the document. */
  readonly placeOf: (field: GraphQLField<unknown, unknown>, node: FieldNode, relation: RelationReader) => PlaceOf;
  readonly row: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WriteRow;
  /** Compiles rows in brackets. */
  readonly rows: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WriteRows;
  readonly page: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WritePage;
  readonly object: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WriteValue;
}

/** A field of the result under one response key, with all nodes that are merged into it. */
export interface SelectedField {
  readonly key: string;
  /** `"key":`, preceded by a comma for all fields but the first. */
  readonly prefix: string;
  /** Undefined for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly node: FieldNode;
  readonly nodes: readonly FieldNode[];
}

/** Finds the introspection fields, which the query type does not list. */
function metaField(
  { schema }: Document,
  type: GraphQLObjectType,
  { name: { value } }: FieldNode,
): GraphQLField<unknown, unknown> | undefined {
  if (type !== schema.getQueryType()) return undefined;
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find(({ name }) => name === value);
}

/** Returns the fields of a selection set in the order of the response (specification §6.3.2). */
export function selectedFields(
  document: Document,
  type: GraphQLObjectType,
  parents: readonly FieldNode[],
): readonly SelectedField[] {
  const byKey = new Map<string, FieldNode[]>();
  for (const parent of parents) {
    eachField(parent.selectionSet, type.name, document, (node) => {
      const key = (node.alias ?? node.name).value;
      const nodes = byKey.get(key);
      if (nodes === undefined) byKey.set(key, [node]);
      // A fragment that is spread twice has the same nodes.
      else if (!nodes.includes(node)) nodes.push(node);
    });
  }
  const fields = type.getFields();
  return [...byKey].map(([key, nodes], index) => {
    const node = nodes[0] as FieldNode;
    const field =
      node.name.value === "__typename" ? undefined : (fields[node.name.value] ?? metaField(document, type, node));
    if (field === undefined && node.name.value !== "__typename") throw UNSURE;
    return { key, prefix: `${index === 0 ? "" : ","}"${key}":`, field, node, nodes };
  });
}
