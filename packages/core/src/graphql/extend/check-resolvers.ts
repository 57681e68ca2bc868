import { type GraphQLSchema, isInterfaceType, isObjectType, isScalarType, isUnionType } from "graphql";
import type { Model } from "../../model/model.ts";
import { closestName } from "../../util/closest-name.ts";
import type { GraphqlExtension } from "./extension.ts";
import type { Report } from "../../model/resolve/draft.ts";

/** Reports each resolver that does not belong to an added field. */
export function checkResolvers(
  schema: GraphQLSchema,
  isAdded: (typeName: string, field: string) => boolean,
  model: Model,
  extension: GraphqlExtension,
  at: string,
  report: Report,
): void {
  const typeNames = new Map([...model.resources.values()].map(({ typeName, name }) => [typeName, name]));
  for (const [typeName, fields] of Object.entries(extension.resolvers ?? {})) {
    const place = `${at}.resolvers.${typeName}`;
    const type = schema.getType(typeName);
    const resource = typeNames.get(typeName);
    if (type === undefined) {
      report(place, "Unknown type.", suggestion(typeName, Object.keys(schema.getTypeMap())));
    } else if (resource !== undefined) {
      report(place, "This type is generated from a resource.", `Move its resolvers to '${at}.fields.${resource}'.`);
    } else if (isObjectType(type)) {
      for (const name of Object.keys(fields)) checkField(place, typeName, name, Object.keys(type.getFields()));
    } else if (isScalarType(type)) {
      if (!isScalarType(fields)) report(place, "The type is a scalar.", "Pass a GraphQLScalarType.");
    } else if (isInterfaceType(type) || isUnionType(type)) {
      for (const name of Object.keys(fields)) checkAbstract(`${place}.${name}`, name);
    } else {
      report(place, "This kind of type can't have resolvers.", "Remove it.");
    }
  }
  for (const [name, fields] of Object.entries(extension.fields ?? {})) {
    const resource = model.resources.get(name);
    const place = `${at}.fields.${name}`;
    if (resource === undefined) {
      report(place, "Unknown resource.", suggestion(name, model.resources.keys()));
      continue;
    }
    const type = schema.getType(resource.typeName);
    const known = isObjectType(type) ? Object.keys(type.getFields()) : [];
    for (const field of Object.keys(fields ?? {})) checkField(place, resource.typeName, field, known);
  }

  /** The row is read before graphql-js asks for its type, so resolvers of abstract types are never called. */
  function checkAbstract(place: string, name: string): void {
    if (name === "__resolveType")
      report(place, "This resolver is never called.", "Return `__typename` in each object instead.");
    else report(place, "This resolver is never called.", "Add it to each object type that implements this type.");
  }

  function checkField(place: string, typeName: string, field: string, known: readonly string[]): void {
    if (isAdded(typeName, field)) return;
    const at = `${place}.${field}`;
    if (known.includes(field)) report(at, `'${typeName}.${field}' is a generated field.`, "Choose another field name.");
    else report(at, `'typeDefs' doesn't add a field '${field}' to '${typeName}'.`, suggestion(field, known));
  }
}

function suggestion(name: string, known: Iterable<string>): string {
  const closest = closestName(name, known);
  return closest === undefined ? "Define it in 'typeDefs'." : `Define it in 'typeDefs', or write '${closest}'.`;
}
