import {
  GraphQLEnumType,
  type GraphQLEnumValueConfigMap,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import type { Group } from "../../operation/group.ts";
import { AGGREGATE_FUNCTIONS, type AggregateFunction } from "../../definition/aggregate-functions.ts";
import { DefinitionError } from "../../errors/definition-error.ts";
import type { FieldModel, GroupModel, MeasureModel, ResourceModel } from "../../model/model.ts";
import { offeredGroups } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { GroupPage } from "../../operation/visible-rows.ts";
import type { Json } from "../../util/json.ts";
import { idOwner } from "../ids.ts";
import { readFrom } from "../reader.ts";
import { constantCase } from "../../util/constant-case.ts";
import { capitalize } from "./names.ts";
import { searchArgument } from "./list-types.ts";
import { PageInfo } from "./page-info.ts";
import type { AggregateTypes, SchemaTypes } from "./schema-types.ts";

type GroupKeys = Readonly<Record<string, Json>>;

/** Creates the arguments of `booksAggregate`. */
export function aggregateArguments(types: SchemaTypes, resource: ResourceModel): GraphQLFieldConfigArgumentMap {
  const { filter, groupBy, having, sort } = types.aggregate(resource);
  const { size, max } = resource.page;
  return {
    ...(filter === undefined ? {} : { filter: { type: filter, description: "Only rows that match." } }),
    ...(resource.search.length === 0 ? {} : { search: searchArgument(resource, false) }),
    ...(groupBy === undefined ? {} : { groupBy: { type: listOf(groupBy) } }),
    having: { type: having, description: "Only groups that match." },
    sort: { type: listOf(sort) },
    first: {
      type: GraphQLInt,
      description: `Number of groups. Default: ${size}, unless \`last\` is set. Maximum: ${max}.`,
    },
    after: { type: GraphQLString, description: "Only groups after this cursor." },
    last: { type: GraphQLInt, description: "Number of groups, counted from the end." },
    before: { type: GraphQLString, description: "Only groups before this cursor." },
    offset: { type: GraphQLInt, description: "Number of groups to skip." },
  };
}

function listOf(type: GraphQLEnumType): GraphQLList<GraphQLNonNull<GraphQLEnumType>> {
  return new GraphQLList(new GraphQLNonNull(type));
}

export function aggregateTypes(types: SchemaTypes, resource: ResourceModel): AggregateTypes {
  const groups = offeredGroups(types.model, resource);
  const names = groups.map(({ name }) => [constantCase(name.replaceAll(".", "_")), name] as const);
  const measures = [...resource.aggregates.measures.keys()].map(
    (name) => [constantCase(name.replace(".", "_")), name] as const,
  );
  return {
    filter: types.filter(resource),
    page: pageType(types, resource),
    groupBy: groups.length === 0 ? undefined : enumOf(resource, "GroupBy", names),
    having: havingInput(types, resource),
    sort: enumOf(
      resource,
      "AggregateSort",
      [...measures, ...names].flatMap(([constant, name]) => [
        [`${constant}_ASC`, name] as const,
        [`${constant}_DESC`, `-${name}`] as const,
      ]),
      "Groups can be sorted by a value that they are grouped by, and by any aggregate. Nulls come last in ascending order.",
    ),
  };
}

function enumOf(
  { name, typeName }: ResourceModel,
  suffix: string,
  entries: readonly (readonly [constant: string, value: string])[],
  description?: string,
): GraphQLEnumType {
  const values: GraphQLEnumValueConfigMap = {};
  for (const [constant, value] of entries) {
    const before = values[constant]?.value as string | undefined;
    if (before !== undefined) {
      const problem = `In the GraphQL enum '${typeName}${suffix}', '${before}' and '${value}' would have the same name ${constant}.`;
      throw new DefinitionError([
        { at: `${name}.groupable`, problem, fix: "Rename one of the fields, or remove it from 'groupable'." },
      ]);
    }
    values[constant] = { value };
  }
  return new GraphQLEnumType({ name: typeName + suffix, values, description: description ?? null });
}

function pageType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType {
  const group = groupType(types, resource);
  return new GraphQLObjectType<GroupPage>({
    name: `${resource.typeName}AggregatePage`,
    fields: {
      nodes: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(group))),
        resolve: readFrom((page: GroupPage) => page.groups),
      },
      pageInfo: { type: new GraphQLNonNull(PageInfo), resolve: readFrom((page: GroupPage) => page) },
      totalCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description: "Number of groups on all pages.",
        resolve: readFrom((page: GroupPage) => page.total),
      },
    },
  });
}

function groupType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType {
  const fields: Record<string, GraphQLFieldConfig<Group, unknown>> = {};
  const keys = keysType(types, resource);
  if (keys !== undefined) fields["group"] = { type: new GraphQLNonNull(keys) };
  fields["count"] = { type: new GraphQLNonNull(GraphQLInt), description: "Number of rows." };
  for (const name of AGGREGATE_FUNCTIONS) {
    const type = valuesType(types, resource, name);
    if (type === undefined) continue;
    // A selection whose fields are all skipped requests no value.
    const resolve = readFrom((group: Group) => group[name] ?? {});
    fields[name] = { type: new GraphQLNonNull(type), description: WORDS[name], resolve };
  }
  return new GraphQLObjectType({ name: `${resource.typeName}Aggregate`, fields });
}

const WORDS: Readonly<Record<AggregateFunction, string>> = {
  sum: "Sums. Missing values are ignored; without any value, the result is null.",
  avg: "Averages. Missing values are ignored; without any value, the result is null.",
  min: "Least values. Null without any value.",
  max: "Greatest values. Null without any value.",
};

/** The values by which rows are grouped. Those that the request doesn't group by are null. */
function keysType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType | undefined {
  const fields: Record<string, GraphQLFieldConfig<GroupKeys, unknown>> = {};
  for (const group of offeredGroups(types.model, resource)) {
    const name = keyName(group);
    if (fields[name] !== undefined) {
      const problem = `'${name}' and '${group.name}' would have the same name in the GraphQL type '${resource.typeName}Group'.`;
      throw new DefinitionError([{ at: `${resource.name}.groupable`, problem, fix: "Rename one of the fields." }]);
    }
    fields[name] = keyConfig(types, resource, group);
  }
  if (Object.keys(fields).length === 0) return undefined;
  return new GraphQLObjectType({ name: `${resource.typeName}Group`, fields });
}

/** Returns `createdAtMonth` for `createdAt.month`, and `authorName` for `author.name`. */
function keyName({ name }: GroupModel): string {
  return name.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}

function keyConfig(
  types: SchemaTypes,
  resource: ResourceModel,
  { name, field: of, part, relation, type }: GroupModel,
): GraphQLFieldConfig<GroupKeys, unknown> {
  const { ids, model } = types;
  const followed = relation === undefined ? undefined : resource.relations.get(relation);
  const source = followed === undefined ? resource : resourceOf(model, followed.target);
  const field = source.fields.get(of) as FieldModel;
  const owner = part === undefined && ids.isGlobal ? idOwner(model, source, field) : undefined;
  const path = source.typeName + capitalize(of);
  return {
    type: part === undefined ? types.value(source, field) : types.output(type, path),
    resolve: readFrom((keys: GroupKeys) => {
      const value = keys[name] ?? null;
      return value === null || owner === undefined ? value : ids.format(owner, value as string | number);
    }),
  };
}

function valuesType(
  types: SchemaTypes,
  resource: ResourceModel,
  name: AggregateFunction,
): GraphQLObjectType | undefined {
  const measures = measuresOf(resource, name);
  if (measures.length === 0) return undefined;
  return new GraphQLObjectType({
    name: `${resource.typeName}${capitalize(name)}`,
    fields: Object.fromEntries(
      measures.map(({ field = "", type }) => [
        field,
        { type: types.output(type, resource.typeName + capitalize(field)) },
      ]),
    ),
  });
}

function measuresOf({ aggregates }: ResourceModel, name: AggregateFunction): readonly MeasureModel[] {
  return [...aggregates.measures.values()].filter((measure) => measure.function === name);
}

function havingInput(types: SchemaTypes, resource: ResourceModel): GraphQLInputObjectType {
  const self: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${resource.typeName}Having`,
    description: "Conditions on groups. All must match.",
    fields: () => ({
      count: { type: types.operators(resource, resource.aggregates.measures.get("count") as MeasureModel) },
      ...Object.fromEntries(
        AGGREGATE_FUNCTIONS.flatMap((name) => {
          const measures = measuresOf(resource, name);
          if (measures.length === 0) return [];
          const fields = measures.map((one) => [one.field, { type: types.operators(resource, one) }] as const);
          const type = new GraphQLInputObjectType({
            name: `${resource.typeName}${capitalize(name)}Having`,
            fields: Object.fromEntries(fields),
          });
          return [[name, { type }] as const];
        }),
      ),
      and: { type: new GraphQLList(new GraphQLNonNull(self)), description: "All of these must match." },
      or: { type: new GraphQLList(new GraphQLNonNull(self)), description: "At least one of these must match." },
      not: { type: self, description: "This must not match." },
    }),
  });
  return self;
}
