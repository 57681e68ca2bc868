import { sleep } from "../runtime/timers.ts";
import { noSuchPath } from "../rest/routes/no-such-path.ts";
import type { HttpSide } from "../http/any-api.ts";
import { CallerConnections } from "../http/caller-connections.ts";
import { type AddressOf, warnOfProxy } from "../http/client-address.ts";
import { createClientDigest } from "../http/client-digest.ts";
import { callerKey } from "../operation/caller-key.ts";
import { FairTurns } from "../http/fair-turns.ts";
import { createIdentifyCaller } from "../http/identify-caller.ts";
import { createHandler } from "../http/handler.ts";
import { MalformedRequests } from "../http/malformed-requests.ts";
import { createOverload, overloaded } from "../http/overload.ts";
import { createAcceptsPage, createHasCredential } from "../http/check-head.ts";
import { refuseSocket } from "../http/refuse-socket.ts";
import { socketCredentials } from "../http/socket-credentials.ts";
import { Streams } from "../http/streams.ts";
import type { Run } from "../operation/run.ts";
import type { Rest } from "../rest/rest.ts";
import { createStyles, type StyleParts } from "./styles.ts";
import type { Log } from "../util/log.ts";

export interface HttpParts extends StyleParts {
  readonly run: Run;
  /** Rejects each operation from now on. */
  readonly stop: () => void;
  readonly addressOf: AddressOf;
  readonly trustedProxies: readonly string[] | undefined;
  readonly log: Log;
}

/** Milliseconds between two checks of running work while closing. */
const PAUSE = 10;

export interface Http {
  /** The interface that adapters mount: one handler for both styles, and the socket protocol. */
  readonly side: HttpSide;
  readonly openapi: Rest["openapi"];
  /** Closes sockets and event streams, then waits for other work up to the operation timeout, then rejects everything. */
  readonly end: () => Promise<void>;
}

/** Creates both styles and the parts that they share, when an adapter mounts the API. */
export function createHttp(parts: HttpParts): Http {
  const { rest, graphql } = createStyles(parts);
  const { stores, authentication, limiter, cors, limits, telemetry, log } = parts;
  const { trustedProxies, addressOf } = parts;
  const hasCredential = createHasCredential(authentication);
  const acceptsPage = createAcceptsPage(authentication.headers, cors);
  const overload = createOverload(limits, stores.loads);
  const turns = new FairTurns({ ...limits.http, ...overload, hasLoads: stores.loads.length > 0, refusal: overloaded });
  const { addressLookups } = limits.http;
  const identify =
    authentication.identify && createIdentifyCaller({ identify: authentication.identify, limiter, addressLookups });
  const connections = new CallerConnections(limits.subscriptions);
  const malformed = limiter && new MalformedRequests(limiter, log);
  const streams = new Streams();
  const closing = new Set<() => void>();
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
    opening: stores.opening,
    telemetry,
    streams,
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
    during: overload.during,
    turn: (caller, work) => turns.run(() => callerKey(caller) ?? "", work),
    hold: (caller) => connections.open(caller),
    malformed,
    authenticate: async (params, origin) => {
      const address = addressOf(origin);
      const known = (await identify?.(socketCredentials(origin, params), { address })) ?? { principal: null };
      return { ...known, address };
    },
  });
  const side: HttpSide = {
    handle,
    notFound: (request) => rest.refuse(noSuchPath(parts.model, request), request),
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
    streams.isClosing = true;
    for (const listener of closing) listener();
    streams.endEvents();
    const until = performance.now() + limits.query.timeout;
    while ((overload.isBusy() || streams.isBusy) && performance.now() < until) await sleep(PAUSE);
    // A list that is still being written fails at its next piece, so that a partial list doesn't look complete.
    parts.stop();
    overload.stop();
  }
  return { side, openapi: rest.openapi, end };
}
