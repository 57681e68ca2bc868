import { readEvents, type ServerEvent } from "./event-stream.ts";
import type { Row } from "./lens.ts";
import type { OpenChanges, ReceivedChange } from "./watch.ts";

/** Opens an event stream of REST. */
export const openEventStream: OpenChanges = async (
  { lens, transport, describe, name, BifocalError, ...of },
  { id: key, on, ...query },
) => {
  const { after, select, signal } = query;
  const description = await describe();
  const resource = of.resourceNamed(description, name);
  if (!resource.rest.includes("watch")) {
    throw new BifocalError("METHOD_NOT_ALLOWED", `REST doesn't offer 'watch' for '${name}'.`);
  }
  const { watchSearch } = await lens.watchPart();
  const search = watchSearch(description, resource, query);
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
  return map(readEvents(response), ({ event, data, id = "" }) => {
    const value = JSON.parse(data) as Row;
    if (event === "error") throw of.errorOf({ status: Number(value["status"]), headers: new Headers() }, value);
    if (event === "left") return { id, kind: event, key: of.parseId(resource, value["id"] as string) };
    if (event === "reset") return { id, kind: event };
    if (event !== "current" && on?.includes(event) === false) return undefined;
    const item = of.decodeRow(description, resource, value, select, groups);
    return event === "current" ? { kind: event, item } : { id, kind: event, item };
  });
};

/** Yields the change of each event. `toChange` returns undefined for a change that isn't watched. */
async function* map(
  events: AsyncIterable<ServerEvent>,
  toChange: (event: ServerEvent) => object | undefined,
): AsyncGenerator<ReceivedChange, void> {
  for await (const event of events) {
    const change = toChange(event);
    yield change === undefined ? { id: event.id } : { id: event.id, change };
  }
}
