import type { Model, OfferedOperations, RelationModel, ResourceModel } from "../../model/model.ts";
import { EVENT_STREAM } from "../../message/event-stream.ts";
import { isOfferedRelation } from "../../model/offered.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { nestedName, schemaName } from "../openapi/schema-names.ts";
import type { ResourceEndpoints } from "../routes/endpoints.ts";
import type { RestSignature } from "./schema-resource.ts";

interface RestPlace {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly endpoints: ResourceEndpoints | undefined;
  readonly offered: OfferedOperations;
}

/** Returns the requests of each operation in REST, from the endpoints that serve them. */
export function restSignatures(place: RestPlace): ReadonlyMap<string, readonly RestSignature[]> {
  const { model, resource, endpoints, offered } = place;
  const found = new Map<string, RestSignature[]>();
  if (endpoints === undefined) return found;
  const { collection, item, beside } = endpoints;
  const row = schemaName(model, resource, "row");
  const add = (name: string, isOffered: boolean, signature: RestSignature): void => {
    if (isOffered) found.set(name, [...(found.get(name) ?? []), signature]);
  };
  const at = collection?.path ?? `/${resource.path}`;
  const inputOf = (mode: "create" | "replace" | "update"): string => schemaName(model, resource, mode);
  const condition = conditionParameters(resource);
  if (item !== undefined) {
    const { GET, PUT, PATCH, DELETE } = item.methods;
    const { path } = item;
    const parameters = ["fields", ...(hasRelations(resource) ? ["include"] : [])];
    add("get", GET !== undefined, { method: "GET", path, parameters, result: row });
    add("replace", PUT !== undefined, { method: "PUT", path, body: inputOf("replace"), result: row });
    add("update", PATCH !== undefined, { method: "PATCH", path, body: inputOf("update"), result: row });
    add("delete", DELETE !== undefined, { method: "DELETE", path });
  }
  if (collection !== undefined) {
    const { GET, POST, PATCH, DELETE } = collection.methods;
    add("list", GET !== undefined, {
      method: "GET",
      path: at,
      isPage: true,
      parameters: listParameters(resource),
      result: `${row}[]`,
    });
    const create = inputOf("create");
    add("create", POST !== undefined && offered.create, { method: "POST", path: at, body: create, result: row });
    const several = { method: "POST", path: at, body: `${create}[]`, result: `${row}[]` };
    add("createMany", POST !== undefined && offered.createMany, several);
    const update = { method: "PATCH", path: at, parameters: condition, body: inputOf("update") };
    add("updateMany", PATCH !== undefined, update);
    add("deleteMany", DELETE !== undefined, { method: "DELETE", path: at, parameters: condition });
  }
  for (const watched of [collection, item]) {
    if (watched === undefined) continue;
    add("watch", watched.watch !== undefined, { method: "GET", path: watched.path, accept: EVENT_STREAM });
  }
  const { segment } = resource.aggregates;
  const groups = segment === undefined ? collection : beside.get(segment);
  if (groups?.methods.GET !== undefined) {
    const parameters = ["aggregate", "group", "having", ...condition, "sort", "page"];
    add("aggregate", resource.aggregates.isDeclared, { method: "GET", path: groups.path, parameters });
  }
  return found;
}

/** Returns the requests for related rows in REST: within the rows of a list, and on paths of their own. */
export function restRelationSignatures(
  { model, endpoints }: Pick<RestPlace, "model" | "endpoints">,
  relation: RelationModel,
): readonly RestSignature[] {
  const { name, many } = relation;
  const segment = kebabCase(name);
  const target = model.resources.get(relation.target) as ResourceModel;
  const row = schemaName(model, target, "row");
  const near = endpoints?.beneath.get(segment)?.methods;
  const { path = "" } = endpoints?.beneath.get(segment) ?? {};
  const link = endpoints?.links.get(segment);
  const list = isOfferedRelation(model, relation) ? endpoints?.collection : undefined;
  const signatures: RestSignature[] = [];
  if (list?.methods.GET !== undefined) {
    signatures.push({ method: "GET", path: `${list.path}?include=${name}`, isPage: true });
    if (many && target.aggregates.isDeclared)
      signatures.push({ method: "GET", path: `${list.path}?rel[${name}][aggregate]=count`, isPage: true });
  }
  if (near?.GET !== undefined) signatures.push({ method: "GET", path, result: many ? `${row}[]` : row });
  if (near?.POST !== undefined)
    signatures.push({ method: "POST", path, body: nestedName(model, relation), result: row });
  for (const method of ["PUT", "DELETE"] as const)
    if (link?.methods[method] !== undefined) signatures.push({ method, path: link.path });
  return signatures;
}

function listParameters(resource: ResourceModel): readonly string[] {
  const sortable = resource.visibleFields.some((field) => field.sortable);
  return [
    ...conditionParameters(resource),
    ...(sortable ? ["sort"] : []),
    "fields",
    ...(hasRelations(resource) ? ["include"] : []),
    "page",
    "count",
  ];
}

function conditionParameters({ visibleFields, search }: ResourceModel): readonly string[] {
  return [...(visibleFields.some((field) => field.filterable) ? ["filter"] : []), ...(search.length > 0 ? ["q"] : [])];
}

function hasRelations({ relations }: ResourceModel): boolean {
  return relations.size > 0;
}
