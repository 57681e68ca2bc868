import type { Authentication, KnownCaller } from "../auth/authentication.ts";
import { maskError } from "../engine/mask-error.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import { STATUS } from "../errors/codes.ts";
import type { Graphql } from "../graphql/graphql.ts";
import { serializeRefusal } from "../graphql/transport/serialize-result.ts";
import type { Limits } from "../limits/limits.ts";
import { callerKey } from "../operation/caller-key.ts";
import type { Run } from "../operation/run.ts";
import type { Rest } from "../rest/rest.ts";
import type { RequestActivity, Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";
import { type MaybePromise, thenNow } from "../util/maybe-promise.ts";
import type { CallerConnections } from "./caller-connections.ts";
import { checkHead } from "./check-head.ts";
import type { AddressOf } from "./client-address.ts";
import type { ClientDigest } from "./client-digest.ts";
import type { Cors } from "./cors.ts";
import type { FairTurns } from "./fair-turns.ts";
import { holdConnection } from "./hold-connection.ts";
import type { IdentifyCaller } from "./identify-caller.ts";
import type { MalformedRequests } from "./malformed-requests.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";
import type { Overload } from "./overload.ts";
import { type AcceptsPage, isForged } from "./page-origin.ts";
import type { HasCredential } from "./query-credential.ts";
import { RequestCaller } from "./request-caller.ts";
import { createTold } from "./told.ts";

export interface HandlerOptions {
  readonly limits: Limits;
  readonly overload: Overload;
  readonly turns: FairTurns;
  readonly connections: CallerConnections;
  readonly addressOf: AddressOf;
  readonly clientDigest: ClientDigest;
  readonly malformed: MalformedRequests;
  /** Told of each request that the rate limit refused by its address. */
  readonly onAddressRefused: (request: HttpRequest) => void;
  readonly rest: Rest;
  readonly graphql: Graphql;
  readonly run: Run;
  readonly authentication: Authentication;
  /** Undefined if the API has no authenticators. */
  readonly identify: IdentifyCaller | undefined;
  readonly log: Log;
  readonly cors: Cors | undefined;
  readonly hasCredential: HasCredential;
  readonly acceptsPage: AcceptsPage;
  /** The current attempt to open the stores; undefined once they are open. */
  readonly ready: () => Promise<void> | undefined;
  readonly telemetry: Telemetry | undefined;
  /** The last to see every response. */
  readonly finish: (response: HttpResponse) => HttpResponse;
}

/** Answers at once where nothing has to be waited for. */
export type Handle = (request: HttpRequest) => MaybePromise<HttpResponse | null>;

export const GRAPHQL_PATH = "/graphql";
export const GRAPHQL_METHODS: readonly string[] = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** Statuses of REST responses to requests that were parsed before they were refused. */
const MALFORMED: ReadonlySet<number> = new Set([
  STATUS.BAD_REQUEST,
  STATUS.PAYLOAD_TOO_LARGE,
  STATUS.VALIDATION_FAILED,
]);

/** Answers one request in the style that its path asks for; `null` where the path is none of ours. */
export function createHandler(options: HandlerOptions): Handle {
  const { rest, graphql, run, authentication, identify, log, cors, telemetry, finish, overload, turns, connections } =
    options;
  const told = createTold({ challenge: authentication.challenge, onAddressRefused: options.onAddressRefused });
  const segments = new Set(rest.routes.map(({ path }) => path.split("/")[1]));
  // Every answer of GraphQL depends on who asks.
  const vary = ["Accept", ...authentication.headers].join(", ");

  return (request) => {
    const isGraphql = request.path === GRAPHQL_PATH;
    if (!isGraphql && !segments.has(firstSegment(request.path))) return null;
    if (telemetry === undefined) return respond(request, isGraphql);
    const style = isGraphql ? "graphql" : "rest";
    const activity: RequestActivity = { request, style, route: isGraphql ? GRAPHQL_PATH : undefined };
    return telemetry.request(activity, () => respond(request, isGraphql, activity));
  };

  function respond(
    request: HttpRequest,
    isGraphql: boolean,
    activity?: RequestActivity,
  ): MaybePromise<HttpResponse | null> {
    if (cors === undefined) return admit(request, isGraphql, activity);
    const preflight = cors.preflight(request, isGraphql ? GRAPHQL_METHODS : rest.methodsAt(request.path));
    if (preflight !== undefined) return finish(preflight);
    return thenNow(admit(request, isGraphql, activity), (response) => response && cors.decorate(request, response));
  }

  /** What cannot be answered in time is refused before anything is done for it. */
  function admit(
    request: HttpRequest,
    isGraphql: boolean,
    activity: RequestActivity | undefined,
  ): MaybePromise<HttpResponse | null> {
    const refusal = overload.refusal();
    if (refusal !== undefined) return finish(toResponse(refusal, request, isGraphql));
    return overload.during(() => answer(request, isGraphql, activity));
  }

  function toResponse(error: BifocalError, request: HttpRequest, isGraphql: boolean): HttpResponse {
    return isGraphql ? varied(serializeRefusal(error)) : rest.problem(error, request);
  }

  function answer(
    request: HttpRequest,
    isGraphql: boolean,
    activity: RequestActivity | undefined,
  ): MaybePromise<HttpResponse | null> {
    const caller = new RequestCaller(request, options);
    const refuse = (thrown: unknown): HttpResponse => {
      const error = maskError(thrown, caller, log);
      return finish(told(toResponse(error, request, isGraphql), caller));
    };
    const complete = (response: HttpResponse | null): HttpResponse | null => {
      if (response === null) return null;
      try {
        return finish(told(holdConnection(response, caller, connections), caller));
      } catch (thrown) {
        return refuse(thrown);
      }
    };
    try {
      checkHead(request, options.limits);
      if (options.hasCredential(request.query)) {
        throw new BifocalError("BAD_REQUEST", "A credential comes in a header, and not in the URL.");
      }
      if (isForged(request, options.acceptsPage)) {
        throw new BifocalError("FORBIDDEN", "A page of another site may not do this with the cookies of this one.");
      }
      const ready = options.ready();
      const isWaiting = ready !== undefined || identify !== undefined;
      const response = isWaiting
        ? answerLater(request, caller, isGraphql, ready, activity)
        : answerNow(request, { run, caller, activity }, isGraphql);
      return response instanceof Promise ? response.then(complete, refuse) : complete(response);
    } catch (thrown) {
      return refuse(thrown);
    }
  }

  async function answerLater(
    request: HttpRequest,
    caller: RequestCaller,
    isGraphql: boolean,
    ready: Promise<void> | undefined,
    activity: RequestActivity | undefined,
  ): Promise<HttpResponse | null> {
    // Without its stores the API still serves what needs no data; operations fail by themselves.
    if (ready !== undefined) await ready.catch(() => {});
    if (identify !== undefined) {
      const ask = (): Promise<KnownCaller> => identify(request, caller);
      Object.assign(caller, await (telemetry === undefined ? ask() : telemetry.authentication(ask)));
    }
    return answerNow(request, { run, caller, activity }, isGraphql);
  }

  function answerNow(
    request: HttpRequest,
    context: { readonly run: Run; readonly caller: RequestCaller; readonly activity: RequestActivity | undefined },
    isGraphql: boolean,
  ): MaybePromise<HttpResponse | null> {
    const { caller } = context;
    const refusal = options.malformed.refusal(caller);
    if (refusal !== undefined) throw refusal;
    return turns.run(
      () => callerKey(caller) ?? "",
      () => serve(request, context, isGraphql),
    );
  }

  function serve(
    request: HttpRequest,
    context: { readonly run: Run; readonly caller: RequestCaller; readonly activity: RequestActivity | undefined },
    isGraphql: boolean,
  ): MaybePromise<HttpResponse | null> {
    const { caller } = context;
    if (isGraphql)
      return thenNow(graphql.handle(request, context), (response) => onceCharged(varied(response), caller));
    return thenNow(rest.handle(request, context), (response) => {
      // Where an operation ran, it was paid for.
      if (response !== null && MALFORMED.has(response.status) && caller.allowance === undefined) caller.onMalformed();
      return onceCharged(response, caller);
    });
  }

  /** The headers of a response say what is left after it. */
  function onceCharged<T extends HttpResponse | null>(response: T, { charging }: RequestCaller): MaybePromise<T> {
    return charging === undefined ? response : charging.then(() => response);
  }

  function varied(response: HttpResponse): HttpResponse {
    return { ...response, headers: { ...response.headers, Vary: vary } };
  }
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
