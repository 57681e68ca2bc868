import type { Attributes } from "@opentelemetry/api";
import type { SpanTree } from "./sdk.ts";

type Children = readonly SpanTree[];

const FAULTS = ["INTERNAL", "UNAVAILABLE", "TIMEOUT"];

function span(name: string, kind: SpanTree["kind"], attributes: Attributes, children: Children): SpanTree {
  const status = FAULTS.includes(attributes["error.type"] as string) ? "ERROR" : "UNSET";
  return { name, kind, status, attributes, children };
}

/** The server span of `GET /books/{id}`. `path` is the requested path. */
export function server(
  base: string,
  method: string,
  route: string | undefined,
  [path, status]: readonly [path: string, status: number],
  children: Children = [],
  more: Attributes = {},
): SpanTree {
  const { hostname, port } = new URL(base);
  const attributes: Attributes = {
    "http.request.method": method,
    "http.response.status_code": status,
    "url.scheme": "http",
    "url.path": path,
    "server.address": hostname,
    "server.port": Number(port),
    "user_agent.original": "node",
    ...(route === undefined ? {} : { "http.route": route }),
    ...more,
  };
  return span(route === undefined ? method : `${method} ${route}`, "SERVER", attributes, children);
}

export function operation(kind: string, resource: string, more: Attributes, children: Children = []): SpanTree {
  const attributes = {
    "bifocal.operation.kind": kind,
    "bifocal.resource": resource,
    "bifocal.operation.timeout": 10_000,
    ...more,
  };
  return span(`${kind} ${resource}`, "INTERNAL", attributes, children);
}

export const rows = (count: number): Attributes => ({ "bifocal.operation.rows": count });

export function store(method: string, resource: string, count?: number): SpanTree {
  const attributes = {
    "bifocal.store.method": method,
    "bifocal.resource": resource,
    ...(count === undefined ? {} : { "bifocal.store.rows": count }),
  };
  return span(`store.${method} ${resource}`, "INTERNAL", attributes, []);
}

export function transaction(children: Children, more: Attributes = {}): SpanTree {
  return span("store.transaction", "INTERNAL", { "bifocal.store.method": "transaction", ...more }, children);
}

export function document(type: string, more: Attributes, children: Children): SpanTree {
  return span(type, "SERVER", { "graphql.operation.type": type, ...more }, children);
}

export function delivery(resource: string, change: string, isDelivered: boolean, children: Children): SpanTree {
  const attributes = { "bifocal.resource": resource, "bifocal.change": change, "bifocal.delivered": isDelivered };
  return span(`deliver ${resource}`, "INTERNAL", attributes, children);
}
