import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from "graphql";
import type { Row } from "../../model/model.ts";
import type { PageNode, RawRows } from "../../operation/outcome.ts";
import type { Arguments } from "../root-field.ts";
import type { Reader } from "../reader.ts";
import { eachField } from "../lower/each-field.ts";
import type { Document } from "../lower/document.ts";
import type { Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";
import type { WriteValue } from "./write-value.ts";

/** Where the relations stand whose arguments have variables, in one execution. */
export type Places = readonly string[];

/** Answers the text with the row behind it: to add to one long text costs less than to make it of texts that were made of others. */
export type WriteRow = (text: string, row: Row, related: RawRows["related"], places: Places) => string;
export type WritePage = (text: string, page: PageNode, places: Places) => string;

/** A relation whose arguments have variables: where it stands is known with them. */
export interface DynamicPlace {
  readonly argumentsOf: (variables: Variables) => Arguments;
  readonly placeOf: (args: Arguments) => string;
}

export type RelationReader = Extract<Reader, { kind: "relation" }>;
export type PlaceOf = (places: Places) => string;

/** Compiles what fields of the document select, by what stands beneath them. */
export interface Compiler {
  readonly document: Document;
  /** Whether the same rows are likely to be written again: those of a read are, those of a write are new. */
  readonly isRead: boolean;
  /** In the order in which `Places` has them. */
  readonly dynamic: DynamicPlace[];
  /** Where a relation stands in a node: the same for the same field of the document. */
  readonly placeOf: (field: GraphQLField<unknown, unknown>, node: FieldNode, relation: RelationReader) => PlaceOf;
  readonly row: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WriteRow;
  readonly page: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WritePage;
  readonly object: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => WriteValue;
}

/** A field to be answered, under one key: all of its nodes are merged into one. */
export interface Selected {
  /** `"key":`, as it stands in the answer, behind a comma but for the first. */
  readonly prefix: string;
  /** Undefined for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly node: FieldNode;
  readonly nodes: readonly FieldNode[];
}

/** Of introspection, which the query type has without saying so. */
function metaField(
  { schema }: Document,
  type: GraphQLObjectType,
  { name: { value } }: FieldNode,
): GraphQLField<unknown, unknown> | undefined {
  if (type !== schema.getQueryType()) return undefined;
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find(({ name }) => name === value);
}

/** The fields of a selection set in the order of the answer (specification §6.3.2). */
export function selectedFields(
  document: Document,
  type: GraphQLObjectType,
  parents: readonly FieldNode[],
): readonly Selected[] {
  const byKey = new Map<string, Set<FieldNode>>();
  for (const parent of parents) {
    eachField(parent.selectionSet, type.name, document, (node) => {
      const key = (node.alias ?? node.name).value;
      const nodes = byKey.get(key);
      if (nodes === undefined) byKey.set(key, new Set([node]));
      else nodes.add(node);
    });
  }
  const fields = type.getFields();
  return [...byKey].map(([key, set], index) => {
    const nodes = [...set];
    const node = nodes[0] as FieldNode;
    const field =
      node.name.value === "__typename" ? undefined : (fields[node.name.value] ?? metaField(document, type, node));
    if (field === undefined && node.name.value !== "__typename") throw UNSURE;
    return { prefix: `${index === 0 ? "" : ","}"${key}":`, field, node, nodes };
  });
}
