import { GraphQLObjectType, GraphQLSchema } from "graphql";

/** Adds the root types that the schema lacks, without fields, so that a host can extend them. */
export function withAllRoots(schema: GraphQLSchema): GraphQLSchema {
  const { mutation, subscription, ...config } = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    mutation: mutation ?? new GraphQLObjectType({ name: "Mutation", fields: {} }),
    subscription: subscription ?? new GraphQLObjectType({ name: "Subscription", fields: {} }),
  });
}

/** Removes the root types without fields. */
export function withoutEmptyRoots(schema: GraphQLSchema): GraphQLSchema {
  const { mutation, subscription, types, ...config } = schema.toConfig();
  const empty = [mutation, subscription].filter((type) => type && Object.keys(type.getFields()).length === 0);
  if (empty.length === 0) return schema;
  return new GraphQLSchema({
    ...config,
    mutation: empty.includes(mutation) ? null : mutation,
    subscription: empty.includes(subscription) ? null : subscription,
    types: types.filter((type) => !empty.includes(type as GraphQLObjectType)),
  });
}
