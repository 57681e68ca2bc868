import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ResourceEndpoints } from "./endpoints.ts";
import type { ProblemPlace } from "../formats/format.ts";
import { optionHeaders } from "./options.ts";
import type { RouteTarget } from "./route-target.ts";

/** The endpoint of a path, and the values of its parameters. */
export interface Match {
  readonly endpoint: Endpoint;
  readonly ids: readonly string[];
}

export function allEndpoints(resource: ResourceEndpoints): readonly Endpoint[] {
  const { collection, item, collectionActions, beneath, links, added } = resource;
  const others = [beneath, links, ...added.values()].flatMap((endpoints) => [...endpoints.values()]);
  return [collection, ...collectionActions.values(), item, ...others];
}

/** Splits a path at its slashes. Equivalent to `split`, but takes half the time for strings that differ each time. */
export function splitPath(path: string): readonly string[] {
  const segments: string[] = [];
  let start = 0;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", start)) {
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  segments.push(path.slice(start));
  return segments;
}

/** Finds the endpoint of a path. Ids stay percent-encoded, because id formatting uses the same encoding. */
export function matchEndpoint(
  resource: ResourceEndpoints,
  segments: readonly string[],
  method: string,
): Match | undefined {
  const [, , id, segment = "", far] = segments;
  if (id === undefined) return { endpoint: resource.collection, ids: [] };
  if (segments.length === 3) {
    // Collection actions only have POST. A row may use the action's name as its id.
    const action = method === "POST" || method === "OPTIONS" ? resource.collectionActions.get(id) : undefined;
    return action === undefined ? { endpoint: resource.item, ids: [id] } : { endpoint: action, ids: [] };
  }
  const added = segments.length === 5 ? resource.added.get(segment) : undefined;
  if (added !== undefined) {
    const endpoint = added.get(far ?? "");
    return endpoint && { endpoint, ids: [id] };
  }
  const endpoint = segments.length === 4 ? resource.beneath.get(segment) : resource.links.get(segment);
  if (endpoint === undefined || segments.length > 5) return undefined;
  return { endpoint, ids: far === undefined ? [id] : [id, far] };
}

/** Returns the resource that the body of a request belongs to. */
export function bodyOf(
  byPath: ReadonlyMap<string, ResourceEndpoints>,
  { path, method }: Pick<HttpRequest, "path" | "method">,
): ProblemPlace["body"] {
  const segments = splitPath(path);
  const resource = byPath.get(segments[1] ?? "");
  const endpoint = resource && matchEndpoint(resource, segments, method)?.endpoint;
  if (resource === undefined || endpoint === undefined) return undefined;
  const isAdded = [...resource.added.values()].some((endpoints) => [...endpoints.values()].includes(endpoint));
  return { resource: endpoint.subject, isRow: !isAdded };
}

export function methodNotAllowed(endpoint: Endpoint, target: RouteTarget, method: string): BifocalError {
  const refusal = endpoint.refusal?.(method);
  if (refusal !== undefined) return refusal;
  const headers = optionHeaders(endpoint, target);
  const message = `${method} is not supported at ${endpoint.path}. Available: ${headers["Allow"] ?? ""}.`;
  return new BifocalError("METHOD_NOT_ALLOWED", message, { headers });
}

export function noRoute(resource: ResourceEndpoints): BifocalError {
  const { item, beneath, links, added } = resource;
  const others = [beneath, links, ...added.values()].flatMap((endpoints) => [...endpoints.values()]);
  const paths = [item, ...others].map(({ path }) => path);
  return new BifocalError("NOT_FOUND", `Nothing exists at this path. Available: ${paths.join(", ")}.`);
}
