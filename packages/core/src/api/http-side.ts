import { setTimeout as sleep } from "node:timers/promises";
import type { HttpSide } from "../http/any-api.ts";
import type { Authentication } from "../auth/authentication.ts";
import type { Graphql } from "../graphql/graphql.ts";
import { CallerConnections } from "../http/caller-connections.ts";
import { createAddressOf, warnOfProxy } from "../http/client-address.ts";
import { createClientDigest } from "../http/client-digest.ts";
import type { Cors } from "../http/cors.ts";
import { callerKey } from "../operation/caller-key.ts";
import { FairTurns } from "../http/fair-turns.ts";
import { createIdentifyCaller } from "../http/identify-caller.ts";
import { createHandler } from "../http/handler.ts";
import { MalformedRequests } from "../http/malformed-requests.ts";
import { createOverload, overloaded } from "../http/overload.ts";
import { createAcceptsPage, createHasCredential } from "../http/check-head.ts";
import { refuseSocket } from "../http/refuse-socket.ts";
import { socketCredentials, socketOrigin } from "../http/socket-credentials.ts";
import { createStreams } from "../http/streams.ts";
import type { OpenStores } from "./open-stores.ts";
import type { Limits } from "../limits/limits.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Run } from "../operation/run.ts";
import type { Rest } from "../rest/rest.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";

export interface HttpParts {
  readonly rest: Rest;
  readonly graphql: Graphql;
  readonly run: Run;
  /** Rejects each operation from now on. */
  readonly stop: () => void;
  readonly stores: OpenStores;
  readonly authentication: Authentication;
  readonly limiter: RateLimiter | undefined;
  readonly trustedProxies: readonly string[] | undefined;
  readonly cors: Cors | undefined;
  readonly limits: Limits;
  readonly telemetry: Telemetry | undefined;
  readonly log: Log;
}

/** Milliseconds between two checks of running work while closing. */
const PAUSE = 10;

/**
 * Creates the HTTP interface that adapters mount: one handler for both styles, and the socket protocol. `end` closes
 * sockets and event streams, then waits for other work up to the operation timeout; after that it rejects everything.
 */
export function createHttpSide(parts: HttpParts): { readonly side: HttpSide; readonly end: () => Promise<void> } {
  const { rest, graphql, stores, authentication, limiter, cors, limits, telemetry, log } = parts;
  const { trustedProxies } = parts;
  const hasCredential = createHasCredential(authentication);
  const acceptsPage = createAcceptsPage(authentication.headers, cors);
  const addressOf = createAddressOf(trustedProxies ?? []);
  const overload = createOverload(limits, stores.loads);
  const turns = new FairTurns({ ...limits.http, ...overload, hasLoads: stores.loads.length > 0, refusal: overloaded });
  const { addressLookups } = limits.http;
  const identify = createIdentifyCaller({ identify: authentication.identify, limiter, addressLookups });
  const connections = new CallerConnections(limits.subscriptions);
  const malformed = new MalformedRequests(limiter, log);
  const streams = createStreams();
  const closing = new Set<() => void>();
  // GraphQL has a single path, so it is compared first.
  const protocols = [graphql, rest];
  const handle = createHandler({
    protocols,
    run: parts.run,
    authentication,
    identify,
    hasCredential,
    acceptsPage,
    log,
    cors,
    ready: stores.opening,
    telemetry,
    finish: streams.finish,
    limits,
    overload,
    turns,
    connections,
    malformed,
    addressOf,
    clientDigest: createClientDigest(authentication),
    onAddressRefused: warnOfProxy(trustedProxies, log),
  });
  const sockets = graphql.sockets({
    run: parts.run,
    log,
    refusal: overload.refusal,
    during: async (work) => overload.during(work),
    turn: (caller, work) => turns.run(() => callerKey(caller) ?? "", work),
    hold: (caller) => connections.open(caller),
    malformed,
    authenticate: async (params, request) => {
      const address = addressOf(socketOrigin(request));
      const known = (await identify?.(socketCredentials(request, params), { address })) ?? { principal: null };
      return { ...known, address };
    },
  });
  const side: HttpSide = {
    handle,
    routes: protocols.flatMap(({ routes }) => routes),
    log,
    onClose: (listener) => void closing.add(listener),
    limits,
    hasCredential,
    acceptsPage,
    addressOf,
    refuseSocket: (address) => refuseSocket(address, { overload, limiter }),
    sockets,
  };
  async function end(): Promise<void> {
    streams.closeConnections();
    for (const listener of closing) listener();
    streams.endEvents();
    const until = performance.now() + limits.query.timeout;
    while ((overload.isBusy() || streams.isBusy()) && performance.now() < until) await sleep(PAUSE);
    // A list that is still being written fails at its next piece, so that a partial list doesn't look complete.
    parts.stop();
    overload.stop();
  }
  return { side, end };
}
