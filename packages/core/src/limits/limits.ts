import { isProduction } from "../util/is-production.ts";

/** Limits with their units. Requests that exceed a limit are rejected before any work is done. */
export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes: number;
  /** Number of headers of a request, counting repeated ones. Default: 100. */
  readonly headers: number;
  /** Characters of a query string. Default: 8,192. */
  readonly queryLength: number;
  /** Levels of nesting in a JSON body. Default: 32. */
  readonly jsonDepth: number;
  /** Members of one object in a JSON body. Default: 1,000. */
  readonly jsonKeys: number;
  /** Levels of `and`, `or`, `not` and relations in a filter. Default: 5. */
  readonly filterDepth: number;
  /** Relations that a filter follows in sequence. Default: 3. */
  readonly filterHops: number;
  /** Conditions in a filter. Default: 100. */
  readonly filterSize: number;
  /**
   * Conditions in a filter for which a store has to read every row: `contains`, `ne`, `has`, and any condition within
   * `not`. Default: 10.
   */
  readonly filterScans: number;
  /** Values in a list operand (`in`, `hasSome`). Default: 250. */
  readonly listOperand: number;
  /** Levels of relations in a selection. Default: 4. */
  readonly selectionDepth: number;
  /** Rows that can be skipped by offset. Default: 10,000. */
  readonly offset: number;
  /** Maximum value of a total; larger totals are capped at this number. Default: 10,001. */
  readonly count: number;
  /** Maximum cost of an operation, in rows that it may touch (see `costOf`). Default: 5,000. */
  readonly cost: number;
  /**
   * Rows that one operation may delete or change along references, in addition to the rows that it deletes. Default:
   * 10,000.
   */
  readonly cascade: number;
  /** Bytes of the body of a GraphQL request. Default: 256 KiB. */
  readonly graphqlBytes: number;
  /** Characters of a GraphQL document. Default: 65,536. */
  readonly documentLength: number;
  /** Tokens of a GraphQL document. Default: 2,000. */
  readonly documentTokens: number;
  /**
   * Levels of fields in a GraphQL operation, with fragments expanded. Default: 16, which is enough for `selectionDepth`
   * levels written with `edges { node { … } }`.
   */
  readonly documentDepth: number;
  /** Fields that the operations of a GraphQL document select, with fragments expanded. Default: 5,000. */
  readonly documentFields: number;
  /** Fields at the root of a GraphQL operation, with fragments expanded. Default: 20. */
  readonly documentRootFields: number;
  /** Aliases in a GraphQL operation, with fragments expanded. Default: 30. */
  readonly documentAliases: number;
  /** Directives in a GraphQL operation, with fragments expanded. Default: 50. */
  readonly documentDirectives: number;
  /** Deferred fragments and streamed lists in a GraphQL operation, with fragments expanded. Default: 20. */
  readonly documentParts: number;
  /** Pairs of fields with the same response name, which validation has to compare. Default: 20,000. */
  readonly documentComparisons: number;
  /** Estimated bytes of all cached GraphQL documents, parsed and compiled. Default: 32 MiB. */
  readonly documentBytes: number;
  /** Errors that are reported for a GraphQL document, or for its variables. Default: 20. */
  readonly documentErrors: number;
  /** Errors in a GraphQL result. If there are more, the last one contains their number. Default: 50. */
  readonly resultErrors: number;
  /** Values in the variables of a GraphQL request, including those in lists and objects. Default: 20,000. */
  readonly variableValues: number;
  /** Requests in a batch. Default: 10. */
  readonly batchSize: number;
  /** Characters of all cached automatic persisted documents. Default: 4,000,000. */
  readonly persistedLength: number;
  /** Operations of a JSON Patch. Default: 1,000. */
  readonly patchSteps: number;
  /** Milliseconds that an operation may take. Default: 10,000. */
  readonly timeout: number;
  /** Bytes of a WebSocket message. Default: 256 KiB. */
  readonly messageBytes: number;
  /** Concurrently open WebSockets. Default: 10,000. */
  readonly sockets: number;
  /** WebSockets of one address that are open but not initialized. Default: 20. */
  readonly openingSockets: number;
  /** Concurrent WebSockets and event streams of one principal. Default: 20. */
  readonly callerConnections: number;
  /** Concurrent WebSockets and event streams of all anonymous callers of one address. Default: 100. */
  readonly anonymousConnections: number;
  /** Event streams that one caller has reserved but not opened. A new one replaces the oldest. Default: 10. */
  readonly reservedStreams: number;
  /**
   * Subscriptions of one principal or address that can resume at once. One more is allowed every 5 seconds. Default:
   * 100.
   */
  readonly resumptions: number;
  /** Messages per second of one WebSocket. Bursts may be four times as large. Default: 50. */
  readonly socketMessages: number;
  /** Concurrent operations of one WebSocket or reserved event stream. Default: 100. */
  readonly socketOperations: number;
  /** Bytes that may be queued for a subscriber that does not read. Default: 1 MiB. */
  readonly queuedBytes: number;
  /**
   * Concurrent lookups of credentials of one address, at an authorization server or in a store. Four times as many can
   * wait. Default: 16.
   */
  readonly addressLookups: number;
  /** Concurrent requests and WebSocket operations. `Infinity` disables the limit. Default: 2,000. */
  readonly inFlight: number;
  /** Operations that wait for a store's connection. `Infinity` disables the limit. Default: 100. */
  readonly storeQueue: number;
  /**
   * Milliseconds that an operation may wait for a store's connection. `Infinity` disables the limit. Default: 1,000.
   */
  readonly storeWait: number;
  /**
   * Average delay of the event loop during a second, in milliseconds. `Infinity` disables the limit. Default: 200, or
   * 1,000 unless `NODE_ENV` is `production`.
   */
  readonly eventLoopDelay: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1_048_576,
  headers: 100,
  queryLength: 8_192,
  jsonDepth: 32,
  jsonKeys: 1_000,
  filterDepth: 5,
  filterHops: 3,
  filterSize: 100,
  filterScans: 10,
  listOperand: 250,
  selectionDepth: 4,
  offset: 10_000,
  count: 10_001,
  cost: 5_000,
  cascade: 10_000,
  graphqlBytes: 262_144,
  documentLength: 65_536,
  documentTokens: 2_000,
  documentDepth: 16,
  documentFields: 5_000,
  documentRootFields: 20,
  documentAliases: 30,
  documentDirectives: 50,
  documentParts: 20,
  documentComparisons: 20_000,
  documentBytes: 33_554_432,
  documentErrors: 20,
  resultErrors: 50,
  variableValues: 20_000,
  batchSize: 10,
  persistedLength: 4_000_000,
  patchSteps: 1_000,
  timeout: 10_000,
  messageBytes: 262_144,
  sockets: 10_000,
  openingSockets: 20,
  callerConnections: 20,
  anonymousConnections: 100,
  reservedStreams: 10,
  resumptions: 100,
  socketMessages: 50,
  socketOperations: 100,
  queuedBytes: 1_048_576,
  addressLookups: 16,
  inFlight: 2_000,
  storeQueue: 100,
  storeWait: 1_000,
  eventLoopDelay: 200,
};

/** In development, tests and compilers in the same process may delay the event loop. */
const IN_DEVELOPMENT: Partial<Limits> = { eventLoopDelay: 1_000 };

/** Returns the limits of an API: the given ones, and defaults that depend on the environment. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const own = Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
  return { ...DEFAULT_LIMITS, ...(isProduction() ? {} : IN_DEVELOPMENT), ...own };
}
