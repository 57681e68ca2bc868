import type { Model, OfferedOperations, RelationModel, ResourceModel } from "../../model/model.ts";
import {
  isLinkable,
  isOfferedRelation,
  isReferenceWritable,
  offeredActions,
  offeredQueries,
} from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { Format } from "../formats/format.ts";
import { answersRow, handleAction } from "../write/handle-action.ts";
import { handleDeleteMany, handleUpdateMany } from "../write/handle-bulk.ts";
import { handleUpdate } from "../write/handle-patch.ts";
import { handleQuery } from "../read/handle-query.ts";
import { handleNamedQuery, handleNamedQueryBody } from "../read/handle-named-query.ts";
import { handleAggregate, handleAggregateBody } from "../read/answer-aggregate.ts";
import { handleList } from "../read/handle-list.ts";
import { handleGet, handleNested } from "../read/handle-read.ts";
import { routesOf } from "./format-routes.ts";
import {
  answering,
  CONDITIONAL,
  CREATE,
  type Endpoint,
  type MethodHandler,
  type OperationsOf,
  ROW_WRITE,
} from "./endpoint.ts";
import { handleWatch } from "../read/handle-watch.ts";
import { handleCreate, handleCreateWithin, handleLink, handleDelete, handleReplace } from "../write/handle-write.ts";

/** All endpoints of a resource, by the form of their path. A path without any method has no endpoint. */
export interface ResourceEndpoints {
  readonly collection: Endpoint | undefined;
  readonly item: Endpoint | undefined;
  /** Actions and queries on the resource, such as `POST /books/discount` and `GET /books/trending`, and their groups. */
  readonly beside: ReadonlyMap<string, Endpoint>;
  /** The relations, actions and queries of an item. */
  readonly beneath: ReadonlyMap<string, Endpoint>;
  /** For example `/books/{id}/tags/{tagId}`. */
  readonly links: ReadonlyMap<string, Endpoint>;
  /** Endpoints that formats add, by the two segments after the id: `/books/{id}/relationships/author`. */
  readonly added: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
}

export interface EndpointParts {
  readonly model: Model;
  readonly formats: readonly Format[];
  readonly operationsOf: OperationsOf;
}

export function resourceEndpoints(parts: EndpointParts, resource: ResourceModel): ResourceEndpoints {
  const { model, operationsOf } = parts;
  const offered = operationsOf(resource);
  const base = `/${resource.path}`;
  const beneath = new Map<string, Endpoint>();
  const links = new Map<string, Endpoint>();
  const beside = new Map<string, Endpoint>();
  const { deprecation } = resource;
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name);
    const path = `${base}/{id}/${segment}`;
    const subject = model.resources.get(relation.target) as ResourceModel;
    const place = { path, resource, subject, deprecation };
    set(beneath, segment, { ...place, methods: relatedMethods(parts, relation, operationsOf(subject)) });
    if (!isLinkable(model, relation)) continue;
    const link = (kind: "link" | "unlink"): MethodHandler =>
      answering("other", (exchange, id = "", far = "") => handleLink(exchange, kind, id, relation, far));
    const methods = {
      ...(offered.link ? { PUT: link("link") } : {}),
      ...(offered.unlink ? { DELETE: link("unlink") } : {}),
    };
    set(links, segment, { ...place, path: `${path}/{${relation.target}Id}`, methods });
  }
  for (const action of offeredActions(resource)) {
    const segment = kebabCase(action.name);
    const isItem = action.on === "item";
    const answers = answersRow(action) ? "item" : "other";
    const POST = answering(answers, (exchange, id) => handleAction(exchange, action, id), isItem ? CONDITIONAL : {});
    const path = `${base}${isItem ? "/{id}" : ""}/${segment}`;
    const endpoint = { path, resource, subject: resource, methods: { POST } };
    const place = isItem ? beneath : beside;
    place.set(segment, { ...endpoint, deprecation: action.deprecation ?? deprecation });
  }
  for (const query of offeredQueries(resource, "rest")) {
    const segment = kebabCase(query.name);
    const isItem = query.on === "item";
    const answers = query.output === undefined ? "list" : "other";
    const methods = {
      GET: answering(answers, (exchange, id) => handleNamedQuery(exchange, query, id)),
      QUERY: answering(answers, (exchange, id) => handleNamedQueryBody(exchange, query, id)),
    };
    const path = `${base}${isItem ? "/{id}" : ""}/${segment}`;
    const endpoint = { path, resource, subject: resource, methods };
    (isItem ? beneath : beside).set(segment, { ...endpoint, deprecation: query.deprecation ?? deprecation });
  }
  const { segment } = resource.aggregates;
  if (offered.list && segment !== undefined) beside.set(segment, aggregates(`${base}/${segment}`, resource));
  return {
    collection: collection(base, resource, offered),
    item: item(`${base}/{id}`, resource, offered),
    beside,
    beneath,
    links,
    added: addedEndpoints(parts, resource),
  };
}

function set(endpoints: Map<string, Endpoint>, segment: string, endpoint: Endpoint): void {
  if (hasMethods(endpoint)) endpoints.set(segment, endpoint);
}

function hasMethods({ methods }: Endpoint): boolean {
  return Object.keys(methods).length > 0;
}

/** Relations belong to the row that they start from. Creates along them need `create` of their target. */
function relatedMethods(
  { model }: EndpointParts,
  relation: RelationModel,
  offeredOfTarget: OfferedOperations,
): Endpoint["methods"] {
  // Both need the row that the relation starts from.
  if (resourceOf(model, relation.source).access.read.kind === "deny") return {};
  const GET = answering(relation.many ? "list" : "item", (exchange, id = "") => handleNested(exchange, id, relation));
  const POST = answering("item", (exchange, id = "") => handleCreateWithin(exchange, id, relation), CREATE);
  const isOwner = relation.kind === "hasMany" || relation.kind === "hasOne";
  const creates =
    isOwner && (offeredOfTarget.create || offeredOfTarget.createMany) && isReferenceWritable(model, relation);
  return { ...(isOfferedRelation(model, relation) ? { GET } : {}), ...(creates ? { POST } : {}) };
}

function addedEndpoints(
  { model, formats, operationsOf }: EndpointParts,
  resource: ResourceModel,
): ResourceEndpoints["added"] {
  const added = new Map<string, ReadonlyMap<string, Endpoint>>();
  for (const [routes, types] of routesOf(formats)) {
    const endpoints = routes.endpoints({ model, operationsOf, types }, resource);
    if (endpoints.size > 0) added.set(routes.segment, endpoints);
  }
  return added;
}

function item(path: string, resource: ResourceModel, offered: OfferedOperations): Endpoint | undefined {
  const endpoint: Endpoint = {
    path,
    resource,
    subject: resource,
    methods: {
      ...(offered.get ? { GET: answering("item", handleGet) } : {}),
      ...(offered.replace ? { PUT: answering("item", handleReplace, ROW_WRITE) } : {}),
      ...(offered.update ? { PATCH: answering("item", handleUpdate, ROW_WRITE) } : {}),
      ...(offered.delete ? { DELETE: answering("item", handleDelete, CONDITIONAL) } : {}),
    },
    ...(offered.watch ? { watch: (exchange, id = "") => handleWatch(exchange, id) } : {}),
    deprecation: resource.deprecation,
  };
  return hasMethods(endpoint) ? endpoint : undefined;
}

function aggregates(path: string, resource: ResourceModel): Endpoint {
  const methods = { GET: answering("list", handleAggregate), QUERY: answering("list", handleAggregateBody) };
  return { path, resource, subject: resource, methods, deprecation: resource.deprecation };
}

function collection(path: string, resource: ResourceModel, offered: OfferedOperations): Endpoint | undefined {
  const endpoint: Endpoint = {
    path,
    resource,
    subject: resource,
    methods: {
      ...(offered.list ? { GET: answering("list", handleList), QUERY: answering("list", handleQuery) } : {}),
      ...(offered.create || offered.createMany
        ? { POST: answering("item", (exchange) => handleCreate(exchange), CREATE) }
        : {}),
      ...(offered.updateMany ? { PATCH: answering("item", handleUpdateMany, CONDITIONAL) } : {}),
      ...(offered.deleteMany ? { DELETE: answering("item", handleDeleteMany, CONDITIONAL) } : {}),
    },
    ...(offered.watch ? { watch: (exchange) => handleWatch(exchange) } : {}),
    deprecation: resource.deprecation,
  };
  return hasMethods(endpoint) ? endpoint : undefined;
}
