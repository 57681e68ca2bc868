import type { ClientDescription } from "@bifocal/core";
import { isBifocalError } from "./client-error.ts";
import { decodeRow } from "./decode-row.ts";
import { resourceNamed } from "./description.ts";
import { readEvents, type ServerEvent } from "./event-stream.ts";
import { formatId, parseId } from "./id.ts";
import type { Row, Select } from "./lens.ts";
import { requireQuery } from "./rest/query-string.ts";
import { refuseLeftOut } from "./rest/refuse-left-out.ts";
import { selectQuery } from "./rest/select-query.ts";
import { backoff, isTransient, sleep } from "./retry.ts";
import { errorOf, type Transport } from "./transport.ts";

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

interface WatchParts {
  readonly transport: Transport;
  readonly describe: () => Promise<ClientDescription>;
  readonly name: string;
}

const FIRST_DELAY_MS = 500;

/** Watches rows over the event streams of REST, whatever the lens. GraphQL would need one stream per kind of change. */
export function watch(parts: WatchParts, query: WatchQuery = {}): AsyncIterableIterator<object> {
  const ending = new AbortController();
  const { signal } = ending;
  const changes = readChanges(parts, query, AbortSignal.any([signal, query.signal ?? signal]));
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

async function* readChanges(
  { transport, describe, name }: WatchParts,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<object, void> {
  let { after, initial } = query;
  let isOpened = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const description = await describe();
      const resource = resourceNamed(description, name);
      refuseLeftOut(resource, "watch");
      const { id, filter, select } = query;
      const path = id === undefined ? resource.path : `${resource.path}/${formatId(resource, id)}`;
      const search = requireQuery({
        ...selectQuery(description, resource, select),
        filter,
        initial: initial || undefined,
      });
      const toChange = ({ event, data, id: at = "" }: ServerEvent): object | undefined => {
        const value = JSON.parse(data) as Row;
        if (event === "error") throw errorOf({ status: Number(value["status"]), headers: new Headers() }, value);
        if (event === "left") {
          return { id: at, kind: event, key: parseId(resource, value["id"] as string) };
        }
        if (event === "reset") return { id: at, kind: event };
        const isCurrent = event === "current";
        if (!isCurrent && query.on?.includes(event) === false) return undefined;
        const item = decodeRow(description, resource, value, select);
        return isCurrent ? { kind: event, item } : { id: at, kind: event, item };
      };
      const response = await transport.open({
        method: "GET",
        path: path + search,
        headers: { Accept: "text/event-stream", ...(after === undefined ? {} : { "Last-Event-ID": after }) },
        signal,
      });
      // Without the id of an event, the server can't tell what this client missed.
      if (isOpened && after === undefined && initial !== true) yield { kind: "reset", id: "" };
      isOpened = true;
      query.opened?.();
      for await (const event of readEvents(response)) {
        failures = 0;
        if (event.id !== undefined) {
          after = event.id;
          initial = false;
        }
        const change = toChange(event);
        if (change !== undefined) yield change;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (isBifocalError(thrown) ? !isTransient(thrown.code) : !(thrown instanceof TypeError)) throw thrown;
    }
    // An abort ends the loop.
    await sleep(backoff(failures++, FIRST_DELAY_MS), signal).catch(() => {});
  }
}
