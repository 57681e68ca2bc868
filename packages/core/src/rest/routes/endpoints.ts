import type { Model, ResourceModel } from "../../model/model.ts";
import { hasWrites, type StoreWrites } from "../../model/store-writes.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { Format } from "../formats/format.ts";
import { answersRow, handleAction } from "../write/handle-action.ts";
import { handleDeleteMany, handleUpdateMany } from "../write/handle-bulk.ts";
import { handleUpdate } from "../write/handle-patch.ts";
import { handleQuery } from "../read/handle-query.ts";
import { handleList } from "../read/handle-list.ts";
import { handleGet, handleNested } from "../read/handle-read.ts";
import { routesOf } from "./format-routes.ts";
import { answering, CONDITIONAL, type Endpoint, type MethodHandler, type WritesOf } from "./endpoint.ts";
import { handleWatch } from "../read/handle-watch.ts";
import { handleCreate, handleCreateWithin, handleLink, handleDelete, handleReplace } from "../write/handle-write.ts";

/** All endpoints of a resource, by the form of their path. */
export interface ResourceEndpoints {
  readonly collection: Endpoint;
  readonly item: Endpoint;
  /** For example `POST /books/discount`. */
  readonly collectionActions: ReadonlyMap<string, Endpoint>;
  /** The relations and actions of an item. */
  readonly beneath: ReadonlyMap<string, Endpoint>;
  /** For example `/books/{id}/tags/{tagId}`. */
  readonly links: ReadonlyMap<string, Endpoint>;
  /** Endpoints that formats add, by the two segments after the id: `/books/{id}/relationships/author`. */
  readonly added: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
}

export interface EndpointParts {
  readonly model: Model;
  readonly formats: readonly Format[];
  readonly writesOf: WritesOf;
}

export function resourceEndpoints(parts: EndpointParts, resource: ResourceModel): ResourceEndpoints {
  const { model, writesOf } = parts;
  const writes = writesOf(resource);
  const base = `/${resource.path}`;
  const beneath = new Map<string, Endpoint>();
  const links = new Map<string, Endpoint>();
  const collectionActions = new Map<string, Endpoint>();
  const { deprecation } = resource;
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name);
    const path = `${base}/{id}/${segment}`;
    const subject = model.resources.get(relation.target) as ResourceModel;
    const place = { path, resource, subject, deprecation };
    const GET = answering(relation.many ? "list" : "item", (exchange, id = "") => handleNested(exchange, id, relation));
    const POST = answering("item", (exchange, id = "") => handleCreateWithin(exchange, id, relation));
    const creates = (relation.kind === "hasMany" || relation.kind === "hasOne") && writesOf(subject).create;
    beneath.set(segment, { ...place, methods: creates ? { GET, POST } : { GET } });
    if (relation.through === undefined || !hasWrites(writes)) continue;
    const link = (kind: "link" | "unlink"): MethodHandler =>
      answering("other", (exchange, id = "", far = "") => handleLink(exchange, kind, id, relation, far));
    const methods = { PUT: link("link"), DELETE: link("unlink") };
    links.set(segment, { ...place, path: `${path}/{${relation.target}Id}`, methods });
  }
  for (const action of resource.actions.values()) {
    const segment = kebabCase(action.name);
    const isItem = action.on === "item";
    const answers = answersRow(action) ? "item" : "other";
    const POST = answering(answers, (exchange, id) => handleAction(exchange, action, id), isItem ? CONDITIONAL : {});
    const path = `${base}${isItem ? "/{id}" : ""}/${segment}`;
    const endpoint = { path, resource, subject: resource, methods: { POST } };
    const place = isItem ? beneath : collectionActions;
    place.set(segment, { ...endpoint, deprecation: action.deprecation ?? deprecation });
  }
  return {
    collection: collection(base, resource, writes),
    item: {
      path: `${base}/{id}`,
      resource,
      subject: resource,
      methods: {
        GET: answering("item", handleGet),
        // With upserts, PUT creates a missing row.
        ...(writes.update || (resource.upsert && writes.create)
          ? { PUT: answering("item", handleReplace, CONDITIONAL) }
          : {}),
        ...(writes.update ? { PATCH: answering("item", handleUpdate, CONDITIONAL) } : {}),
        ...(writes.delete ? { DELETE: answering("item", handleDelete, CONDITIONAL) } : {}),
      },
      watch: (exchange, id = "") => handleWatch(exchange, id),
      deprecation,
    },
    collectionActions,
    beneath,
    links,
    added: addedEndpoints(parts, resource),
  };
}

function addedEndpoints(
  { model, formats, writesOf }: EndpointParts,
  resource: ResourceModel,
): ResourceEndpoints["added"] {
  const added = new Map<string, ReadonlyMap<string, Endpoint>>();
  for (const [routes, types] of routesOf(formats)) {
    const endpoints = routes.endpoints({ model, writesOf, types }, resource);
    if (endpoints.size > 0) added.set(routes.segment, endpoints);
  }
  return added;
}

function collection(path: string, resource: ResourceModel, writes: StoreWrites): Endpoint {
  const { bulk, deprecation } = resource;
  return {
    path,
    resource,
    subject: resource,
    methods: {
      GET: answering("list", handleList),
      QUERY: answering("list", handleQuery),
      ...(writes.create ? { POST: answering("item", (exchange) => handleCreate(exchange)) } : {}),
      ...(bulk.update > 0 && writes.update ? { PATCH: answering("item", handleUpdateMany, CONDITIONAL) } : {}),
      ...(bulk.delete > 0 && writes.delete ? { DELETE: answering("item", handleDeleteMany, CONDITIONAL) } : {}),
    },
    watch: (exchange) => handleWatch(exchange),
    deprecation,
  };
}
