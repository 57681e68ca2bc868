import { GraphQLEnumType, type GraphQLEnumValueConfigMap } from "graphql";
import { DefinitionError } from "../../errors/definition-error.ts";
import type { ResourceModel } from "../../model/model.ts";
import { sortPaths } from "../../lowering/lower-sort.ts";
import { constantCase } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";

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
