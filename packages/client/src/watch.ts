import type { ClientDescription } from "@bifocal/core";
import type { Lens, Row, Select } from "./lens.ts";
import { FUNCTIONS } from "./shared-functions.ts";
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

export interface WatchParts {
  readonly lens: Lens;
  readonly transport: Transport;
  readonly describe: () => Promise<ClientDescription>;
  readonly name: string;
}

/** Watches rows over the event streams of REST, whatever the lens. GraphQL would need one stream per kind of change. */
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
