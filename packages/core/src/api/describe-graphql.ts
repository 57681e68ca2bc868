import { type GraphQLField, type GraphQLSchema, isIntrospectionType, isObjectType } from "graphql";
import type { Model, ResourceModel } from "../model/model.ts";
import type { GraphqlDescription, GraphqlNames, GraphqlSignature } from "../rest/schema/graphql-names.ts";
import type { ClientDescription, ClientResource, ClientRootField } from "./client-description-types.ts";

interface Parts {
  readonly model: Model;
  readonly schema: GraphQLSchema;
  /** The names of root fields, by operation. */
  readonly client: ClientDescription;
}

type Signatures = ReadonlyMap<string, GraphqlSignature>;

/** Describes the schema that the API serves, by resource. */
export function describeGraphql({ model, schema, client }: Parts): GraphqlDescription {
  const roots = rootSignatures(schema);
  const resources = new Map(
    [...model.resources.values()].flatMap((resource) => {
      const described = client.resources[resource.name];
      return described === undefined
        ? []
        : [[resource.name, describeNames(schema, roots, resource, described)] as const];
    }),
  );
  const own = new Set([...resources.values()].flatMap(rootNames));
  return { resources, others: [...roots.values()].filter(({ name }) => !own.has(name)) };
}

function describeNames(
  schema: GraphQLSchema,
  roots: Signatures,
  resource: ResourceModel,
  client: ClientResource,
): GraphqlNames {
  const { name, typeName } = resource;
  const type = schema.getType(typeName);
  const of = (field: ClientRootField | undefined): readonly GraphqlSignature[] => {
    const found = field && roots.get(field.field);
    return found === undefined ? [] : [found];
  };
  const only = (entries: readonly (readonly [string, ClientRootField | undefined])[]): Signatures =>
    new Map(entries.flatMap(([key, field]) => of(field).map((signature) => [key, signature] as const)));
  const operations = Object.entries(client.graphql).flatMap(([operation, field]) =>
    operation === "history" || operation === "watch" ? [] : [[operation, of(field)] as const],
  );
  const watched = ["Created", "Updated", "Deleted", "Changed"].flatMap((change) => roots.get(name + change) ?? []);
  return {
    type: isObjectType(type) ? type.name : undefined,
    types: typeNamesOf(schema, resource),
    fields: isObjectType(type) ? signaturesOf(Object.values(type.getFields())) : new Map(),
    operations: new Map([...operations, ["watch", watched]]),
    actions: only(Object.entries(client.actions).map(([key, { graphql }]) => [key, graphql])),
    queries: only(Object.entries(client.queries).map(([key, { graphql }]) => [key, graphql])),
    links: new Map(
      Object.entries(client.relations).map(([key, { link, unlink }]) => {
        const [[added], [removed]] = [of(link), of(unlink)];
        return [key, { ...(added && { link: added }), ...(removed && { unlink: removed }) }];
      }),
    ),
  };
}

function rootNames({ operations, actions, queries, links }: GraphqlNames): readonly string[] {
  const linked = [...links.values()].flatMap(({ link, unlink }) => [link, unlink]);
  const all = [...[...operations.values()].flat(), ...actions.values(), ...queries.values(), ...linked];
  return all.flatMap((signature) => signature?.name ?? []);
}

function rootSignatures(schema: GraphQLSchema): Signatures {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return signaturesOf(roots.flatMap((type) => Object.values(type?.getFields() ?? {})));
}

function signaturesOf(fields: readonly GraphQLField<unknown, unknown>[]): Signatures {
  return new Map(
    fields.map(({ name, args, type, description }) => [
      name,
      {
        name,
        args: Object.fromEntries(args.map((one) => [one.name, String(one.type)])),
        type: String(type),
        description: description ?? undefined,
      },
    ]),
  );
}

/** Returns the types that the schema derives from the resource, in their order in the schema. */
function typeNamesOf(schema: GraphQLSchema, { typeName }: ResourceModel): readonly string[] {
  const wanted = [
    `${typeName}Connection`,
    `${typeName}Filter`,
    `${typeName}Sort`,
    `Create${typeName}Input`,
    `Update${typeName}Input`,
    `Replace${typeName}Input`,
    `${typeName}AggregatePage`,
  ];
  return wanted.filter((name) => {
    const type = schema.getType(name);
    return type !== undefined && !isIntrospectionType(type);
  });
}
