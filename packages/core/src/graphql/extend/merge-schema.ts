import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from "graphql";
import { type Addition, rebuildDirective, rebuildType, replaceBy } from "./rebuild-types.ts";
import type { Report } from "../../model/resolve/draft.ts";

/**
 * Merges two schemas. Types with the same name are merged if `isShared` returns true; otherwise they are reported as
 * mistakes.
 */
export function mergeSchema(
  ours: GraphQLSchema,
  theirs: GraphQLSchema,
  isShared: (typeName: string) => boolean,
  at: string,
  report: Report,
): GraphQLSchema {
  const roles = rootRoles(ours, theirs);
  const nameOf = (type: GraphQLNamedType): string => roles.get(type)?.name ?? type.name;
  const types = new Map<string, GraphQLNamedType>();
  const replace = replaceBy((type) => types.get(nameOf(type)) ?? type);

  const added = new Map<string, GraphQLObjectType>();
  for (const type of ownTypes(theirs)) {
    const name = nameOf(type);
    const before = ours.getType(name);
    if (before === undefined) types.set(name, rebuildType(type, replace));
    else if (isObjectType(before) && isObjectType(type) && (roles.has(type) || isShared(name))) added.set(name, type);
    else if (!(isScalarType(before) && isScalarType(type))) {
      report(at, `The schema has a type '${name}', which already exists.`, "Rename the type.");
    }
  }
  for (const type of ownTypes(ours)) {
    const more = added.get(type.name);
    const addition = more === undefined || !isObjectType(type) ? undefined : additionOf(type, more, at, report);
    types.set(type.name, rebuildType(type, replace, addition));
  }

  const root = (pick: "getQueryType" | "getMutationType" | "getSubscriptionType"): GraphQLObjectType | null => {
    const type = ours[pick]() ?? theirs[pick]();
    return type ? replace(type) : null;
  };
  const known = new Set(ours.getDirectives().map(({ name }) => name));
  const theirDirectives = theirs.getDirectives().filter((one) => !isSpecifiedDirective(one) && !known.has(one.name));
  return new GraphQLSchema({
    ...ours.toConfig(),
    query: root("getQueryType"),
    mutation: root("getMutationType"),
    subscription: root("getSubscriptionType"),
    types: [...types.values()],
    directives: [...ours.getDirectives(), ...theirDirectives].map((one) => rebuildDirective(one, replace)),
  });
}

function ownTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
}

/** Pairs the root types of both schemas by their role, whatever their names. */
function rootRoles(ours: GraphQLSchema, theirs: GraphQLSchema): ReadonlyMap<GraphQLNamedType, GraphQLObjectType> {
  const roles = new Map<GraphQLNamedType, GraphQLObjectType>();
  for (const pick of ["getQueryType", "getMutationType", "getSubscriptionType"] as const) {
    const [one, other] = [ours[pick](), theirs[pick]()];
    if (one && other) roles.set(other, one);
  }
  return roles;
}

/**
 * Returns the fields to add to our type. A field that both types have stays ours; if it has another type or a resolver,
 * it is reported.
 */
function additionOf(ours: GraphQLObjectType, theirs: GraphQLObjectType, at: string, report: Report): Addition {
  const fields: Addition["fields"] = {};
  const known = ours.getFields();
  for (const [name, field] of Object.entries(theirs.toConfig().fields)) {
    const before = known[name];
    if (before === undefined) fields[name] = field;
    else if (ours.name !== theirs.name || field.resolve !== undefined || String(before.type) !== String(field.type)) {
      const problem = `'${ours.name}.${name}' already exists with the type ${String(before.type)}.`;
      report(at, problem, "Remove the field, or rename it.");
    }
  }
  const implemented = new Set(ours.getInterfaces().map(({ name }) => name));
  return { fields, interfaces: theirs.getInterfaces().filter(({ name }) => !implemented.has(name)) };
}
