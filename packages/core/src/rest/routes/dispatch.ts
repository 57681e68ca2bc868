import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import { EVENT_STREAM } from "../../message/event-stream.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { refuseConditions } from "../response/conditional.ts";
import { withDeprecation } from "./deprecation.ts";
import type { Endpoint, Handler, Method } from "./endpoint.ts";
import type { ProtocolContext } from "../../message/protocol.ts";
import type { Exchange } from "../request/exchange.ts";
import { NOSNIFF, type Vary } from "../response/headers.ts";
import type { IdempotencySettings } from "../../lowering/idempotency/run-with-key.ts";
import { withIdempotency } from "../idempotency/with-idempotency.ts";
import { negotiate, parsePrefer, variedByPrefer } from "../request/negotiate.ts";
import { allowOf, createOffers, optionHeaders } from "./offers.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { RouteTarget } from "./route-target.ts";
import type { ResourceEndpoints } from "./endpoints.ts";
import type { ProblemPlace } from "../formats/format.ts";

/** The endpoint of a path, and the values of its parameters. */
interface Match {
  readonly endpoint: Endpoint;
  readonly id?: string;
  /** The id of a linked row. */
  readonly far?: string;
  /** The other endpoint at this path: a collection action may have the name of a row. */
  readonly other?: Endpoint;
}

export function allEndpoints(resource: ResourceEndpoints): readonly Endpoint[] {
  const { collection, item, beside, beneath, links, added } = resource;
  const others = [beneath, links, ...added.values()].flatMap((endpoints) => [...endpoints.values()]);
  return [collection, ...beside.values(), item, ...others].filter((endpoint) => endpoint !== undefined);
}

/** Splits a path at its slashes. Equivalent to `split`, but takes half the time for strings that differ each time. */
export function splitPath(path: string): readonly string[] {
  // Most paths have two or three segments. A list that grows would reserve space for 17.
  const first = path.indexOf("/");
  const second = path.indexOf("/", first + 1);
  if (first >= 0 && second < 0) return [path.slice(0, first), path.slice(first + 1)];
  const third = path.indexOf("/", second + 1);
  if (second >= 0 && third < 0) return [path.slice(0, first), path.slice(first + 1, second), path.slice(second + 1)];
  const segments: string[] = [];
  let start = 0;
  for (let slash = first; slash >= 0; slash = path.indexOf("/", start)) {
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  segments.push(path.slice(start));
  return segments;
}

/** Does the same for a path whose first segment is known. */
export function splitBelow(path: string, first: string): readonly string[] {
  const slash = first.length + 1;
  if (path.length === slash) return ["", first];
  return path.includes("/", slash + 1) ? splitPath(path) : ["", first, path.slice(slash + 1)];
}

/** Finds the endpoint of a path. Ids stay percent-encoded, because id formatting uses the same encoding. */
export function matchEndpoint(
  resource: ResourceEndpoints,
  segments: readonly string[],
  method: string,
): Match | undefined {
  const id = segments[2];
  const segment = segments[3] ?? "";
  const far = segments[4];
  if (id === undefined) return resource.collection && { endpoint: resource.collection };
  if (segments.length === 3) {
    const { item } = resource;
    const action = resource.beside.get(id);
    if (action === undefined) return item && { endpoint: item, id };
    // No row has the name of a query as its id.
    if (action.methods.GET !== undefined) return { endpoint: action };
    // Collection actions only have POST. A row may use the action's name as its id.
    return method === "POST" || method === "OPTIONS" || item === undefined
      ? { endpoint: action }
      : { endpoint: item, id, other: action };
  }
  const added = segments.length === 5 ? resource.added.get(segment) : undefined;
  if (added !== undefined) {
    const endpoint = added.get(far ?? "");
    return endpoint && { endpoint, id };
  }
  const endpoint = segments.length === 4 ? resource.beneath.get(segment) : resource.links.get(segment);
  if (endpoint === undefined || segments.length > 5) return undefined;
  return far === undefined ? { endpoint, id } : { endpoint, id, far };
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

function methodNotAllowed({ endpoint, other }: Match, target: RouteTarget, method: string): BifocalError {
  const refusal = endpoint.refusal?.(method);
  if (refusal !== undefined) return refusal;
  const own = optionHeaders(endpoint, target);
  const headers =
    other === undefined ? own : { ...optionHeaders(other, target), ...own, Allow: allowOf(endpoint, other) };
  const message = `${method} is not supported at ${endpoint.path}. Available: ${headers["Allow"] ?? ""}.`;
  return new BifocalError("METHOD_NOT_ALLOWED", message, { headers });
}

export function noRoute(resource: ResourceEndpoints): BifocalError {
  const paths = allEndpoints(resource).map(({ path }) => path);
  return new BifocalError("NOT_FOUND", `Nothing exists at this path. Available: ${paths.join(", ")}.`);
}

/** Handles a request with the handler of its endpoint and method, in the client's preferred format. */
export type Dispatch = (match: Match, request: HttpRequest, context: ProtocolContext) => MaybePromise<HttpResponse>;

interface DispatchOptions extends Pick<RouteTarget, "model" | "limits" | "formats" | "api" | "printRequest"> {
  readonly idempotency: IdempotencySettings;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
}

export function createDispatch(options: DispatchOptions, endpoints: readonly Endpoint[]): Dispatch {
  const { model, limits, formats, api, printRequest, credentials, idempotency } = options;
  const offers = createOffers(formats);
  const deprecating = new Set(
    endpoints.filter(({ deprecation, subject }) => deprecation !== undefined || subject.deprecatedFields.length > 0),
  );
  const vary = createVary(credentials);
  const targets = new Map<ResourceModel, RouteTarget>();
  for (const resource of model.resources.values())
    targets.set(resource, { model, limits, formats, api, printRequest, vary, resource });
  const byType = new Map(formats.map((format) => [format.mediaType, format]));

  return (match, request, context) => {
    const { endpoint, id, far } = match;
    noteRoute(context, endpoint.path);
    const target = targets.get(endpoint.resource) as RouteTarget;
    if (request.method === "OPTIONS") {
      const headers = { ...optionHeaders(endpoint, target), "Cache-Control": "no-store", ...NOSNIFF };
      return { status: 204, headers, body: null };
    }
    const isRead = request.method === "GET" || request.method === "HEAD";
    // Bun creates a string for each request, and finds members by a literal faster.
    const method = isRead ? "GET" : (request.method as Method);
    const handler = endpoint.methods[method];
    if (handler === undefined) throw methodNotAllowed(match, target, request.method);
    const offered = offers(endpoint, method);
    const type = negotiate(request.headers["accept"], offered, formats);
    if (type === undefined) {
      throw new BifocalError("NOT_ACCEPTABLE", `Available formats: ${offered.join(" or ")}. Set 'Accept' accordingly.`);
    }
    const preferences = parsePrefer(request);
    const format = type === JSON_TYPE ? undefined : byType.get(type);
    const exchange: Exchange = { request, context, target, format, preferences, notes: {} };
    const handle = type === EVENT_STREAM && endpoint.watch !== undefined ? endpoint.watch : handler.handle;
    const isUnsafe = method !== "GET" && method !== "QUERY";
    if (isUnsafe && handler.isConditional !== true) refuseConditions(request);
    const isDeprecating = deprecating.has(endpoint);
    const isOnce = isUnsafe && request.headers["idempotency-key"] !== undefined;
    const response =
      isOnce || isDeprecating
        ? handleWrapped(exchange, match, handle, { isDeprecating, idempotency: isOnce ? idempotency : undefined })
        : handle(exchange, id, far);
    const isVaried = preferences.handling === "lenient" || preferences.pageInfo === true;
    return isVaried ? mapMaybePromise(response, variedByPrefer) : response;
  };
}

interface Wrapping {
  readonly isDeprecating: boolean;
  /** Set if the request must take effect only once. */
  readonly idempotency: IdempotencySettings | undefined;
}

function handleWrapped(
  exchange: Exchange,
  { endpoint, id, far }: Match,
  handle: Handler,
  { isDeprecating, idempotency }: Wrapping,
): MaybePromise<HttpResponse> {
  const answer = (asked: Exchange): MaybePromise<HttpResponse> =>
    mapMaybePromise(handle(asked, id, far), (undecorated) =>
      isDeprecating ? withDeprecation(undecorated, asked, endpoint) : undecorated,
    );
  return idempotency === undefined ? answer(exchange) : withIdempotency(idempotency, exchange, answer);
}

export function noteRoute({ activity }: ProtocolContext, path: string): void {
  if (activity !== undefined) activity.route = path;
}

function createVary(credentials: readonly string[]): Vary {
  return { shared: "Accept", personal: ["Accept", ...credentials].join(", ") };
}
