import { isProduction } from "../util/is-production.ts";
import { omitUndefined } from "../util/omit-undefined.ts";

/** Limits on requests of both styles and on the load that the server accepts. */
export interface HttpLimits {
  /** Bytes of a request body. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Headers of a request; repeated headers count each time. Default 100. */
  readonly headers: number;
  /** Characters of a query string. Default 8,192. */
  readonly queryLength: number;
  /** Levels of nesting in a JSON body. Default 32. */
  readonly jsonDepth: number;
  /** Members of one object in a JSON body. Default 1,000. */
  readonly jsonKeys: number;
  /** Operations of a JSON Patch. Default 1,000. */
  readonly patchOperations: number;
  /** Concurrent lookups of credentials from one address, at an authorization server or in a store; four times as many can wait. Default 16. */
  readonly addressLookups: number;
  /** Concurrent requests and WebSocket operations; `Infinity` for no limit. Default 2,000. */
  readonly inFlight: number;
  /** Operations waiting for a connection of a store; `Infinity` for no limit. Default 100. */
  readonly storeQueue: number;
  /** Milliseconds that the first of them has waited; `Infinity` for no limit. Default 1,000. */
  readonly storeWait: number;
  /** Milliseconds of average event loop delay, measured over a second; `Infinity` for no limit. Default 200, and 1,000 unless `NODE_ENV` is `production`. */
  readonly eventLoopDelay: number;
}

/** Limits on GraphQL documents, variables and results. */
export interface GraphqlLimits {
  /** Bytes of the body of a GraphQL request. Default 256 KiB. */
  readonly bodyBytes: number;
  /** Characters of a GraphQL document. Default 65,536. */
  readonly documentLength: number;
  /** Tokens of a GraphQL document. Default 2,000. */
  readonly tokens: number;
  /** Levels of fields in a GraphQL operation after fragments are expanded. Default 16: what `query.selectionDepth` permits, written with `edges { node { … } }`. */
  readonly depth: number;
  /** Fields that the operations of a document select together after fragments are expanded. Default 5,000. */
  readonly fields: number;
  /** Fields at the root of an operation after fragments are expanded. Default 20. */
  readonly rootFields: number;
  /** Aliases in an operation after fragments are expanded. Default 30. */
  readonly aliases: number;
  /** Directives in an operation after fragments are expanded. Default 50. */
  readonly directives: number;
  /** Deferred fragments and streamed lists in an operation after fragments are expanded. Default 20. */
  readonly incrementalParts: number;
  /** Pairs of fields with the same response name, which validation compares. Default 20,000. */
  readonly fieldPairs: number;
  /** Bytes of checked and compiled documents kept for later requests, as estimated. Default 32 MiB. */
  readonly cacheBytes: number;
  /** Errors reported for a document, or for its variables. Default 20. */
  readonly documentErrors: number;
  /** Errors in a result; the last one contains the number of further errors. Default 50. */
  readonly resultErrors: number;
  /** Values in the variables of a request, including those in lists and objects. Default 20,000. */
  readonly variableValues: number;
  /** Requests in a batch. Default 10. */
  readonly batchSize: number;
  /** Characters of stored automatic persisted documents in total. Default 4,000,000. */
  readonly persistedLength: number;
}

/** Limits on WebSockets and event streams of both styles. */
export interface SubscriptionLimits {
  /** Bytes of a WebSocket message. Default 256 KiB. */
  readonly messageBytes: number;
  /** Open WebSockets. Default 10,000. */
  readonly sockets: number;
  /** WebSockets of one address that were opened and not initialized. Default 20. */
  readonly openingSockets: number;
  /** Open WebSockets and event streams of one principal. Default 20. */
  readonly callerConnections: number;
  /** Open WebSockets and event streams of all anonymous callers of one address. Default 100. */
  readonly anonymousConnections: number;
  /** Single-connection event streams that one caller has reserved and not opened; a new one replaces the oldest. Default 10. */
  readonly reservedStreams: number;
  /** Subscriptions of one principal or address that resume at once; one more each 5 seconds. Default 100. */
  readonly resumptions: number;
  /** Messages per second on one WebSocket, with bursts of four times as many. Default 50. */
  readonly messagesPerSecond: number;
  /** Concurrent operations on one WebSocket or single-connection event stream. Default 100. */
  readonly socketOperations: number;
  /** Bytes queued for a subscriber that doesn't read. Default 1 MiB. */
  readonly queuedBytes: number;
}

/** Limits on what one operation reads and writes, in both styles. */
export interface QueryLimits {
  /** Levels of `and`, `or`, `not` and relations in a filter. Default 5. */
  readonly filterDepth: number;
  /** Relations that a filter follows one after the other. Default 3. */
  readonly filterHops: number;
  /** Conditions in a filter. Default 100. */
  readonly filterSize: number;
  /** Conditions in a filter that no index serves: `contains`, `ne`, `has`, any condition within `not`. Default 10. */
  readonly filterScans: number;
  /** Values in a list operand (`in`, `hasSome`). Default 250. */
  readonly listOperand: number;
  /** Levels of relations in a selection. Default 4. */
  readonly selectionDepth: number;
  /** Rows skipped by offset. Default 10,000. */
  readonly offset: number;
  /** Number at which counting stops; a larger total is reported as this number. Default 10,001. */
  readonly count: number;
  /** Groups that an aggregate may have before its `having` and its page. Default 10,000. */
  readonly groups: number;
  /** Cost of an operation, in rows that it can touch (see `costOf`). Default 5,000. */
  readonly cost: number;
  /** Other rows that one operation may delete or change because they reference deleted rows. Default 10,000. */
  readonly cascade: number;
  /** Milliseconds for an operation. Default 10,000. */
  readonly timeout: number;
}

/** Every limit, in groups. Requests that exceed one are rejected before any work is done. */
export interface Limits {
  readonly http: HttpLimits;
  readonly graphql: GraphqlLimits;
  readonly subscriptions: SubscriptionLimits;
  readonly query: QueryLimits;
}

/** Limits to change; each one that is missing has its default. */
export type LimitOptions = { readonly [Group in keyof Limits]?: Partial<Limits[Group]> };

export const DEFAULT_LIMITS: Limits = {
  http: {
    bodyBytes: 1_048_576,
    headers: 100,
    queryLength: 8_192,
    jsonDepth: 32,
    jsonKeys: 1_000,
    patchOperations: 1_000,
    addressLookups: 16,
    inFlight: 2_000,
    storeQueue: 100,
    storeWait: 1_000,
    eventLoopDelay: 200,
  },
  graphql: {
    bodyBytes: 262_144,
    documentLength: 65_536,
    tokens: 2_000,
    depth: 16,
    fields: 5_000,
    rootFields: 20,
    aliases: 30,
    directives: 50,
    incrementalParts: 20,
    fieldPairs: 20_000,
    cacheBytes: 33_554_432,
    documentErrors: 20,
    resultErrors: 50,
    variableValues: 20_000,
    batchSize: 10,
    persistedLength: 4_000_000,
  },
  subscriptions: {
    messageBytes: 262_144,
    sockets: 10_000,
    openingSockets: 20,
    callerConnections: 20,
    anonymousConnections: 100,
    reservedStreams: 10,
    resumptions: 100,
    messagesPerSecond: 50,
    socketOperations: 100,
    queuedBytes: 1_048_576,
  },
  query: {
    filterDepth: 5,
    filterHops: 3,
    filterSize: 100,
    filterScans: 10,
    listOperand: 250,
    selectionDepth: 4,
    offset: 10_000,
    count: 10_001,
    groups: 10_000,
    cost: 5_000,
    cascade: 10_000,
    timeout: 10_000,
  },
};

/** During development, tests, compilers and debuggers pause the same process, so a late event loop doesn't indicate load. */
const DEVELOPMENT_EVENT_LOOP_DELAY = 5_000;

/** Returns the limits of an API: the options merged with the defaults. */
export function limitsOf(options: LimitOptions = {}): Limits {
  const eventLoopDelay = isProduction() ? DEFAULT_LIMITS.http.eventLoopDelay : DEVELOPMENT_EVENT_LOOP_DELAY;
  return {
    http: withDefaults({ ...DEFAULT_LIMITS.http, eventLoopDelay }, options.http),
    graphql: withDefaults(DEFAULT_LIMITS.graphql, options.graphql),
    subscriptions: withDefaults(DEFAULT_LIMITS.subscriptions, options.subscriptions),
    query: withDefaults(DEFAULT_LIMITS.query, options.query),
  };
}

function withDefaults<Group extends object>(defaults: Group, options: Partial<Group> = {}): Group {
  return { ...defaults, ...omitUndefined<Partial<Group>>(options) };
}

/** Returns every limit by its path, such as `http.bodyBytes`. */
export function limitsByPath(limits: Limits): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(limits).flatMap(([group, members]) =>
      Object.entries(members as Readonly<Record<string, number>>).map(([name, limit]) => [`${group}.${name}`, limit]),
    ),
  );
}
