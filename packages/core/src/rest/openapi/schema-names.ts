import type { InputMode, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { uniqueNames } from "./unique-names.ts";
import { ref } from "./openapi-types.ts";

export type SchemaKind = "row" | InputMode | "filter" | "query" | "aggregate";

type Wanted = readonly [key: string, name: string];

/** Returns the unique name of a component, such as `Book`, `CreateBook` or `BookFilter`. */
export function schemaName(model: Model, resource: ResourceModel, kind: SchemaKind): string {
  return namesOf(model).get(`${kind} ${resource.name}`) as string;
}

export function schemaRef(model: Model, resource: ResourceModel, kind: SchemaKind = "row"): JsonObject {
  return ref("schemas", schemaName(model, resource, kind));
}

/**
 * Returns the name of the input for a nested row, such as `CreateAuthor_books`, which lacks the field that the parent
 * determines.
 */
export function nestedName(model: Model, relation: RelationModel, mode: "create" | "update" = "create"): string {
  if (relation.kind !== "belongsTo") return namesOf(model).get(nestedKey(relation, mode)) as string;
  return schemaName(model, model.resources.get(relation.target) as ResourceModel, "create");
}

const KNOWN = new WeakMap<Model, ReadonlyMap<string, string>>();

function namesOf(model: Model): ReadonlyMap<string, string> {
  let names = KNOWN.get(model);
  if (names === undefined) KNOWN.set(model, (names = findNames(model)));
  return names;
}

/** Ordered by kind rather than resource, so that the names don't depend on the order of the resources. */
function findNames({ resources }: Model): ReadonlyMap<string, string> {
  const all = [...resources.values()];
  const each = (kind: SchemaKind, nameOf: (typeName: string) => string): readonly Wanted[] =>
    all.map(({ name, typeName }) => [`${kind} ${name}`, nameOf(typeName)]);
  const nested = all.flatMap(({ typeName, relations }) =>
    [...relations.values()]
      .filter(({ kind }) => kind !== "belongsTo")
      .map((relation): Wanted => [nestedKey(relation, "create"), `Create${typeName}_${relation.name}`]),
  );
  const changed = all.flatMap(({ typeName, relations }) =>
    [...relations.values()]
      .filter(({ writes }) => writes.update > 0)
      .map((relation): Wanted => [nestedKey(relation, "update"), `Update${typeName}_${relation.name}`]),
  );
  const wanted: Wanted[] = [
    ["", "Problem"],
    ["", "JsonPatch"],
    ...each("row", (typeName) => typeName),
    ...each("create", (typeName) => `Create${typeName}`),
    ...each("replace", (typeName) => `Replace${typeName}`),
    ...each("update", (typeName) => `Update${typeName}`),
    ...nested,
    ...changed,
    ...each("filter", (typeName) => `${typeName}Filter`),
    ...each("query", (typeName) => `${typeName}Query`),
  ];
  const aggregated = all.filter(({ aggregates }) => aggregates.isDeclared);
  wanted.push(...aggregated.map(({ name, typeName }): Wanted => [`aggregate ${name}`, `${typeName}Aggregate`]));
  const names = uniqueNames(wanted.map(([, name]) => name));
  return new Map(wanted.map(([key], index) => [key, names[index] as string]));
}

function nestedKey({ source, name }: RelationModel, mode: "create" | "update"): string {
  return `nested ${mode} ${source} ${name}`;
}
