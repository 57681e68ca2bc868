import type { Authentication, KnownCaller } from "../auth/authentication.ts";
import { maskError } from "../errors/mask-error.ts";
import { callerKey } from "../operation/caller-key.ts";
import type { Run } from "../operation/run.ts";
import { EventStream } from "../message/event-stream.ts";
import { firstSegment } from "../message/first-segment.ts";
import type { Protocol, ProtocolContext, RequestActivity } from "../message/protocol.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import type { CallerConnections } from "./caller-connections.ts";
import { checkHead, type CheckHeadOptions } from "./check-head.ts";
import type { AddressOf } from "./client-address.ts";
import type { ClientDigest } from "./client-digest.ts";
import type { Cors } from "./cors.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { IdentifyCaller } from "./identify-caller.ts";
import type { MalformedRequests } from "./malformed-requests.ts";
import { type HttpRequest, type HttpResponse, isStream } from "../message/message.ts";
import type { Overload } from "./overload.ts";
import { RequestCaller } from "./request-caller.ts";
import { createDecorateResponse } from "./decorate-response.ts";
import type { Streams } from "./streams.ts";

export interface HandlerOptions extends CheckHeadOptions {
  readonly overload: Overload;
  readonly turns: FairTurns;
  readonly connections: CallerConnections;
  readonly addressOf: AddressOf;
  readonly clientDigest: ClientDigest;
  /** Undefined if the API has no rate limit. */
  readonly malformed: MalformedRequests | undefined;
  /** Called for each request that the rate limit of its address rejected. */
  readonly onAddressRefused: (request: HttpRequest) => void;
  readonly protocols: readonly Protocol[];
  readonly run: Run;
  readonly authentication: Authentication;
  /** Undefined if the API has no authenticators. */
  readonly identify: IdentifyCaller | undefined;
  readonly log: Log;
  readonly cors: Cors | undefined;
  /** The opening of the stores. `start` returns the current attempt. */
  readonly opening: { readonly isDone: boolean; readonly start: () => Promise<void> | undefined };
  readonly telemetry: Telemetry | undefined;
  readonly streams: Streams;
}

/** Responds synchronously if nothing is asynchronous. */
export type Handle = (request: HttpRequest) => MaybePromise<HttpResponse | null>;

/**
 * Creates the function that handles each request with the protocol of its path. It returns `null` if no protocol
 * matches.
 */
export function createHandler(options: HandlerOptions): Handle {
  const { run, authentication, identify, log, cors, telemetry, opening } = options;
  const { streams, overload, turns, connections, malformed } = options;
  const servedAt = createServedAt(options.protocols);
  const decorate = createDecorateResponse({
    challenge: authentication.challenge,
    onAddressRefused: options.onAddressRefused,
  });
  return (request) => {
    const served = servedAt(request.path);
    if (served === undefined) return null;
    return telemetry === undefined ? respond(request, served) : recorded(telemetry, request, served);
  };

  function recorded(telemetry: Telemetry, request: HttpRequest, served: Served): MaybePromise<HttpResponse | null> {
    const { name: style, routes } = served.protocol;
    const activity: RequestActivity = { request, style, route: routes.length === 1 ? routes[0]?.path : undefined };
    return telemetry.request(activity, () => respond(request, served, activity));
  }

  function respond(
    request: HttpRequest,
    served: Served,
    activity?: RequestActivity,
  ): MaybePromise<HttpResponse | null> {
    return cors === undefined ? admit(request, served, activity) : respondToOrigin(cors, request, served, activity);
  }

  function respondToOrigin(
    cors: Cors,
    request: HttpRequest,
    served: Served,
    activity: RequestActivity | undefined,
  ): MaybePromise<HttpResponse | null> {
    const preflight = cors.preflight(request, served.protocol.methodsAt(request.path));
    if (preflight !== undefined) return finish(preflight);
    return mapMaybePromise(
      admit(request, served, activity),
      (response) => response && cors.decorate(request, response),
    );
  }

  /** Rejects requests before doing any work if the server is overloaded. */
  function admit(
    request: HttpRequest,
    served: Served,
    activity: RequestActivity | undefined,
  ): MaybePromise<HttpResponse | null> {
    const refusal = overload.refusal();
    if (refusal !== undefined) return finish(served.protocol.refuse(refusal, request));
    overload.enter();
    let response: MaybePromise<HttpResponse | null> | undefined;
    try {
      response = answer(request, served, activity);
    } finally {
      if (!(response instanceof Promise)) overload.leave();
    }
    return response instanceof Promise ? response.finally(overload.leave) : response;
  }

  function answer(
    request: HttpRequest,
    served: Served,
    activity: RequestActivity | undefined,
  ): MaybePromise<HttpResponse | null> {
    const caller = new RequestCaller(request, options);
    try {
      checkHead(request, options);
      const ready = opening.isDone ? undefined : opening.start();
      const isWaiting = ready !== undefined || identify !== undefined;
      const response = isWaiting
        ? answerLater(request, caller, served, ready, activity)
        : answerNow(
            request,
            { run, caller, activity, segment: served.segment, during: overload.during },
            served.protocol,
          );
      return response instanceof Promise ? completeLater(response, caller, served) : complete(response, caller, served);
    } catch (thrown) {
      return refuse(thrown, caller, served);
    }
  }

  function completeLater(
    response: Promise<HttpResponse | null>,
    caller: RequestCaller,
    served: Served,
  ): Promise<HttpResponse | null> {
    return response.then(
      (settled) => complete(settled, caller, served),
      (thrown: unknown) => refuse(thrown, caller, served),
    );
  }

  function complete(response: HttpResponse | null, caller: RequestCaller, served: Served): HttpResponse | null {
    if (response === null) return null;
    try {
      if (response.body instanceof EventStream) connections.hold(response.body, caller);
      return conclude(response, caller);
    } catch (thrown) {
      return refuse(thrown, caller, served);
    }
  }

  function refuse(thrown: unknown, caller: RequestCaller, served: Served): HttpResponse {
    const error = maskError(thrown, caller, log);
    return conclude(served.protocol.refuse(error, caller.request), caller);
  }

  async function answerLater(
    request: HttpRequest,
    caller: RequestCaller,
    served: Served,
    ready: Promise<void> | undefined,
    activity: RequestActivity | undefined,
  ): Promise<HttpResponse | null> {
    // Parts of the API work without stores; operations report the failure themselves.
    if (ready !== undefined) await ready.catch(() => {});
    if (identify !== undefined) {
      const ask = (): Promise<KnownCaller> => identify(request, caller);
      Object.assign(caller, await (telemetry === undefined ? ask() : telemetry.authentication(ask)));
    }
    return answerNow(
      request,
      { run, caller, activity, segment: served.segment, during: overload.during },
      served.protocol,
    );
  }

  function answerNow(
    request: HttpRequest,
    context: RequestContext,
    protocol: Protocol,
  ): MaybePromise<HttpResponse | null> {
    const { caller } = context;
    const refusal = malformed?.refusal(caller);
    if (refusal !== undefined) throw refusal;
    return turns.isFree() ? answerCharged(request, context, protocol) : answerInTurn(request, context, protocol);
  }

  function answerInTurn(
    request: HttpRequest,
    context: RequestContext,
    protocol: Protocol,
  ): Promise<HttpResponse | null> {
    return turns.wait(callerKey(context.caller) ?? "", () => {
      // The client may have disconnected while its request was waiting. Some hosts abort with reasons of their own.
      if (request.signal.aborted) throw new DOMException("The client disconnected.", "AbortError");
      return answerCharged(request, context, protocol);
    });
  }

  /** The headers contain the remaining allowance, so the response waits until all charges are recorded. */
  function answerCharged(
    request: HttpRequest,
    context: RequestContext,
    protocol: Protocol,
  ): MaybePromise<HttpResponse | null> {
    const response = protocol.handle(request, context);
    const { caller } = context;
    if (!(response instanceof Promise) && caller.charging === undefined) return response;
    return onceCharged(response, caller);
  }

  async function onceCharged<T>(response: MaybePromise<T>, caller: RequestCaller): Promise<T> {
    const settled = await response;
    if (caller.charging !== undefined) await caller.charging;
    return settled;
  }

  function conclude(response: HttpResponse, caller: RequestCaller): HttpResponse {
    const isPlain = response.status < 400 && caller.allowance === undefined;
    return finish(isPlain ? response : decorate(response, caller));
  }

  function finish(response: HttpResponse): HttpResponse {
    const isWhole = typeof response.body === "string" || !isStream(response.body);
    return isWhole && !streams.isClosing ? response : streams.finish(response);
  }
}

interface RequestContext extends ProtocolContext {
  readonly caller: RequestCaller;
}

/** The protocol of a path. */
interface Served {
  readonly protocol: Protocol;
  /** The first segment of the path. Empty if the protocol has a single path. */
  readonly segment: string;
}

/** Finds the protocol of a path by the whole path, or by its first segment. */
function createServedAt(protocols: readonly Protocol[]): (path: string) => Served | undefined {
  const bySegment = new Map<string, Served>();
  const byPath = new Map<string, Served>();
  for (const protocol of protocols) {
    const { serves } = protocol;
    if ("path" in serves) byPath.set(serves.path, { protocol, segment: "" });
    else for (const segment of serves.segments) bySegment.set(segment, { protocol, segment });
  }
  const longest = Math.max(...[...byPath.keys()].map(({ length }) => length));
  // Longer paths aren't looked up as a whole, which would read every character of them.
  return (path) => (path.length > longest ? undefined : byPath.get(path)) ?? bySegment.get(firstSegment(path));
}
