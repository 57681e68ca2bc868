import {
  GraphQLEnumType,
  type GraphQLEnumValueConfigMap,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { DefinitionError } from "../../errors/definition-error.ts";
import { sortPaths } from "../../lowering/lower-sort.ts";
import { constantCase } from "./names.ts";

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

/** Creates `PRICE_ASC`, `AUTHOR_NAME_DESC` and so on. The value of each is the sort term of REST and local calls. */
export function sortEnum(types: SchemaTypes, resource: ResourceModel): GraphQLEnumType | undefined {
  const values: GraphQLEnumValueConfigMap = {};
  const paths = sortPaths(types.model, resource);
  const own = new Set(paths.filter((path) => path.length === 1).map(([name]) => constantCase(name)));
  for (const path of paths) {
    const parts = path.map(constantCase);
    const plain = parts.join("_");
    const name = path.length > 1 && own.has(plain) ? parts.join("__") : plain;
    const first = values[`${name}_ASC`]?.value as string | undefined;
    if (first !== undefined) throw sharedValue(resource, name, [first, path.join(".")]);
    values[`${name}_ASC`] = { value: path.join(".") };
    values[`${name}_DESC`] = { value: `-${path.join(".")}` };
  }
  if (paths.length === 0) return undefined;
  return new GraphQLEnumType({
    name: `${resource.typeName}Sort`,
    description: "Nulls come last in ascending order and first in descending order. The key breaks ties.",
    values,
  });
}

function sharedValue(
  { name, typeName }: ResourceModel,
  value: string,
  [one, other]: readonly [string, string],
): DefinitionError {
  const problem = `In the GraphQL enum '${typeName}Sort', '${one}' and '${other}' would have the same name ${value}_ASC.`;
  const fix = "Rename one of the fields, or remove it from 'sortable'.";
  return new DefinitionError([{ at: `${name}.sortable`, problem, fix }]);
}
