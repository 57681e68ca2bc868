import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
} from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import { closestName } from "../../util/closest-name.ts";
import type { FieldTarget } from "../lower/field-target.ts";
import type { GraphqlExtension } from "./extension.ts";
import type { Report } from "../../model/resolve/draft.ts";
import { type GivenResolver, hostResolver, rowView } from "./host-resolver.ts";
import { readsRows } from "./host-value.ts";
import { type Host, hostContexts } from "./host.ts";
import { declaredNeeds, withNeeds } from "./needs.ts";

/** The host's definition of a field, without its types. */
interface Given {
  readonly needs?: readonly string[];
  readonly resolve?: GivenResolver;
  readonly subscribe?: GivenResolver;
}

/** Attaches a resolver to each field that the extension adds, and reports fields that have no resolver. */
export function attachResolvers(
  schema: GraphQLSchema,
  isAdded: (typeName: string, field: string) => boolean,
  extension: GraphqlExtension,
  host: Host,
  at: string,
  report: Report,
): void {
  const resources = new Map([...host.model.resources.values()].map((one) => [one.typeName, one]));
  const targetOf = (typeName: string): FieldTarget | undefined => {
    const resource = resources.get(typeName);
    return resource && { model: host.model, limits: host.limits, ids: host.ids, resource };
  };
  const contextFor = hostContexts(host);
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const [name, given] of Object.entries(extension.resolvers ?? {})) {
    const type = schema.getType(name);
    if (isScalarType(type) && isScalarType(given)) takeOver(type, given);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) if (isAdded(type.name, field.name)) attach(type, field);
  }

  function attach(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): void {
    const resource = resources.get(type.name);
    const given = givenFor(type, resource, field.name);
    const place = `${at}: ${type.name}.${field.name}`;
    checkType(field, resources, place, report);
    const reads = readsRows(schema, field.type, targetOf);
    const needs = given.needs ?? declaredNeeds(field) ?? [];
    if (resource !== undefined) {
      checkNeeds(resource, needs, place, report);
      withNeeds(field, needs);
    }
    const subscribe = given.subscribe ?? (field.subscribe as GivenResolver | undefined);
    const resolve = given.resolve ?? (field.resolve as GivenResolver | undefined);
    const isOurs = resource !== undefined || roots.has(type);
    if (type === schema.getSubscriptionType() && subscribe === undefined) {
      const fix = `Add { async *subscribe() { … } } under 'resolvers.${type.name}.${field.name}'.`;
      report(place, "The subscription has no 'subscribe' function.", fix);
    } else if (resolve === undefined && subscribe === undefined && isOurs) {
      const where = resource === undefined ? `resolvers.${type.name}` : `fields.${resource.name}`;
      report(place, "The field has no resolver.", `Add one under '${where}.${field.name}'.`);
    }
    const viewOf = resource === undefined ? (source: unknown): unknown => source : rowView(resource, needs);
    const parts = { host, contextFor, viewOf, needs: resource === undefined ? [] : needs, reads };
    // graphql-js reads members of the host's own objects.
    if (resolve !== undefined || reads !== undefined) {
      field.resolve = hostResolver({ ...parts, resolve: resolve ?? (defaultFieldResolver as GivenResolver) });
    }
    if (subscribe !== undefined) field.subscribe = hostResolver({ ...parts, resolve: subscribe, reads: undefined });
  }

  function givenFor(type: GraphQLObjectType, resource: ResourceModel | undefined, name: string): Given {
    const fields = resource === undefined ? extension.resolvers?.[type.name] : ownOf(extension.fields, resource.name);
    const given = ownOf(fields, name);
    return typeof given === "function" ? { resolve: given as GivenResolver } : (given ?? {});
  }
}

function ownOf(object: object | undefined, name: string): object | undefined {
  return object !== undefined && Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, object>>)[name]
    : undefined;
}

/** Reports fields whose type is a page or an edge. Only a list operation can produce those. */
function checkType(
  { type }: GraphQLField<unknown, unknown>,
  resources: ReadonlyMap<string, ResourceModel>,
  place: string,
  report: Report,
): void {
  const { name } = getNamedType(type);
  const [, typeName = "", kind] = /^(.*)(Connection|Edge)$/.exec(name) ?? [];
  if (name !== "PageInfo" && (kind === undefined || !resources.has(typeName))) return;
  const fix = name === "PageInfo" ? "Define your own type." : `Return [${typeName}!]!, a list of ids.`;
  report(place, `Only generated lists can have the type '${name}'.`, fix);
}

function checkNeeds(resource: ResourceModel, needs: readonly string[], place: string, report: Report): void {
  const known = resource.visibleFields.map(({ name }) => name);
  for (const need of needs) {
    if (known.includes(need)) continue;
    const closest = closestName(need, known);
    const fix = closest === undefined ? `Available: ${known.join(", ")}.` : `Did you mean '${closest}'?`;
    report(place, `The resolver needs '${need}', which is not a field of '${resource.name}'.`, fix);
  }
}

const COERCIONS = ["serialize", "parseValue", "parseLiteral"] as const;
/** Of graphql 17. */
const NEWER_COERCIONS = ["coerceOutputValue", "coerceInputValue", "coerceInputLiteral", "valueToLiteral"] as const;

function takeOver(type: GraphQLScalarType, given: GraphQLScalarType): void {
  for (const name of [...COERCIONS, ...NEWER_COERCIONS]) {
    if (name in given) Object.assign(type, { [name]: given[name as (typeof COERCIONS)[number]] });
  }
  type.specifiedByURL ??= given.specifiedByURL;
  type.description ??= given.description;
}
