import { DefinitionError, type DefinitionMistake } from "../../errors/definition-error.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import { aggregatedRelations } from "./aggregated-relations.ts";

const BUILT_IN = ["Query", "Mutation", "Subscription", "PageInfo", "String", "Int", "Float", "Boolean", "ID"];
const SCALARS = [
  "SafeInt",
  "BigInt",
  "JSON",
  "UUID",
  "EmailAddress",
  "URL",
  "Date",
  "DateTime",
  "Time",
  "Duration",
  "Base64String",
  "Base64URL",
  "IPv4",
  "IPv6",
  "JWT",
  "ULID",
] as const;

/** Assigns type names, each only once. */
export interface Names {
  /** Returns the name, with `Value` appended until it is free. */
  readonly claim: (name: string) => string;
}

/** Whether a text is a GraphQL name (specification §2.1.9) that is not reserved for introspection. */
export function isName(text: string): boolean {
  return /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(text);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Reserves the type names that follow from the resources. Throws a DefinitionError if two resources would share a name.
 */
export function createNames(model: Model, alsoBuiltIn: readonly string[] = []): Names {
  const owners = new Map<string, string>();
  const mistakes: DefinitionMistake[] = [];
  const hasDeleted = [...model.resources.values()].some(({ softDelete }) => softDelete !== undefined);
  for (const name of [...BUILT_IN, ...SCALARS, ...alsoBuiltIn]) owners.set(name, "GraphQL itself");
  if (hasDeleted) owners.set("DeletedRows", "the argument 'deleted' of softDelete");
  for (const resource of model.resources.values()) {
    for (const field of [...resource.fields.keys(), ...resource.computed.keys(), ...resource.relations.keys()]) {
      if (isName(field)) continue;
      const problem = `'${field}' is not a valid GraphQL name.`;
      mistakes.push({
        at: `${resource.name}.${field}`,
        problem,
        fix: "Use letters, digits and '_'. A name can't start with '__'.",
      });
    }
    for (const { name } of aggregatedRelations(model, resource)) {
      const field = `${name}Aggregate`;
      if (!resource.fields.has(field) && !resource.relations.has(field) && !resource.computed.has(field)) continue;
      const problem = `'${field}' is also the GraphQL field for groups of '${name}'.`;
      mistakes.push({ at: `${resource.name}.${field}`, problem, fix: "Rename the field or the relation." });
    }
    for (const name of typeNames(resource)) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, resource.name);
      else mistakes.push(taken(resource, `the GraphQL type '${name}'`, owner));
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return {
    claim(name) {
      let free = name;
      while (owners.has(free)) free += "Value";
      owners.set(free, free);
      return free;
    },
  };
}

/** Collects root fields. Throws a DefinitionError if two of them have the same name. */
export function collectFields<T>(
  kind: string,
  resources: Iterable<ResourceModel>,
  fieldsOf: (resource: ResourceModel) => Iterable<readonly [string, T]>,
): Record<string, T> {
  const fields = new Map<string, { readonly owner: string; readonly config: T }>();
  const mistakes: DefinitionMistake[] = [];
  for (const resource of resources) {
    for (const [name, config] of fieldsOf(resource)) {
      const before = fields.get(name);
      if (before === undefined) fields.set(name, { owner: resource.name, config });
      else mistakes.push(taken(resource, `the GraphQL ${kind} '${name}'`, before.owner));
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return Object.fromEntries([...fields].map(([name, { config }]) => [name, config]));
}

function taken(resource: ResourceModel, what: string, owner: string): DefinitionMistake {
  return {
    at: resource.name,
    problem: `It generates ${what}, which ${owner === resource.name ? "it already generates" : `is already used by ${owner}`}.`,
    fix: "Rename the resource or the action, or set another 'plural'.",
  };
}

const AGGREGATE_TYPES = ["Aggregate", "AggregatePage", "AggregateSort", "Group", "GroupBy", "Having"];

/** Names of the types of aggregates, if the resource has any. */
function aggregateNames({ typeName, aggregates }: ResourceModel): readonly string[] {
  if (!aggregates.isDeclared) return [];
  const functions = new Set([...aggregates.measures.values()].map((measure) => capitalize(measure.function)));
  functions.delete("Count");
  const suffixes = [...AGGREGATE_TYPES, ...[...functions].flatMap((name) => [name, `${name}Having`])];
  return suffixes.map((suffix) => typeName + suffix);
}

function typeNames(resource: ResourceModel): readonly string[] {
  const { typeName, pluralTypeName, bulk } = resource;
  const behind = ["", "Connection", "Edge", "Filter", "ManyFilter", "Sort"].map((suffix) => typeName + suffix);
  return [
    ...behind,
    `Create${typeName}Input`,
    `Replace${typeName}Input`,
    `Update${typeName}Input`,
    `Deleted${typeName}`,
    ...(bulk.update > 0 ? [`Updated${pluralTypeName}`] : []),
    ...(bulk.delete > 0 ? [`Deleted${pluralTypeName}`] : []),
    ...aggregateNames(resource),
  ];
}
