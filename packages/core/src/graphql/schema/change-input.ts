import {
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLScalarType,
  GraphQLList,
  GraphQLNonNull,
} from "graphql";
import type { RelationModel } from "../../model/model.ts";
import { offeredWrites } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { capitalize } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";

/** Creates `BookTagsInput`: the changes of the links of a row. */
export function linksInput(types: SchemaTypes, { source, name, links }: RelationModel): GraphQLInputObjectType {
  const ids = new GraphQLList(new GraphQLNonNull(GraphQLID));
  const { typeName } = resourceOf(types.model, source);
  return new GraphQLInputObjectType({
    name: types.names.claim(`${typeName}${capitalize(name)}Input`),
    description: `Sets the ${name} of a ${typeName}, or adds and removes some. At most ${links} ids.`,
    fields: {
      set: { type: ids, description: "All links that the row has afterwards. Excludes the other fields." },
      add: { type: ids },
      remove: { type: ids },
    },
  });
}

/** Creates `AuthorBooksInput`: the rows that an update creates, updates and deletes along a relation. */
export function childrenInput(types: SchemaTypes, relation: RelationModel): GraphQLInputObjectType | undefined {
  const { name } = relation;
  const writes = offeredWrites(types.model, relation);
  const { typeName } = resourceOf(types.model, relation.source);
  const created = writes.create > 0 ? types.nested(relation) : undefined;
  const changed = writes.update > 0 ? types.childUpdate(relation) : undefined;
  const many = (
    type: GraphQLInputObjectType | GraphQLScalarType,
    what: string,
    most: number,
  ): GraphQLInputFieldConfig => ({
    type: new GraphQLList(new GraphQLNonNull(type)),
    description: `Up to ${most} rows to ${what}.`,
  });
  const fields = {
    ...(created === undefined ? {} : { create: many(created, "create", writes.create) }),
    ...(changed === undefined ? {} : { update: many(changed, "update", writes.update) }),
    ...(writes.delete > 0 ? { delete: many(GraphQLID, "delete, by their ids", writes.delete) } : {}),
  };
  if (Object.keys(fields).length === 0) return undefined;
  const description = `Changes of the ${name} of a ${typeName}. Other rows stay unchanged.`;
  return new GraphQLInputObjectType({
    name: types.names.claim(`${typeName}${capitalize(name)}Input`),
    description,
    fields,
  });
}
