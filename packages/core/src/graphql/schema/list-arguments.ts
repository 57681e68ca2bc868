import { type GraphQLFieldConfigArgumentMap, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { SchemaTypes } from "./schema-types.ts";

/** Creates the arguments of a list, root or nested. */
export function listArguments(types: SchemaTypes, resource: ResourceModel): GraphQLFieldConfigArgumentMap {
  const filter = types.filter(resource);
  const sort = types.sort(resource);
  const { size, max } = resource.page;
  return {
    ...(filter === undefined ? {} : { filter: { type: filter } }),
    ...(sort === undefined ? {} : { sort: { type: new GraphQLList(new GraphQLNonNull(sort)) } }),
    first: {
      type: GraphQLInt,
      description: `Number of rows. Default: ${size}, unless \`last\` is set. Maximum: ${max}.`,
    },
    after: { type: GraphQLString, description: "Only rows after this cursor." },
    last: { type: GraphQLInt, description: "Number of rows, counted from the end." },
    before: { type: GraphQLString, description: "Only rows before this cursor." },
    offset: { type: GraphQLInt, description: "Number of rows to skip." },
  };
}
