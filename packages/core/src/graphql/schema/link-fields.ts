import { type GraphQLFieldConfig, GraphQLID, GraphQLNonNull } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import { resolveLink } from "../resolve-mutation.ts";
import { capitalize } from "./names.ts";
import { writtenType } from "./mutation-fields.ts";
import { resourceOf, type SchemaTypes } from "./schema-types.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/** Creates `linkBookTag` and `unlinkBookTag` for each many-to-many relation. */
export function linkFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const fields: Field[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "manyToMany") continue;
    const target = resourceOf(types.model, relation.target);
    const one = relation.name === target.plural ? target.name : singular(relation.name);
    for (const kind of ["link", "unlink"] as const) {
      const config: GraphQLFieldConfig<unknown, unknown> = {
        type: writtenType(types, resource),
        description: kind === "link" ? `Adds a link to '${relation.name}'.` : `Removes a link from '${relation.name}'.`,
        deprecationReason: resource.deprecated ?? null,
        args: { id: { type: new GraphQLNonNull(GraphQLID) }, [`${one}Id`]: { type: new GraphQLNonNull(GraphQLID) } },
        resolve: resolveLink(
          { model: types.model, resource, limits: types.limits, ids: types.ids },
          kind,
          relation,
          target,
          `${one}Id`,
        ),
      };
      fields.push([kind + resource.typeName + capitalize(one), config]);
    }
  }
  return fields;
}

/** Reverses the simple English rules that make plurals. A word that matches no rule is returned unchanged. */
function singular(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  if (/[^s]s$/.test(plural)) return plural.slice(0, -1);
  return plural;
}
