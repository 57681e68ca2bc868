import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import { EVENT_STREAM } from "../../message/event-stream.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { refuseConditions } from "../response/conditional.ts";
import { isDeprecating, withDeprecation } from "./deprecation.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import type { ProtocolContext } from "../../message/protocol.ts";
import type { Exchange } from "../request/exchange.ts";
import { NOSNIFF } from "../response/headers.ts";
import { type IdempotencySettings, withIdempotency } from "../idempotency/with-idempotency.ts";
import { type Match, methodNotAllowed } from "./match-endpoint.ts";
import { negotiate } from "../request/negotiate.ts";
import { createOffers } from "./offers.ts";
import { optionHeaders } from "./options.ts";
import { JSON_TYPE } from "../request/parse-body.ts";
import { parsePrefer, variedByPrefer } from "../request/prefer.ts";
import type { RouteTarget } from "./route-target.ts";
import { createVary } from "../response/vary.ts";

/** Handles a request with the handler of its endpoint and method, in the client's preferred format. */
export type Dispatch = (match: Match, request: HttpRequest, context: ProtocolContext) => MaybePromise<HttpResponse>;

interface DispatchOptions extends Pick<RouteTarget, "model" | "limits" | "formats" | "api"> {
  readonly idempotency: IdempotencySettings;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
}

export function createDispatch(options: DispatchOptions, endpoints: readonly Endpoint[]): Dispatch {
  const { model, limits, formats, api, credentials, idempotency } = options;
  const offers = createOffers(formats);
  const deprecating = new Set(endpoints.filter(isDeprecating));
  const vary = createVary(credentials);
  const targets = new Map<ResourceModel, RouteTarget>();
  for (const resource of model.resources.values())
    targets.set(resource, { model, limits, formats, api, vary, resource });
  const byType = new Map(formats.map((format) => [format.mediaType, format]));

  return ({ endpoint, ids }, request, context) => {
    noteRoute(context, endpoint.path);
    const target = targets.get(endpoint.resource) as RouteTarget;
    if (request.method === "OPTIONS") {
      const headers = { ...optionHeaders(endpoint, target), "Cache-Control": "no-store", ...NOSNIFF };
      return { status: 204, headers, body: null };
    }
    const method = (request.method === "HEAD" ? "GET" : request.method) as Method;
    const handler = endpoint.methods[method];
    if (handler === undefined) throw methodNotAllowed(endpoint, target, request.method);
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
    const answer = (asked: Exchange): MaybePromise<HttpResponse> => {
      const answered = handle(asked, ...ids);
      if (!deprecating.has(endpoint)) return answered;
      return mapMaybePromise(answered, (undecorated) => withDeprecation(undecorated, asked, endpoint));
    };
    const response =
      isUnsafe && request.headers["idempotency-key"] !== undefined
        ? withIdempotency(idempotency, exchange, answer)
        : answer(exchange);
    return preferences.handling === "lenient" ? mapMaybePromise(response, variedByPrefer) : response;
  };
}

export function noteRoute({ activity }: ProtocolContext, path: string): void {
  if (activity !== undefined) activity.route = path;
}
