import type { HttpResponse } from "../http/message.ts";
import type { ResourceModel } from "../model/model.ts";
import { kebabCase } from "../util/kebab-case.ts";
import type { Exchange } from "./exchange.ts";
import { handleAction } from "./handle-action.ts";
import { handleGet, handleList, handleNested } from "./handle-read.ts";
import { handleWatch } from "./handle-watch.ts";
import {
  handleCreate,
  handleCreateWithin,
  handleLink,
  handleRemove,
  handleReplace,
  handleUpdate,
} from "./handle-write.ts";

/** Answers one request; `ids` are the segments of the path that the pattern leaves open. */
export type Handler = (exchange: Exchange, ...ids: string[]) => Promise<HttpResponse>;

/** A path with its methods. */
export interface Endpoint {
  /** `/books/{id}` */
  readonly path: string;
  readonly resource: ResourceModel;
  readonly handlers: Readonly<Partial<Record<Method, Handler>>>;
  /** `GET` with `Accept: text/event-stream`. */
  readonly watch?: Handler;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Every endpoint of a resource, by the shape of its path. */
export interface ResourceEndpoints {
  readonly collection: Endpoint;
  readonly item: Endpoint;
  /** `POST /books/discount` */
  readonly collectionActions: ReadonlyMap<string, Endpoint>;
  /** What stands behind an item: relations and actions. */
  readonly beneath: ReadonlyMap<string, Endpoint>;
  /** `/books/{id}/tags/{tagId}` */
  readonly links: ReadonlyMap<string, Endpoint>;
}

export function resourceEndpoints(resource: ResourceModel): ResourceEndpoints {
  const base = `/${resource.path}`;
  const beneath = new Map<string, Endpoint>();
  const links = new Map<string, Endpoint>();
  const collectionActions = new Map<string, Endpoint>();
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name);
    const path = `${base}/{id}/${segment}`;
    const GET: Handler = (exchange, id = "") => handleNested(exchange, id, relation);
    const POST: Handler = (exchange, id = "") => handleCreateWithin(exchange, id, relation);
    const creates = relation.kind === "hasMany" || relation.kind === "hasOne";
    beneath.set(segment, { path, resource, handlers: creates ? { GET, POST } : { GET } });
    if (relation.through === undefined) continue;
    const PUT: Handler = (exchange, id = "", far = "") => handleLink(exchange, "link", id, relation, far);
    const DELETE: Handler = (exchange, id = "", far = "") => handleLink(exchange, "unlink", id, relation, far);
    links.set(segment, { path: `${path}/{${relation.target}Id}`, resource, handlers: { PUT, DELETE } });
  }
  for (const action of resource.actions.values()) {
    const segment = kebabCase(action.name);
    if (action.on === "item") {
      const POST: Handler = (exchange, id = "") => handleAction(exchange, action, id);
      beneath.set(segment, { path: `${base}/{id}/${segment}`, resource, handlers: { POST } });
    } else {
      const POST: Handler = (exchange) => handleAction(exchange, action);
      collectionActions.set(segment, { path: `${base}/${segment}`, resource, handlers: { POST } });
    }
  }
  return {
    collection: {
      path: base,
      resource,
      handlers: { GET: handleList, POST: (exchange) => handleCreate(exchange) },
      watch: (exchange) => handleWatch(exchange),
    },
    item: {
      path: `${base}/{id}`,
      resource,
      handlers: {
        GET: handleGet,
        PUT: handleReplace,
        PATCH: handleUpdate,
        DELETE: handleRemove,
      },
      watch: (exchange, id = "") => handleWatch(exchange, id),
    },
    collectionActions,
    beneath,
    links,
  };
}
