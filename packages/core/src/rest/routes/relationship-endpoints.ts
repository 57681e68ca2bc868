import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { hasWrites, type StoreWrites } from "../../model/store-writes.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { Endpoint, EndpointParts } from "./endpoints.ts";
import type { Format } from "../formats/format.ts";
import { answering, CONDITIONAL, type Handler, type MethodHandler } from "./method-handler.ts";
import { isRelationshipsTaken, RELATIONSHIPS } from "./relationships-segment.ts";
import {
  handleLinkage,
  handleRelationship,
  handleSetRelationship,
  refuseRelationship,
} from "../write/handle-relationship.ts";

/** Whether a resource has relationship URLs. */
export function hasRelationships(formats: readonly Format[], resource: ResourceModel): boolean {
  return !isRelationshipsTaken(resource) && formats.some(({ relationship }) => relationship !== undefined);
}

/** Creates the endpoints `/books/{id}/relationships/author`, by the segment of the relation. */
export function relationshipEndpoints(
  { model, writesOf }: EndpointParts,
  resource: ResourceModel,
): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name);
    endpoints.set(segment, {
      path: `/${resource.path}/{id}/${RELATIONSHIPS}/${segment}`,
      resource,
      subject: model.resources.get(relation.target) as ResourceModel,
      methods: methodsOf(relation, writesOf(resource)),
      deprecation: resource.deprecation,
      refusal: (method) => (["POST", "PATCH", "DELETE"].includes(method) ? refuseRelationship(relation) : undefined),
    });
  }
  return endpoints;
}

function methodsOf(relation: RelationModel, writes: StoreWrites): Endpoint["methods"] {
  const GET = relationship((exchange, id = "") => handleRelationship(exchange, id, relation));
  if (relation.kind === "belongsTo") {
    if (!writes.update) return { GET };
    const PATCH = relationship((exchange, id = "") => handleSetRelationship(exchange, id, relation), CONDITIONAL);
    return { GET, PATCH };
  }
  if (relation.through === undefined || !hasWrites(writes)) return { GET };
  const change = (kind: "link" | "unlink"): MethodHandler =>
    relationship((exchange, id = "") => handleLinkage(exchange, kind, id, relation));
  return { GET, POST: change("link"), DELETE: change("unlink") };
}

function relationship(handle: Handler, flags?: Parameters<typeof answering>[2]): MethodHandler {
  return answering("relationship", handle, flags);
}
