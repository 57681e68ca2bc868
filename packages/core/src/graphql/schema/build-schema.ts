import {
  type GraphQLDirective,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import type { InputMode, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { supportedOperations } from "../../model/offered.ts";
import type { StoreWrites } from "../../model/store-writes.ts";
import type { Limits } from "../../limits/limits.ts";
import { checkGlobalIds, type Ids } from "../ids.ts";
import { actionFields } from "./action-fields.ts";
import { aggregateTypes } from "./aggregate-types.ts";
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
import { childrenInput, linksInput } from "./change-input.ts";
import { childUpdateInput, nestedInput, writeInput } from "./write-input.ts";

export interface SchemaOptions {
  readonly ids: Ids;
  readonly writesOf: (resource: ResourceModel) => StoreWrites;
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
    mutation: rootType(
      "Mutation",
      collectFields("mutation", resources, (resource) =>
        [
          ...mutationFields(types, resource),
          ...bulkFields(types, resource),
          ...linkFields(types, resource),
          ...actionFields(types, resource),
        ].map(withIdempotencyKey),
      ),
    ),
    subscription: rootType(
      "Subscription",
      collectFields("subscription", resources, (resource) => subscriptionFields(types, resource)),
    ),
  });
  return hasSemanticNonNull(schema) ? withDirective(schema, SEMANTIC_NON_NULL) : schema;
}

const IDEMPOTENCY_KEY = {
  type: GraphQLString,
  description: "Makes retries safe: a write with the same key and the same arguments is done only once.",
};

function withIdempotencyKey<T extends GraphQLFieldConfig<unknown, unknown>>([name, config]: readonly [
  string,
  T,
]): readonly [string, T] {
  return [name, { ...config, args: { ...config.args, idempotencyKey: IDEMPOTENCY_KEY } }];
}

/** Returns null if there are no fields: a type without fields isn't valid (specification §3.6). */
function rootType<Source>(
  name: string,
  fields: GraphQLFieldConfigMap<Source, unknown>,
): GraphQLObjectType<Source> | null {
  return Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, fields });
}

function withDirective(schema: GraphQLSchema, directive: GraphQLDirective): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...schema.getDirectives(), directive] });
}

function createTypes(model: Model, limits: Limits, { ids, writesOf, nonNullConnections }: SchemaOptions): SchemaTypes {
  const names = createNames(model, ids.isGlobal ? ["Node"] : []);
  const values = createValueTypes(names);
  const filterable = filterableResources(model);
  const operand: SchemaTypes["operand"] = (resource, field, type) =>
    field.identifies ? GraphQLID : values.input(type, resource.typeName + capitalize(field.name));
  const writes = perResource((resource) => {
    const make = (mode: InputMode): ReturnType<typeof writeInput> => writeInput(types, resource, mode);
    return { create: make("create"), replace: make("replace"), update: make("update") };
  });
  const types: SchemaTypes = {
    model,
    limits,
    ids,
    nonNullConnections,
    offered: perResource((resource) => supportedOperations(resource.operations.graphql, resource, writesOf(resource))),
    node: ids.isGlobal ? nodeInterface() : undefined,
    names,
    ...values,
    value: (resource, field) =>
      field.identifies ? GraphQLID : values.output(field.type, resource.typeName + capitalize(field.name)),
    operand,
    operators: createOperatorInputs({ model, ids, names, operand }),
    resource: perResource((resource) => resourceType(types, resource)),
    connection: perResource((resource) => connectionType(types, resource)),
    filter: perResource((resource) => (filterable.has(resource.name) ? filterInput(types, resource) : undefined)),
    aggregate: perResource((resource) => aggregateTypes(types, resource)),
    sort: perResource((resource) => sortEnum(types, resource)),
    write: (resource, mode) => writes(resource)[mode],
    nested: perRelation((relation) => nestedInput(types, relation)),
    links: perRelation((relation) => linksInput(types, relation)),
    children: perRelation((relation) => childrenInput(types, relation)),
    childUpdate: perRelation((relation) => childUpdateInput(types, relation)),
  };
  return types;
}

function perRelation<T>(make: (relation: RelationModel) => T): (relation: RelationModel) => T {
  const made = new Map<RelationModel, T>();
  return (relation) => {
    if (!made.has(relation)) made.set(relation, make(relation));
    return made.get(relation) as T;
  };
}

function perResource<T>(make: (resource: ResourceModel) => T): (resource: ResourceModel) => T {
  const made = new Map<string, T>();
  return (resource) => {
    if (!made.has(resource.name)) made.set(resource.name, make(resource));
    return made.get(resource.name) as T;
  };
}
