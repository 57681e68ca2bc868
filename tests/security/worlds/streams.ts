import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { ADAPTERS } from "../access/doors.ts";
import { toRequest } from "./requests.ts";
import { BELL, type World } from "./world.ts";

type Kind = "created" | "updated" | "deleted";

/** A stream of P's that is open. */
export interface Listening {
  /** What it tells of a bell first. */
  readonly kind: Kind;
  /** Whether it has told of a bell since this was asked last. */
  readonly heard: () => boolean;
  /** Ends it; what it told, but for bells and for the ids of events, which are ciphers of places that count what P does not see. */
  readonly end: () => Promise<readonly string[]>;
}

/** Ways of P to hear of changes. */
export interface Ways {
  readonly listen: () => Promise<readonly Listening[]>;
  readonly close: () => Promise<unknown>;
}

const SUBSCRIPTIONS: readonly (readonly [kind: Kind, query: string])[] = [
  ["updated", "subscription { rowUpdated { id color price box { id color } } }"],
  ["created", "subscription { rowCreated { id color } }"],
  ["deleted", "subscription { rowDeleted { id } }"],
];

/** The keys of bells, as REST has them and as GraphQL has. */
const BELLS = Array.from({ length: 100 }, (_, at) => [
  `"id":${BELL + at}`,
  Buffer.from(`Row:${BELL + at}`).toString("base64url"),
]).flat();
const isBell = (told: string): boolean => BELLS.some((bell) => told.includes(bell));

function withoutIds(told: string): string {
  return told
    .replaceAll(/^retry: \d+$/gm, "retry:")
    .replaceAll(/^id: ?[\w-]{22}$/gm, "id:")
    .replaceAll(/"eventId":"[\w-]{22}"/g, '"eventId":""');
}

/** Keeps what a stream tells. */
function createRecord() {
  const told: string[] = [];
  let seen = 0;
  return {
    tell: (one: string): void => void told.push(one),
    heard: (): boolean => {
      const hasRung = told.slice(seen).some(isBell);
      if (hasRung) seen = told.length;
      return hasRung;
    },
    all: (): readonly string[] => told.filter((one) => !isBell(one)).map(withoutIds),
  };
}

async function listenToEvents({ api }: World, kind: Kind, url: string, body?: unknown): Promise<Listening> {
  const record = createRecord();
  const abort = new AbortController();
  const method = body === undefined ? "GET" : "POST";
  const response = await api.handle(toRequest(method, url, body, "text/event-stream", abort.signal));
  record.tell(`${response?.status} ${JSON.stringify(response?.headers)}`);
  const stream = response?.body ?? null;
  if (stream === null || typeof stream === "string" || stream instanceof Uint8Array) {
    throw new Error(`${url} is no stream: ${String(stream)}`);
  }
  const iterator = stream[Symbol.asyncIterator]();
  const reading = (async () => {
    let text = "";
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const events = (text + String(next.value)).split("\n\n");
      text = events.pop() ?? "";
      // A comment keeps the connection alive, whenever that is due.
      for (const event of events) if (!event.startsWith(":")) record.tell(event);
    }
  })();
  return {
    kind,
    heard: record.heard,
    async end() {
      // As an adapter does, when the client has gone.
      abort.abort();
      await iterator.return?.();
      await reading;
      return record.all();
    },
  };
}

/** By the event streams of REST and of GraphQL. */
export async function bySse(world: World): Promise<Ways> {
  const listen = async (): Promise<readonly Listening[]> =>
    Promise.all([
      listenToEvents(world, "created", "/rows"),
      listenToEvents(world, "created", "/rows?initial=true&fields=id,color"),
      listenToEvents(world, "created", "/rows?filter[color]=1&include=box"),
      ...SUBSCRIPTIONS.map(async ([kind, query]) => listenToEvents(world, kind, "/graphql", { query })),
    ]);
  return { listen, close: async () => {} };
}

const READ = "{ rows(sort: [COLOR_ASC]) { totalCount nodes { id color price items { totalCount } box { id } } } }";
const serve = ADAPTERS["node-http"] as (typeof ADAPTERS)[string];

/** By subscriptions over one socket, behind an answer over the same. */
export async function byWebSocket({ api }: World): Promise<Ways> {
  const { url, close } = await serve(api);
  async function listen(): Promise<readonly Listening[]> {
    const client = createClient({
      url: `${url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: "Bearer p" },
      retryAttempts: 0,
    });
    const read = async (query: string, { tell }: ReturnType<typeof createRecord>): Promise<void> => {
      try {
        for await (const result of client.iterate({ query })) tell(JSON.stringify(result));
      } catch (thrown) {
        tell(JSON.stringify(thrown));
      }
    };
    const first = createRecord();
    await read(READ, first);
    const running = SUBSCRIPTIONS.map(([kind, query]) => {
      const record = createRecord();
      return { kind, record, reading: read(query, record) };
    });
    return running.map(({ kind, record, reading }) => ({
      kind,
      heard: record.heard,
      async end() {
        await client.dispose();
        await reading;
        return [...first.all(), ...record.all()];
      },
    }));
  }
  return { listen, close };
}

/** Of rows that are no bells. */
const BEYOND = 2_000;

/** Milliseconds. */
const PAUSE = 2;
/** Milliseconds until it is rung again: a row is read as it is when it is told, so one that has gone is not. */
const SOUND = 150;
const MOST_RINGS = 50;

/** Rings until every stream has told of it, and with that of all that was before. */
export async function ring({ system, callNext }: World, streams: readonly Listening[]): Promise<void> {
  const deaf = new Set(streams);
  const listen = async (kind: Kind): Promise<void> => {
    const end = performance.now() + SOUND;
    while ([...deaf].some((one) => one.kind === kind) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      for (const stream of deaf) if (stream.heard()) deaf.delete(stream);
    }
  };
  for (let times = 0; deaf.size > 0; times++) {
    if (times === MOST_RINGS) throw new Error("A stream tells nothing.");
    callNext(BELL + times);
    const { id } = await system.row.create({ color: 1, size: 1, boxId: null });
    callNext(BEYOND);
    await listen("created");
    await system.row.update(id, { size: 2 });
    await listen("updated");
    await system.row.remove(id);
    await listen("deleted");
  }
}
