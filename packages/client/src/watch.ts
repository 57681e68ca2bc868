import type { ClientDescription } from "@bifocal/core";
import type { Lens, Row, Select } from "./lens.ts";
import { FUNCTIONS, type SharedFunctions } from "./shared-functions.ts";
import type { Transport } from "./transport.ts";
import { loadPart } from "./load-part.ts";

export interface WatchQuery {
  readonly on?: readonly string[];
  readonly id?: unknown;
  readonly filter?: Row;
  readonly select?: Select;
  readonly after?: string;
  readonly initial?: boolean;
  /** Called when the server sends changes. */
  readonly opened?: () => void;
  readonly signal?: AbortSignal;
}

/** The query of one connection. */
export interface OpenedQuery extends Omit<WatchQuery, "after"> {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/** A message of the server. */
export interface ReceivedChange {
  /** The id of the event, after which the watch resumes. */
  readonly id?: string | undefined;
  /** Undefined if its kind isn't watched. */
  readonly change?: object;
}

export interface WatchParts {
  readonly lens: Lens;
  readonly transport: Transport;
  readonly describe: () => Promise<ClientDescription>;
  readonly name: string;
  readonly watch?: OpenChanges | undefined;
}

/** Opens a connection for a watch: the option `watch` of `createClient`. Resolves when the server sends changes. */
export type OpenChanges = (
  parts: WatchParts & SharedFunctions,
  query: OpenedQuery,
) => Promise<AsyncIterable<ReceivedChange>>;

/** Watches rows over the event streams of REST, whatever the lens, or over WebSockets. */
export function watch(parts: WatchParts, query: WatchQuery = {}): AsyncIterableIterator<object> {
  const ending = new AbortController();
  const { signal } = ending;
  const changes = load(parts, query, AbortSignal.any([signal, query.signal ?? signal]));
  return {
    next: () => changes.next(),
    return() {
      ending.abort();
      return changes.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Many applications watch nothing, so the first watch loads its code. */
async function* load(parts: WatchParts, query: WatchQuery, signal: AbortSignal): AsyncGenerator<object, void> {
  const { readChanges } = await loadPart(import("./read-changes.ts"));
  yield* readChanges({ ...parts, ...FUNCTIONS }, query, signal);
}
