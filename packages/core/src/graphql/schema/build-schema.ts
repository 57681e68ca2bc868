import { type GraphQLDirective, GraphQLID, GraphQLObjectType, GraphQLSchema } from "graphql";
import type { InputMode, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import { checkGlobalIds, type Ids } from "../ids.ts";
import { actionFields } from "./action-fields.ts";
import { bulkFields } from "./bulk-fields.ts";
import { createOperatorInputs, filterableResources, filterInput } from "./filter-input.ts";
import { linkFields, mutationFields } from "./mutation-fields.ts";
import { capitalize, collectFields, createNames } from "./names.ts";
import { nodeFields, nodeInterface, queryFields } from "./query-fields.ts";
import { resourceType } from "./resource-type.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { connectionType, sortEnum } from "./list-types.ts";
import { hasSemanticNonNull, SEMANTIC_NON_NULL } from "./semantic-non-null.ts";
import { subscriptionFields } from "./subscription-fields.ts";
import { createValueTypes } from "./value-types.ts";
import { nestedInput, writeInput } from "./write-input.ts";

export interface SchemaOptions {
  readonly ids: Ids;
  readonly nonNullConnections: boolean;
}

/**
 * Builds the schema of a model from graphql-js types. Their resolvers pass each root field to the engine as one
 * operation. Any GraphQL server can execute the schema if its context has `{ run, caller }` under `"~bifocal"`.
 */
export function buildSchema(model: Model, limits: Limits, options: SchemaOptions): GraphQLSchema {
  if (options.ids.isGlobal) checkGlobalIds(model);
  const types = createTypes(model, limits, options);
  const resources = [...model.resources.values()];
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: "Query",
      fields: {
        ...nodeFields(types),
        ...collectFields("query", resources, (resource) => queryFields(types, resource)),
      },
    }),
    mutation: new GraphQLObjectType({
      name: "Mutation",
      fields: collectFields("mutation", resources, (resource) => [
        ...mutationFields(types, resource),
        ...bulkFields(types, resource),
        ...linkFields(types, resource),
        ...actionFields(types, resource),
      ]),
    }),
    subscription: new GraphQLObjectType({
      name: "Subscription",
      fields: collectFields("subscription", resources, (resource) => subscriptionFields(types, resource)),
    }),
  });
  return hasSemanticNonNull(schema) ? withDirective(schema, SEMANTIC_NON_NULL) : schema;
}

function withDirective(schema: GraphQLSchema, directive: GraphQLDirective): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...schema.getDirectives(), directive] });
}

function createTypes(model: Model, limits: Limits, { ids, nonNullConnections }: SchemaOptions): SchemaTypes {
  const names = createNames(model, ids.isGlobal ? ["Node"] : []);
  const values = createValueTypes(names);
  const filterable = filterableResources(model);
  const operand: SchemaTypes["operand"] = (resource, field, type) =>
    field.identifies ? GraphQLID : values.input(type, resource.typeName + capitalize(field.name));
  const writes = perResource((resource) => {
    const make = (mode: InputMode): ReturnType<typeof writeInput> => writeInput(types, resource, mode);
    return { create: make("create"), replace: make("replace"), update: make("update") };
  });
  const nested = new Map<RelationModel, ReturnType<typeof nestedInput>>();
  const types: SchemaTypes = {
    model,
    limits,
    ids,
    nonNullConnections,
    node: ids.isGlobal ? nodeInterface() : undefined,
    names,
    ...values,
    operand,
    operators: createOperatorInputs({ model, ids, names, operand }),
    resource: perResource((resource) => resourceType(types, resource)),
    connection: perResource((resource) => connectionType(types, resource)),
    filter: perResource((resource) => (filterable.has(resource.name) ? filterInput(types, resource) : undefined)),
    sort: perResource((resource) => sortEnum(types, resource)),
    write: (resource, mode) => writes(resource)[mode],
    nested(relation) {
      if (!nested.has(relation)) nested.set(relation, nestedInput(types, relation));
      return nested.get(relation);
    },
  };
  return types;
}

function perResource<T>(make: (resource: ResourceModel) => T): (resource: ResourceModel) => T {
  const made = new Map<string, T>();
  return (resource) => {
    if (!made.has(resource.name)) made.set(resource.name, make(resource));
    return made.get(resource.name) as T;
  };
}
