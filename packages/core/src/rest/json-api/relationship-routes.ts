import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { hasWrites, type StoreWrites } from "../../model/store-writes.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { FormatParts, FormatRoutes } from "../routes/format-routes.ts";
import { CONDITIONAL, type Endpoint, type Handler, type MethodHandler } from "../routes/endpoint.ts";
import { handleLinkage, handleRelationship, handleSetRelationship, refuseRelationship } from "./handle-relationship.ts";
import { relationshipPath } from "./relationship-path.ts";
import { isRelationshipsTaken, RELATIONSHIPS } from "./linkage.ts";

/** The URLs `/books/{id}/relationships/author` (JSON:API 1.1 §7.2.2.2). */
export const relationshipRoutes: FormatRoutes = {
  segment: RELATIONSHIPS,
  endpoints: (parts, resource) => (isRelationshipsTaken(resource) ? new Map() : endpointsOf(parts, resource)),
  describe: (place, relation, name, types) =>
    isRelationshipsTaken(place.resource) ? undefined : relationshipPath(place, relation, name, types),
};

function endpointsOf({ model, writesOf, types }: FormatParts, resource: ResourceModel): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name);
    endpoints.set(segment, {
      path: `/${resource.path}/{id}/${RELATIONSHIPS}/${segment}`,
      resource,
      subject: model.resources.get(relation.target) as ResourceModel,
      methods: methodsOf(relation, writesOf(resource), types),
      deprecation: resource.deprecation,
      refusal: (method) => (["POST", "PATCH", "DELETE"].includes(method) ? refuseRelationship(relation) : undefined),
    });
  }
  return endpoints;
}

function methodsOf(relation: RelationModel, writes: StoreWrites, only: readonly string[]): Endpoint["methods"] {
  const linkage = (handle: Handler): MethodHandler => ({ answers: "other", only, handle });
  const GET = linkage((exchange, id = "") => handleRelationship(exchange, id, relation));
  if (relation.kind === "belongsTo") {
    if (!writes.update) return { GET };
    const PATCH = linkage((exchange, id = "") => handleSetRelationship(exchange, id, relation));
    return { GET, PATCH: { ...PATCH, ...CONDITIONAL } };
  }
  if (relation.through === undefined || !hasWrites(writes)) return { GET };
  const change = (kind: "link" | "unlink"): MethodHandler =>
    linkage((exchange, id = "") => handleLinkage(exchange, kind, id, relation));
  return { GET, POST: change("link"), DELETE: change("unlink") };
}
