import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { isLinkable } from "../../model/offered.ts";
import { resolveCreate, resolveDelete, resolveLink, resolveWrite } from "../resolve-mutation.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { nonNull } from "./value-types.ts";
import { capitalize } from "./names.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

const id = { type: new GraphQLNonNull(GraphQLID) };
const ifMatch = {
  type: GraphQLString,
  description: "Applies the change only if the row still has one of these versions: ETags, or `*`.",
};

const ifNoneMatch = {
  type: GraphQLString,
  description: "`*`: only if no row with this id exists.",
};

/** Creates `createBook`, `replaceBook`, `updateBook` and `deleteBook`, if the resource offers them. */
export function mutationFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const { typeName } = resource;
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  const row = writtenType(types, resource);
  const deprecationReason = resource.deprecated ?? null;
  const offered = types.offered(resource);
  const fields: Field[] = [];
  if (offered.create) {
    const config: Field[1] = {
      type: row,
      description: `Creates a ${typeName}.`,
      deprecationReason,
      args: inputArgument(types, resource, "create"),
      resolve: resolveCreate(target),
    };
    fields.push([`create${typeName}`, config]);
  }
  for (const mode of ["replace", "update"] as const) {
    if (!offered[mode]) continue;
    const input = inputArgument(types, resource, mode);
    if (input["input"] === undefined) continue;
    fields.push([
      `${mode}${typeName}`,
      {
        type: row,
        description: describeWrite(resource, mode),
        deprecationReason,
        args: { id, ...input, ifMatch, ...(mode === "replace" && resource.upsert ? { ifNoneMatch } : {}) },
        resolve: resolveWrite(target, mode),
      },
    ]);
  }
  if (offered.delete) {
    const config: Field[1] = {
      type: new GraphQLNonNull(deletedType(resource)),
      description: `Deletes a ${typeName}.`,
      deprecationReason,
      args: { id, ifMatch },
      resolve: resolveDelete(target),
    };
    fields.push([`delete${typeName}`, config]);
  }
  return fields;
}

/** Returns the type of a written row. It is nullable if the caller may lack the right to read the row. */
export function writtenType(types: SchemaTypes, resource: ResourceModel): GraphQLOutputType {
  return nonNull(types.resource(resource), resource.access.read.kind !== "allow");
}

function describeWrite({ typeName, upsert }: ResourceModel, mode: "replace" | "update"): string {
  if (mode === "update") return `Updates a ${typeName}.`;
  return `Replaces a ${typeName}${upsert ? ", or creates it" : ""}.`;
}

function inputArgument(
  types: SchemaTypes,
  resource: ResourceModel,
  mode: "create" | "replace" | "update",
): GraphQLFieldConfigArgumentMap {
  const type = types.write(resource, mode);
  return type === undefined ? {} : { input: { type: new GraphQLNonNull(type) } };
}

function deletedType(resource: ResourceModel): GraphQLObjectType {
  return new GraphQLObjectType({
    name: `Deleted${resource.typeName}`,
    fields: { deleted: { type: new GraphQLNonNull(GraphQLBoolean) }, id },
  });
}

/** Creates `linkBookTag` and `unlinkBookTag` for each many-to-many relation. */
export function linkFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const offered = types.offered(resource);
  const fields: Field[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "manyToMany" || !isLinkable(types.model, relation)) continue;
    const target = resourceOf(types.model, relation.target);
    const one = linkedName(types.model, relation);
    for (const kind of ["link", "unlink"] as const) {
      if (!offered[kind]) continue;
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
      fields.push([linkFieldName(types.model, resource, relation, kind), config]);
    }
  }
  return fields;
}

/** Returns `linkBookTag` and `unlinkBookTag`. */
export function linkFieldName(
  model: Model,
  { typeName }: Pick<ResourceModel, "typeName">,
  relation: RelationModel,
  kind: "link" | "unlink",
): string {
  return kind + typeName + capitalize(linkedName(model, relation));
}

function linkedName(model: Model, relation: RelationModel): string {
  const target = resourceOf(model, relation.target);
  return relation.name === target.plural ? target.name : singular(relation.name);
}

/** Reverses the simple English rules that make plurals. A word that matches no rule is returned unchanged. */
function singular(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  if (/[^s]s$/.test(plural)) return plural.slice(0, -1);
  return plural;
}
