import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  isUnionType,
} from "graphql";
import { ERROR_STATUS } from "../errors/codes.ts";
import { hasUnion, optionName, unionOf } from "../graphql/unions.ts";
import { actionFieldName } from "../graphql/schema/action-fields.ts";
import { linkFieldName } from "../graphql/schema/mutation-fields.ts";
import { namedQueryFieldName } from "../graphql/schema/named-query-fields.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { ActionModel, FieldModel, Model, RelationModel, ResourceModel } from "../model/model.ts";
import { isLinkable, isOfferedRelation, offeredActions, offeredQueries } from "../model/offered.ts";
import { resourceOf } from "../model/resource-of.ts";
import { conversionOf } from "../model/shape/conversion.ts";
import type { WireMember, WireType } from "../model/wire-type.ts";
import { kebabCase } from "../util/kebab-case.ts";
import { omitUndefined } from "../util/omit-undefined.ts";
import type {
  ClientAction,
  ClientDescription,
  ClientField,
  ClientQuery,
  ClientRelation,
  ClientResource,
  ClientRootField,
  UnionForm,
} from "./client-description-types.ts";

interface Parts {
  readonly model: Model;
  readonly schema: GraphQLSchema;
  readonly settings: Pick<GraphqlSettings, "persisted" | "globalIds">;
}

/** Describes the API for clients, at `/client.json`. */
export function describeForClients(parts: Parts): ClientDescription {
  const { persisted, globalIds } = parts.settings;
  return {
    version: 1,
    graphql: {
      path: "/graphql",
      ...(persisted?.only === true
        ? { persisted: "only" }
        : persisted?.automatic === true
          ? { persisted: "automatic" }
          : {}),
      ...(globalIds === true ? { globalIds } : {}),
      statuses: ERROR_STATUS,
    },
    resources: Object.fromEntries(
      [...parts.model.resources.values()].map((resource) => [resource.name, describeResource(parts, resource)]),
    ),
  };
}

function describeResource(parts: Parts, resource: ResourceModel): ClientResource {
  const { model } = parts;
  const relations = [...resource.relations.values()].filter((relation) => isOfferedRelation(model, relation));
  const offered = Object.entries(resource.operations.rest).filter(([, isOffered]) => isOffered);
  return {
    name: resource.name,
    path: `/${resource.path}`,
    key: resource.key,
    pageSize: resource.page.size,
    ...(resource.version === undefined ? {} : { version: resource.version }),
    fields: Object.fromEntries(
      resource.visibleFields.map((field) => [field.name, describeField(parts, resource, field)]),
    ),
    relations: Object.fromEntries(relations.map((one) => [one.name, describeRelation(parts, resource, one)])),
    actions: Object.fromEntries(
      offeredActions(resource).map((one) => [one.name, describeAction(parts, resource, one)]),
    ),
    queries: describeQueries(parts, resource),
    rest: offered.map(([operation]) => operation),
    graphql: rootFields(parts, resource),
    sort: sortNames(parts, resource),
  };
}

function describeField({ schema }: Parts, { typeName }: ResourceModel, field: FieldModel): ClientField {
  const type = outputOf(schema.getType(typeName), field.name);
  const { kind } = field.type;
  return omitUndefined<ClientField>({
    form: conversionOf(field.schema),
    input: inputForm(field.input),
    select: type && selectionOf(type),
    isNumericId: field.identifies && (kind === "integer" || kind === "number") ? true : undefined,
    isRestOnly: type === undefined ? true : undefined,
  });
}

function describeRelation({ model, schema }: Parts, resource: ResourceModel, relation: RelationModel): ClientRelation {
  const { typeName, operations } = resource;
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[relation.name] : undefined;
  const isGrouped = relation.many && resourceOf(model, relation.target).aggregates.isDeclared;
  const groups = isGrouped && isObjectType(type) ? type.getFields()[`${relation.name}Aggregate`] : undefined;
  const isLinked = relation.kind === "manyToMany" && isLinkable(model, relation);
  const linkOf = (kind: "link" | "unlink"): ClientRootField | undefined =>
    isLinked && operations.graphql[kind]
      ? rootField(schema, linkFieldName(model, resource, relation, kind), "{ __typename }")
      : undefined;
  return omitUndefined<ClientRelation>({
    to: relation.target,
    many: relation.many,
    path: kebabCase(relation.name),
    args: field === undefined ? {} : argsOf(field),
    groups: groups && argsOf(groups),
    link: linkOf("link"),
    unlink: linkOf("unlink"),
  });
}

function describeAction({ schema }: Parts, resource: ResourceModel, action: ActionModel): ClientAction {
  const { on, input, output } = action;
  const name = actionFieldName(resource, action);
  const type = schema.getMutationType()?.getFields()[name]?.type;
  const returns = output !== undefined ? "value" : on === "item" ? "row" : "nothing";
  const select = returns === "value" && type !== undefined ? selectionOf(type) : undefined;
  return omitUndefined<ClientAction>({
    on,
    path: kebabCase(action.name),
    returns,
    form: output && conversionOf(output.schema),
    input: input && inputForm(input.type),
    select,
    graphql: rootField(schema, name, returns === "row" ? undefined : (select ?? "")),
  });
}

function describeQueries({ schema }: Parts, resource: ResourceModel): Readonly<Record<string, ClientQuery>> {
  const [inRest, inGraphql] = [offeredQueries(resource, "rest"), offeredQueries(resource, "graphql")];
  const described = [...resource.queries.values()].map((query) => {
    const { on, input, output } = query;
    const name = namedQueryFieldName(resource, query);
    const type = inGraphql.includes(query) ? schema.getQueryType()?.getFields()[name]?.type : undefined;
    const select = output !== undefined && type !== undefined ? selectionOf(type) : undefined;
    const parts = omitUndefined<ClientQuery>({
      on,
      path: kebabCase(query.name),
      returns: output === undefined ? "rows" : "value",
      hasInput: input === undefined ? undefined : true,
      isNullable: output?.type.nullable === true ? true : undefined,
      form: output && conversionOf(output.schema),
      input: input && inputForm(input.type),
      select,
      rest: inRest.includes(query) ? true : undefined,
      graphql: type && rootField(schema, name, output && (select ?? "")),
    });
    return [query.name, parts] as const;
  });
  return Object.fromEntries(described.filter(([, { rest, graphql }]) => rest === true || graphql !== undefined));
}

function rootFields({ schema }: Parts, resource: ResourceModel): Readonly<Record<string, ClientRootField>> {
  const { name, plural, typeName, pluralTypeName } = resource;
  const hasHistory = outputOf(schema.getType(typeName), "history") !== undefined && resource.relations.has("history");
  const names = {
    get: name,
    ...(hasHistory ? { history: name } : {}),
    list: plural,
    aggregate: `${plural}Aggregate`,
    create: `create${typeName}`,
    replace: `replace${typeName}`,
    update: `update${typeName}`,
    delete: `delete${typeName}`,
    createMany: `create${pluralTypeName}`,
    updateMany: `update${pluralTypeName}`,
    deleteMany: `delete${pluralTypeName}`,
    watch: `${name}Changed`,
  };
  const described = Object.entries(names).map(
    ([operation, field]) => [operation, rootField(schema, field, SELECTIONS[operation])] as const,
  );
  return omitUndefined(Object.fromEntries(described));
}

/** Selections of operations that don't return rows. */
const SELECTIONS: Readonly<Record<string, string>> = {
  delete: "{ __typename }",
  updateMany: "{ ids }",
  deleteMany: "{ ids }",
};

function rootField(schema: GraphQLSchema, field: string, select?: string): ClientRootField | undefined {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const [found] = roots.flatMap((type) => type?.getFields()[field] ?? []);
  return found && { field, args: argsOf(found), ...(select === undefined ? {} : { select }) };
}

function argsOf({ args }: GraphQLField<unknown, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(args.map(({ name, type }) => [name, String(type)]));
}

function outputOf(type: GraphQLNamedType | undefined, field: string): GraphQLOutputType | undefined {
  return isObjectType(type) ? type.getFields()[field]?.type : undefined;
}

/** Writes the selection of all members of an object or a union. Object types of values are never recursive. */
function selectionOf(output: GraphQLOutputType): string | undefined {
  const type = getNamedType(output);
  if (isUnionType(type)) {
    return `{ ${type
      .getTypes()
      .map((option) => `... on ${option.name} ${selectionOf(option) ?? ""}`)
      .join(" ")} }`;
  }
  if (!isObjectType(type)) return undefined;
  const members = Object.values(type.getFields()).map((member) => [member.name, selectionOf(member.type)]);
  return `{ ${members
    .flat()
    .filter((part) => part !== undefined)
    .join(" ")} }`;
}

function sortNames({ schema }: Parts, { typeName }: ResourceModel): Readonly<Record<string, string>> {
  const types = [schema.getType(`${typeName}Sort`), schema.getType(`${typeName}AggregateSort`)];
  const values = types.flatMap((type) => (isEnumType(type) ? type.getValues() : []));
  const ascending = values.filter(({ name }) => name.endsWith("_ASC"));
  return Object.fromEntries(ascending.map(({ name, value }) => [String(value), name.slice(0, -"_ASC".length)]));
}

function inputForm(type: WireType): UnionForm | undefined {
  if (!hasUnion(type)) return undefined;
  if (type.kind === "list") return eachForm(inputForm(type.item));
  if (type.kind === "object") return membersForm(type.members);
  const union = unionOf(type);
  if (union === undefined) return undefined;
  const options = union.options.map(({ value, type: option }) => {
    const form = membersForm(option.members);
    return [value, { name: optionName(option), ...(form === undefined ? {} : { form }) }] as const;
  });
  return { tag: union.discriminator, options: Object.fromEntries(options) };
}

function membersForm(members: readonly WireMember[]): UnionForm | undefined {
  const forms = members.flatMap(({ name, type }) => {
    const form = inputForm(type);
    return form === undefined ? [] : [[name, form] as const];
  });
  return forms.length === 0 ? undefined : { members: Object.fromEntries(forms) };
}

function eachForm(each: UnionForm | undefined): UnionForm | undefined {
  return each && { each };
}
