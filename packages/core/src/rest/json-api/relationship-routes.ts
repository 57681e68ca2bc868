import type { Model, OfferedOperations, RelationModel, ResourceModel } from "../../model/model.ts";
import { isLinkable, isOfferedRelation, isReferenceWritable } from "../../model/offered.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { FormatParts, FormatRoutes } from "../routes/format-routes.ts";
import { CONDITIONAL, type Endpoint, type Handler, type MethodHandler } from "../routes/endpoint.ts";
import { handleLinkage, handleRelationship, handleSetRelationship } from "./handle-relationship.ts";
import { isReplaceable, refuseRelationship } from "./read-document.ts";
import { relationshipPath } from "./relationship-path.ts";
import { isRelationshipsTaken, RELATIONSHIPS } from "./linkage.ts";

/** The URLs `/books/{id}/relationships/author` (JSON:API 1.1 §7.2.2.2). */
export const relationshipRoutes: FormatRoutes = {
  segment: RELATIONSHIPS,
  endpoints: (parts, resource) => (isRelationshipsTaken(resource) ? new Map() : endpointsOf(parts, resource)),
  describe: (place, relation, name, types) =>
    isRelationshipsTaken(place.resource) ? undefined : relationshipPath(place, relation, name, types),
};

function endpointsOf(
  { model, operationsOf, types }: FormatParts,
  resource: ResourceModel,
): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  // All of them need the row that the relation starts from.
  if (resource.access.read.kind === "deny") return endpoints;
  for (const relation of resource.relations.values()) {
    const methods = methodsOf(model, relation, operationsOf(resource), types);
    if (Object.keys(methods).length === 0) continue;
    const segment = kebabCase(relation.name);
    endpoints.set(segment, {
      path: `/${resource.path}/{id}/${RELATIONSHIPS}/${segment}`,
      resource,
      subject: model.resources.get(relation.target) as ResourceModel,
      methods,
      deprecation: resource.deprecation,
      refusal: (method) =>
        ["POST", "PATCH", "DELETE"].includes(method) ? refuseRelationship(resource, relation) : undefined,
    });
  }
  return endpoints;
}

function methodsOf(
  model: Model,
  relation: RelationModel,
  offered: OfferedOperations,
  only: readonly string[],
): Endpoint["methods"] {
  const linkage = (handle: Handler): MethodHandler => ({ answers: "other", only, handle });
  const GET = linkage((exchange, id = "") => handleRelationship(exchange, id, relation));
  const read = isOfferedRelation(model, relation) ? { GET } : {};
  if (relation.kind === "belongsTo") {
    if (!offered.update || !relation.toKey || !isReferenceWritable(model, relation)) return read;
    const PATCH = linkage((exchange, id = "") => handleSetRelationship(exchange, id, relation));
    return { ...read, PATCH: { ...PATCH, ...CONDITIONAL } };
  }
  if (!isLinkable(model, relation)) return read;
  const resource = model.resources.get(relation.source) as ResourceModel;
  const isSettable = offered.update && isReplaceable(model, resource, relation, "update");
  const set = linkage((exchange, id = "") => handleSetRelationship(exchange, id, relation));
  const change = (kind: "link" | "unlink"): MethodHandler =>
    linkage((exchange, id = "") => handleLinkage(exchange, kind, id, relation));
  return {
    ...read,
    ...(isSettable ? { PATCH: { ...set, ...CONDITIONAL } } : {}),
    ...(offered.link ? { POST: change("link") } : {}),
    ...(offered.unlink ? { DELETE: change("unlink") } : {}),
  };
}
