import { readEvents, type ServerEvent } from "./event-stream.ts";
import type { Row } from "./lens.ts";
import type { SharedFunctions } from "./shared-functions.ts";
import type { WatchParts, WatchQuery } from "./watch.ts";

const FIRST_DELAY_MS = 500;

/** Yields the changes of an event stream, and reconnects after it was lost. */
export async function* readChanges(
  parts: WatchParts & SharedFunctions,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<object, void> {
  let { after, initial = false } = query;
  let isOpened = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const { response, toChange } = await connect(parts, { ...query, after, initial, signal });
      // Without the id of an event, the server can't tell what this client missed.
      if (isOpened && after === undefined && !initial) yield { kind: "reset", id: "" };
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
      if (parts.isBifocalError(thrown) ? !parts.isTransient(thrown.code) : !(thrown instanceof TypeError)) throw thrown;
    }
    // An abort ends the loop.
    await parts.sleep(parts.backoff(failures++, FIRST_DELAY_MS), signal).catch(() => {});
  }
}

interface Connection {
  readonly response: Response;
  /** Returns undefined for a change that isn't watched. */
  readonly toChange: (event: ServerEvent) => object | undefined;
}

async function connect(
  { lens, transport, describe, name, BifocalError, ...of }: WatchParts & SharedFunctions,
  query: Omit<WatchQuery, "after"> & { readonly after: string | undefined; readonly signal: AbortSignal },
): Promise<Connection> {
  const { id: key, after, select, on, signal } = query;
  const description = await describe();
  const resource = of.resourceNamed(description, name);
  if (!resource.rest.includes("watch")) {
    throw new BifocalError("METHOD_NOT_ALLOWED", `REST doesn't offer 'watch' for '${name}'.`);
  }
  const search = await lens.watchSearch(description, resource, query);
  if (search === undefined) {
    throw new BifocalError("BAD_REQUEST", "A URL can't express null, or an empty list or object.");
  }
  const groups = await of.loadGroups(query);
  const path = key === undefined ? resource.path : `${resource.path}/${of.formatId(resource, key)}`;
  const response = await transport.open({
    method: "GET",
    path: search ? `${path}?${search}` : path,
    headers: { Accept: "text/event-stream", ...(after === undefined ? {} : { "Last-Event-ID": after }) },
    signal,
  });
  return {
    response,
    toChange({ event, data, id = "" }) {
      const value = JSON.parse(data) as Row;
      if (event === "error") throw of.errorOf({ status: Number(value["status"]), headers: new Headers() }, value);
      if (event === "left") return { id, kind: event, key: of.parseId(resource, value["id"] as string) };
      if (event === "reset") return { id, kind: event };
      if (event !== "current" && on?.includes(event) === false) return undefined;
      const item = of.decodeRow(description, resource, value, select, groups);
      return event === "current" ? { kind: event, item } : { id, kind: event, item };
    },
  };
}
