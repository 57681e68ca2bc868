import { isProduction } from "../util/is-production.ts";

/** Every limit with its unit. What exceeds one is refused before anything runs. */
export interface Limits {
  /** Bytes of a request body. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Headers of a request, the repeated ones each. Default 100. */
  readonly headers: number;
  /** Characters of a query string. Default 8,192. */
  readonly queryLength: number;
  /** Levels of nesting in a JSON body. Default 32. */
  readonly jsonDepth: number;
  /** Members of one object in a JSON body. Default 1,000. */
  readonly jsonKeys: number;
  /** Levels of `and`, `or`, `not` and relations in a filter. Default 5. */
  readonly filterDepth: number;
  /** Relations that a filter follows one after the other. Default 3. */
  readonly filterHops: number;
  /** Conditions in a filter. Default 100. */
  readonly filterSize: number;
  /** Conditions in a filter for which a store looks at every row: `contains`, `ne`, `has`, whatever is within `not`. Default 10. */
  readonly filterScans: number;
  /** Values in a list operand (`in`, `hasSome`). Default 250. */
  readonly listOperand: number;
  /** Levels of relations in a selection. Default 4. */
  readonly selectionDepth: number;
  /** Rows that may be skipped by offset. Default 10,000. */
  readonly offset: number;
  /** Rows that a total counts at most: what is more counts as so many. Default 10,001. */
  readonly count: number;
  /** What an operation may cost, in rows that it can touch (see `costOf`). Default 5,000. */
  readonly cost: number;
  /** Other rows that deleting rows may delete or change along references, all rows of one operation together. Default 10,000. */
  readonly cascade: number;
  /** Bytes of the body of a GraphQL request. Default 256 KiB. */
  readonly graphqlBytes: number;
  /** Characters of a GraphQL document. Default 65,536. */
  readonly documentLength: number;
  /** Tokens of a GraphQL document. Default 2,000. */
  readonly documentTokens: number;
  /** Levels of fields in a GraphQL operation, its fragments spread out. Default 16: all that `selectionDepth` permits, written with `edges { node { … } }`. */
  readonly documentDepth: number;
  /** Fields that the operations of a GraphQL document select, fragments spread out. Default 5,000. */
  readonly documentFields: number;
  /** Fields at the root of a GraphQL operation, its fragments spread out. Default 20. */
  readonly documentRootFields: number;
  /** Aliases in a GraphQL operation, its fragments spread out. Default 30. */
  readonly documentAliases: number;
  /** Directives in a GraphQL operation, its fragments spread out. Default 50. */
  readonly documentDirectives: number;
  /** Deferred fragments and streamed lists in a GraphQL operation, its fragments spread out. Default 20. */
  readonly documentParts: number;
  /** Pairs of fields with one response name, which validation compares. Default 20,000. */
  readonly documentComparisons: number;
  /** Bytes of checked and compiled GraphQL documents that are kept for the next request, all together, as estimated. Default 32 MiB. */
  readonly documentBytes: number;
  /** Errors that are reported of a GraphQL document, or of its variables. Default 20. */
  readonly documentErrors: number;
  /** Errors of a GraphQL result; the last one tells how many more there are. Default 50. */
  readonly resultErrors: number;
  /** Values in the variables of a GraphQL request, those in lists and objects included. Default 20,000. */
  readonly variableValues: number;
  /** Requests in a batch. Default 10. */
  readonly batchSize: number;
  /** Characters of automatic persisted documents that are kept, all together. Default 4,000,000. */
  readonly persistedLength: number;
  /** Operations of a JSON Patch. Default 1,000. */
  readonly patchSteps: number;
  /** Milliseconds an operation may take. Default 10,000. */
  readonly timeout: number;
  /** Bytes of a WebSocket message. Default 256 KiB. */
  readonly messageBytes: number;
  /** WebSockets that may be open at a time. Default 10,000. */
  readonly sockets: number;
  /** WebSockets of one address that were opened and not initialised. Default 20. */
  readonly openingSockets: number;
  /** WebSockets and event streams of one principal at a time. Default 20. */
  readonly callerConnections: number;
  /** WebSockets and event streams of all anonymous callers of one address at a time. Default 100. */
  readonly anonymousConnections: number;
  /** Event streams for many operations that one caller has reserved and not opened; the oldest gives way to a new one. Default 10. */
  readonly reservedStreams: number;
  /** Subscriptions of one principal, or one address, that resume at once; one more may each 5 seconds. Default 100. */
  readonly resumptions: number;
  /** Messages a second of one WebSocket; four times as many may come at once. Default 50. */
  readonly socketMessages: number;
  /** Operations at a time of one WebSocket, or of one event stream for many. Default 100. */
  readonly socketOperations: number;
  /** Bytes that may wait for a subscriber who does not read. Default 1 MiB. */
  readonly queuedBytes: number;
  /** Credentials of one address that are looked up at a time, at an authorization server or in a store; four times as many may wait. Default 16. */
  readonly addressLookups: number;
  /** Requests, and operations of WebSockets, that are answered at a time; `Infinity`: any number. Default 2,000. */
  readonly inFlight: number;
  /** Operations that wait for a connection of a store at a time; `Infinity`: any number. Default 100. */
  readonly storeQueue: number;
  /** Milliseconds that the first of them has waited; `Infinity`: any. Default 1,000. */
  readonly storeWait: number;
  /** Milliseconds by which the event loop is late on average, for a second; `Infinity`: any. Default 200, and 1,000 unless `NODE_ENV` is `production`. */
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

/** Where tests and compilers run in the same process, being late is no load. */
const IN_DEVELOPMENT: Partial<Limits> = { eventLoopDelay: 1_000 };

/** The limits of an API: those that were given, and the defaults of where it runs. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const own = Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
  return { ...DEFAULT_LIMITS, ...(isProduction() ? {} : IN_DEVELOPMENT), ...own };
}
