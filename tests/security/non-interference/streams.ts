import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { ADAPTERS } from "../access/doors.ts";
import type { Caller } from "./callers.ts";
import { createRecord, type StreamRecord } from "./record.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import { toRequest } from "./send.ts";
import type { World } from "./world.ts";

export type ChangeKind = "created" | "updated" | "deleted";

/** An open stream. */
export interface Stream {
  /** The bell event that this stream sends. */
  readonly kind: ChangeKind;
  readonly record: StreamRecord;
  /** Whether it was rejected. Then it sends nothing more. */
  readonly isRefused: boolean;
  readonly close: () => Promise<void>;
}

/** The ways in which a caller can subscribe to changes. */
export interface Ways {
  /** Opens all streams, each after an event of its own if one is given. */
  readonly open: (after?: readonly (string | undefined)[]) => Promise<readonly Stream[]>;
  readonly close: () => Promise<unknown>;
}

/** The subscriptions of a caller. */
const subscriptions = ({ hasLinks }: SchemaPlan): readonly (readonly [ChangeKind, fields: string])[] => [
  ["updated", `id color price box { id color }${hasLinks ? " tags { totalCount nodes { id color } }" : ""}`],
  ["created", "id color"],
  ["deleted", "id"],
];

function subscriptionText(kind: ChangeKind, fields: string, after: string | undefined): string {
  const resume = after === undefined ? "" : `(after: "${after}")`;
  return `subscription { row${kind[0]?.toUpperCase() ?? ""}${kind.slice(1)}${resume} { ${fields} } }`;
}

interface Events {
  readonly kind: ChangeKind;
  readonly url: string;
  readonly body?: unknown;
  readonly after?: string | undefined;
}

async function readEvents({ api }: World, caller: Caller, { kind, url, body, after }: Events): Promise<Stream> {
  const record = createRecord();
  const abort = new AbortController();
  const resume = after === undefined ? {} : { "last-event-id": after };
  const headers = { accept: "text/event-stream", ...(body === undefined ? resume : {}) };
  const method = body === undefined ? "GET" : "POST";
  const response = await api.handle(toRequest({ method, url, caller, body, headers }, abort.signal));
  record.add(`${response?.status} ${JSON.stringify(response?.headers)}`);
  const stream = response?.body ?? null;
  if (stream === null || typeof stream === "string" || stream instanceof Uint8Array) {
    if (response?.status !== 401 && response?.status !== 403)
      throw new Error(`${url} is not a stream: ${String(stream)}`);
    record.add(String(stream));
    return { kind, record, isRefused: true, close: async () => {} };
  }
  const iterator = stream[Symbol.asyncIterator]();
  const reading = (async () => {
    let text = "";
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const events = (text + String(next.value)).split("\n\n");
      text = events.pop() ?? "";
      // Keep-alive comments can come at any time.
      for (const event of events) if (!event.startsWith(":")) record.add(event);
    }
  })();
  return {
    kind,
    record,
    isRefused: false,
    async close() {
      // Ends it like an adapter does when the client disconnects.
      abort.abort();
      await iterator.return?.();
      await reading;
    },
  };
}

/** The event streams of REST and of GraphQL. */
export async function overEvents(world: World, caller: Caller, plan: SchemaPlan): Promise<Ways> {
  const lists = ["/rows", "/rows?initial=true&fields=id,color", "/rows?filter[color]=1&include=box,notes"];
  const open: Ways["open"] = async (after = []) =>
    Promise.all([
      ...lists.map(async (url, at) => readEvents(world, caller, { kind: "created", url, after: after[at] })),
      ...subscriptions(plan).map(async ([kind, fields], at) => {
        const query = subscriptionText(kind, fields, after[lists.length + at]);
        return readEvents(world, caller, { kind, url: "/graphql", body: { query } });
      }),
    ]);
  return { open, close: async () => {} };
}

const READ = "{ rows(sort: [COLOR_ASC]) { totalCount nodes { id color price items { totalCount } box { id } } } }";
const serve = ADAPTERS["node-http"] as (typeof ADAPTERS)[string];

/** Subscriptions over one WebSocket, after a query and a mutation over the same one. */
export async function overWebSocket({ api }: World, caller: Caller, plan: SchemaPlan): Promise<Ways> {
  const { url, close } = await serve(api);
  const open: Ways["open"] = async (after = []) => {
    const client = createClient({
      url: `${url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` },
      retryAttempts: 0,
    });
    const read = async (query: string, record: StreamRecord): Promise<void> => {
      try {
        for await (const result of client.iterate({ query })) record.add(JSON.stringify(result));
      } catch (thrown) {
        record.add(JSON.stringify(thrown));
      }
    };
    const first = createRecord();
    await read(READ, first);
    await read("mutation { echoRows(input: { size: 1 }) { size who } }", first);
    return subscriptions(plan).map(([kind, fields], at) => {
      const record = createRecord();
      for (const text of at === 0 ? first.all() : []) record.add(text);
      const reading = read(subscriptionText(kind, fields, after[at]), record);
      return {
        kind,
        record,
        isRefused: false,
        async close() {
          await client.dispose();
          await reading;
        },
      };
    });
  };
  return { open, close };
}
