import { asSystem, isBifocalError, type LimitOptions, type Limits } from "@bifocal/core";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import { request } from "@bifocal/test-servers/request";
import type { Asked } from "../../abuse/attacks.ts";
import { type Answered, TRANSPORTS } from "../../abuse/transports.ts";
import type { Library } from "./library.ts";

interface At {
  readonly api: Library;
  readonly url: string;
}

/** One way to exceed a limit, and the expected rejection. */
interface Door {
  readonly ask: (at: At) => Promise<unknown>;
  readonly refusal: unknown;
}

type Doors = Readonly<Record<string, Door>>;

/** The value of a limit, and every door where it applies. */
interface Trip {
  readonly limits: LimitOptions;
  readonly doors: Doors;
}

/** The code of a response, with the limit or issue that it names. */
function describe({ errors }: Answered): string {
  const { code, limit, errors: issues } = errors?.[0]?.extensions ?? {};
  return [code ?? "answered", limit ?? issues?.[0]?.code].filter((part) => part !== undefined).join(" ");
}

async function send(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  const { code, errors } = (await response.json()) as { readonly code?: string; readonly errors?: unknown };
  const issue =
    code === undefined ? undefined : (errors as readonly { readonly code: string }[] | undefined)?.[0]?.code;
  return [String(response.status), issue].filter((part) => part !== undefined).join(" ");
}

const JSON_TYPE = { "content-type": "application/json" };
const rest = (path: string, refusal: string, init: RequestInit = {}): Door => ({
  ask: ({ url }) => send(url + path, init),
  refusal,
});
const withBody = (method: string, path: string, body: unknown, refusal: string, type = "application/json"): Door =>
  rest(path, refusal, { method, headers: { "content-type": type }, body: JSON.stringify(body) });

/** GraphQL by every transport. `others`: different expectations for some of them. */
function graphql(asked: Asked, refusal: string, others: Readonly<Record<string, string>> = {}): Doors {
  const doors = Object.entries(TRANSPORTS).map(([name, transport]): [string, Door] => [
    `GraphQL, ${name}`,
    { ask: async ({ url }) => describe(await transport(url, asked)), refusal: others[name] ?? refusal },
  ]);
  return Object.fromEntries(doors);
}

const local = (work: (api: Library) => Promise<unknown>, refusal: string): Door => ({
  ask: async ({ api }) => {
    try {
      await work(api);
      return "answered";
    } catch (thrown) {
      if (!isBifocalError(thrown)) throw thrown;
      return [thrown.code, thrown.issues[0]?.code].filter((part) => part !== undefined).join(" ");
    }
  },
  refusal,
});

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Opens a socket and returns the result. */
async function openSocket(url: string, init?: object) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const messages: Message[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  await once(socket, "open");
  const say = (message: object): void => socket.send(JSON.stringify(message));
  if (init !== undefined) {
    say({ type: "connection_init", payload: init });
    await Promise.race([once(socket, "message"), closed]);
  }
  return { socket, messages, closed, say };
}

/** The close code of a socket, or that it stays open. */
async function closeCode({ socket, closed }: Awaited<ReturnType<typeof openSocket>>): Promise<number | string> {
  const code = await Promise.race([closed, new Promise<string>((go) => setTimeout(() => go("open"), 300))]);
  socket.terminate();
  return code;
}

/** The status of the response to an upgrade. */
function upgrade(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
  });
}

/** The first events of a stream that isn't read at first. */
async function events(url: string, init: RequestInit): Promise<string> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  let text = response.status === 200 ? "" : `${response.status} `;
  const timer = setTimeout(() => controller.abort(), 300);
  try {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(part).toString();
  } catch {
    // The stream continues after this check.
  }
  clearTimeout(timer);
  return /UNAVAILABLE|RATE_LIMITED/.exec(text)?.[0] ?? "open";
}

/**
 * The text of an event stream that isn't read while rows change. It is read below the adapters, so that no socket
 * buffers it.
 */
async function unread(api: Library, method: string, path: string, query?: string): Promise<string> {
  const controller = new AbortController();
  const body = query === undefined ? undefined : { query };
  const response = await api.handle(request(method, path, { headers: EVENTS, body, signal: controller.signal }));
  const { book } = api.as(asSystem("a test of limits"));
  for (let n = 0; n < 10; n++) await book.update(1, { title: `Title ${n}` });
  // Events arrive after the writes.
  await new Promise((resolve) => setTimeout(resolve, 100));
  if (response === null || typeof response.body !== "object") throw new Error("There is no stream.");
  const stream = (response.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const { value } = await stream.next();
  await stream.return?.();
  return /UNAVAILABLE/.exec(String(value))?.[0] ?? "open";
}

const EVENTS = { accept: "text/event-stream" };
const SUBSCRIBE = { method: "POST", body: JSON.stringify({ query: "subscription { bookUpdated { id } }" }) };

const RESUME = 'subscription { bookUpdated(after: "x") { id } }';

/** Resumes two streams one after the other and returns the result of the second. */
function resumedTwice(open: (url: string) => Promise<string>): Door {
  return {
    ask: async ({ url }) => [(await open(url)) === "RATE_LIMITED", await open(url)],
    refusal: [false, "RATE_LIMITED"],
  };
}

/** Sends several requests at once, each by another caller, and returns the last response. */
function atOnce(count: number, ask: (url: string, id: string) => Promise<string>, refusal: string): Door {
  return {
    ask: async ({ url }) => {
      const asked = await Promise.all(Array.from({ length: count }, async (_, n) => ask(url, `caller-${n}`)));
      return asked.includes(refusal) ? refusal : asked.at(-1);
    },
    refusal,
  };
}

const doc = (query: string, refusal: string): Doors => graphql({ query }, refusal);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const wide = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const listing = (filter: unknown): Asked => ({
  query: "query ($filter: BookFilter) { books(filter: $filter) { nodes { id } } }",
  variables: { filter },
});
const ANY = { query: "{ __typename }" };
const names = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join(" ");
const manyHeaders = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-${n}`, "1"]));

/** A filter in a URL, a QUERY body, a GraphQL document and a local call. */
const filtered = (query: string, filter: object, code: string): Doors => ({
  "REST, URL": rest(`/books?${query}`, `400 ${code}`),
  "REST, QUERY": withBody("QUERY", "/books", { filter }, `400 ${code}`),
  ...graphql(listing(filter), `BAD_REQUEST ${code}`),
  "a local call": local((api) => api.local.book.list({ filter }), `BAD_REQUEST ${code}`),
});

/** Doors with the same rejection for every request. */
const anywhere = (status: number, code: string): Doors => ({
  REST: rest("/books", String(status)),
  ...graphql(ANY, code, { WebSocket: "closed with 1006" }),
});

/** A limit by its path, such as `query.cost`. */
export type LimitPath = { [Group in keyof Limits]: `${Group}.${keyof Limits[Group] & string}` }[keyof Limits];

/** Nothing in a response shows what `graphql.cacheBytes` keeps: memory.test.ts measures it. */
export const TRIPS: Readonly<Record<Exclude<LimitPath, "graphql.cacheBytes">, Trip>> = {
  "http.bodyBytes": {
    limits: { http: { bodyBytes: 100 } },
    doors: {
      REST: withBody("POST", "/authors", { id: 9, name: "x".repeat(100) }, "413"),
      "REST, in pieces": {
        ask: ({ url }) =>
          send(`${url}/authors`, {
            method: "POST",
            headers: JSON_TYPE,
            body: new Blob([JSON.stringify({ id: 9, name: "x".repeat(100) })]).stream(),
            duplex: "half",
          }),
        refusal: "413",
      },
      "GraphQL, POST": withBody("POST", "/graphql", { query: `{ __typename ${" ".repeat(100)} }` }, "413"),
    },
  },
  "http.headers": {
    limits: { http: { headers: 50 } },
    doors: {
      REST: rest("/books", "431", { headers: manyHeaders }),
      GraphQL: rest("/graphql", "431", { ...SUBSCRIBE, headers: { ...manyHeaders, ...JSON_TYPE } }),
      WebSocket: { ask: ({ url }) => upgrade(url, manyHeaders), refusal: 431 },
    },
  },
  "http.queryLength": {
    limits: { http: { queryLength: 30 } },
    doors: {
      REST: rest("/books?fields=id,title,authorId&page[size]=1", "414"),
      "GraphQL, GET": rest("/graphql?query={__typename}&operationName=&variables=", "414"),
    },
  },
  "http.jsonDepth": {
    limits: { http: { jsonDepth: 3 } },
    doors: {
      "REST, POST": withBody("POST", "/authors", { id: 9, name: deep(4) }, "400"),
      "REST, QUERY": withBody("QUERY", "/authors", { filter: { name: { in: [[["x"]]] } } }, "400"),
      ...graphql({ ...ANY, variables: { x: deep(4) } }, "BAD_REQUEST", { GET: "BAD_REQUEST too_deep" }),
    },
  },
  "http.jsonKeys": {
    limits: { http: { jsonKeys: 20 } },
    doors: {
      "REST, POST": withBody("POST", "/authors", wide(21), "400"),
      "REST, QUERY": withBody("QUERY", "/authors", { filter: wide(21) }, "400"),
      ...graphql({ ...ANY, variables: { x: wide(21) } }, "BAD_REQUEST", { GET: "BAD_REQUEST too_many" }),
    },
  },
  "query.filterDepth": {
    limits: { query: { filterDepth: 2 } },
    doors: filtered("filter[not][not][not][title]=x", { not: { not: { not: { title: { eq: "x" } } } } }, "too_deep"),
  },
  "query.filterHops": {
    limits: { query: { filterHops: 1 } },
    doors: filtered(
      "filter[author][books][some][title]=x",
      { author: { books: { some: { title: { eq: "x" } } } } },
      "too_deep",
    ),
  },
  "query.filterSize": {
    limits: { query: { filterSize: 2 } },
    doors: filtered(
      "filter[title][ne]=x&filter[title][gt]=a&filter[title][lt]=z",
      { title: { ne: "x", gt: "a", lt: "z" } },
      "too_many",
    ),
  },
  "query.filterScans": {
    limits: { query: { filterScans: 1 } },
    doors: filtered(
      "filter[title][contains]=x&filter[not][title]=a",
      { title: { contains: "x" }, not: { title: { eq: "a" } } },
      "too_many_scans",
    ),
  },
  "query.listOperand": {
    limits: { query: { listOperand: 2 } },
    doors: filtered("filter[id][in]=1&filter[id][in]=2&filter[id][in]=3", { id: { in: [1, 2, 3] } }, "too_many"),
  },
  "query.selectionDepth": {
    limits: { query: { selectionDepth: 1 } },
    doors: {
      REST: rest("/books?include=author.books", "400 too_deep"),
      ...doc("{ books { nodes { author { books { nodes { id } } } } } }", "BAD_REQUEST too_deep"),
      "a local call": local(
        (api) => api.local.book.list({ select: { author: { select: { books: true } } } }),
        "BAD_REQUEST too_deep",
      ),
    },
  },
  "query.offset": {
    limits: { query: { offset: 10 } },
    doors: {
      REST: rest("/books?page[offset]=11", "400 out_of_range"),
      "REST, QUERY": withBody("QUERY", "/books", { page: { offset: 11 } }, "400 out_of_range"),
      ...doc("{ books(offset: 11) { nodes { id } } }", "BAD_REQUEST out_of_range"),
      "a local call": local((api) => api.local.book.list({ page: { offset: 11 } }), "BAD_REQUEST out_of_range"),
    },
  },
  "query.count": {
    limits: { query: { count: 1 } },
    doors: {
      REST: {
        ask: async ({ url }) => (await fetch(`${url}/books?count=true&page[size]=1`)).headers.get("total-count"),
        refusal: "1;exact=?0",
      },
      GraphQL: {
        ask: async ({ url }) => (await TRANSPORTS["POST"]?.(url, { query: "{ books { totalCount } }" }))?.data,
        refusal: { books: { totalCount: 1 } },
      },
      "GraphQL, along a relation": {
        ask: async ({ url }) =>
          (await TRANSPORTS["POST"]?.(url, { query: "{ author(id: 1) { books { totalCount } } }" }))?.data,
        refusal: { author: { books: { totalCount: 1 } } },
      },
      "a local call": { ask: async ({ api }) => (await api.local.book.list({ count: true })).total, refusal: 1 },
    },
  },
  "query.groups": {
    limits: { query: { groups: 2 } },
    doors: {
      REST: rest("/books?group=title", "400 too_many_groups"),
      "REST, QUERY": withBody("QUERY", "/books", { group: ["title"] }, "400 too_many_groups"),
      ...doc("{ booksAggregate(groupBy: [TITLE]) { nodes { count } } }", "BAD_REQUEST too_many_groups"),
      "a local call": local((api) => api.local.book.aggregate({ group: ["title"] }), "BAD_REQUEST too_many_groups"),
    },
  },
  "query.cost": {
    limits: { query: { cost: 50 } },
    doors: {
      REST: rest("/books?page[size]=51", "400 too_costly"),
      ...doc("{ books(first: 51) { nodes { id } } }", "BAD_REQUEST too_costly"),
      "GraphQL, together": {
        ask: async ({ url }) =>
          describe(
            (await TRANSPORTS["POST"]?.(url, {
              query: "{ books(first: 30) { nodes { id } } authors(first: 30) { nodes { id } } }",
            })) ?? {},
          ),
        refusal: "BAD_REQUEST too_costly",
      },
      "a local call": local((api) => api.local.book.list({ page: { size: 51 } }), "BAD_REQUEST too_costly"),
    },
  },
  "query.cascade": {
    limits: { query: { cascade: 1 } },
    doors: {
      REST: withBody("DELETE", "/authors/1", undefined, "409"),
      ...doc("mutation { deleteAuthor(id: 1) { id } }", "CONFLICT"),
      "a local call": local((api) => api.local.author.delete(1), "CONFLICT"),
    },
  },
  "graphql.bodyBytes": {
    limits: { graphql: { bodyBytes: 100 } },
    doors: {
      "GraphQL, POST": withBody("POST", "/graphql", { query: `{ __typename ${" ".repeat(100)} }` }, "413"),
      "GraphQL, event stream": {
        ask: async ({ url }) => {
          const body = JSON.stringify({ query: `{ __typename ${" ".repeat(100)} }` });
          const headers = { ...JSON_TYPE, ...EVENTS };
          return (await fetch(`${url}/graphql`, { method: "POST", headers, body })).status;
        },
        refusal: 413,
      },
    },
  },
  "graphql.documentLength": {
    limits: { graphql: { documentLength: 20 } },
    doors: doc("{ books { nodes { id } } }", "BAD_REQUEST too_long"),
  },
  "graphql.tokens": { limits: { graphql: { tokens: 5 } }, doors: doc("{ books { nodes { id } } }", "BAD_REQUEST") },
  "graphql.depth": {
    limits: { graphql: { depth: 2 } },
    doors: doc("{ books { nodes { id } } }", "BAD_REQUEST graphql.depth"),
  },
  "graphql.fields": {
    limits: { graphql: { fields: 3 } },
    doors: doc("{ books { nodes { id title } } }", "BAD_REQUEST graphql.fields"),
  },
  "graphql.rootFields": {
    limits: { graphql: { rootFields: 2 } },
    doors: doc("{ a: __typename b: __typename c: __typename }", "BAD_REQUEST graphql.rootFields"),
  },
  "graphql.aliases": {
    limits: { graphql: { aliases: 2 } },
    doors: doc("{ a: __typename b: __typename c: __typename }", "BAD_REQUEST graphql.aliases"),
  },
  "graphql.directives": {
    limits: { graphql: { directives: 1 } },
    doors: doc("{ __typename @include(if: true) @skip(if: false) }", "BAD_REQUEST graphql.directives"),
  },
  "graphql.incrementalParts": {
    limits: { graphql: { incrementalParts: 1 } },
    doors: doc(
      '{ books { nodes { id ... @defer(label: "a") { title } ... @defer(label: "b") { authorId } } } }',
      "BAD_REQUEST graphql.incrementalParts",
    ),
  },
  "graphql.fieldPairs": {
    limits: { graphql: { fieldPairs: 5 } },
    doors: doc(`{ book(id: 1) { ${"title ".repeat(10)} } }`, "BAD_REQUEST graphql.fieldPairs"),
  },
  "graphql.documentErrors": {
    limits: { graphql: { documentErrors: 2 } },
    doors: errorsOf({ query: `{ book(id: 1) { ${names(9, (n) => `no${n}`)} } }` }, 3),
  },
  "graphql.resultErrors": {
    limits: { graphql: { resultErrors: 2 } },
    doors: errorsOf({ query: `{ ${names(9, (n) => `a${n}: books(first: 101) { nodes { id } }`)} }` }, 2),
  },
  "graphql.variableValues": {
    limits: { graphql: { variableValues: 20 } },
    doors: graphql({ ...ANY, variables: { x: Array.from({ length: 21 }, () => 0) } }, "BAD_REQUEST too_many"),
  },
  "graphql.batchSize": {
    limits: { graphql: { batchSize: 2 } },
    doors: {
      batch: {
        ask: async ({ url }) => {
          const body = JSON.stringify([ANY, ANY, ANY]);
          return (await fetch(`${url}/graphql`, { method: "POST", headers: JSON_TYPE, body })).status;
        },
        refusal: 400,
      },
    },
  },
  "graphql.persistedLength": {
    limits: { graphql: { persistedLength: 300 } },
    doors: {
      POST: {
        ask: async ({ url }) => {
          const learn = async (query: string, send: boolean): Promise<string> => {
            const sha256Hash = createHash("sha256").update(query).digest("hex");
            const extensions = { persistedQuery: { version: 1, sha256Hash } };
            const body = JSON.stringify({ extensions, ...(send ? { query } : {}) });
            const response = await fetch(`${url}/graphql`, { method: "POST", headers: JSON_TYPE, body });
            return describe((await response.json()) as Answered);
          };
          await learn("{ first: __typename }", true);
          await learn("{ second: __typename }", true);
          return [await learn("{ first: __typename }", false), await learn("{ second: __typename }", false)];
        },
        refusal: ["PERSISTED_QUERY_NOT_FOUND", "answered"],
      },
    },
  },
  "http.patchOperations": {
    limits: { http: { patchOperations: 1 } },
    doors: {
      REST: withBody(
        "PATCH",
        "/authors/1",
        [1, 2].map((n) => ({ op: "replace", path: "/name", value: `${n}` })),
        "400 too_many",
        "application/json-patch+json",
      ),
    },
  },
  "query.timeout": {
    limits: { query: { timeout: 1 } },
    doors: {
      "REST (E20)": rest("/books", "504"),
      ...doc("{ books { nodes { id } } }", "TIMEOUT"),
      "a local call": local((api) => api.local.book.list(), "TIMEOUT"),
    },
  },
  "subscriptions.messageBytes": {
    limits: { subscriptions: { messageBytes: 100 } },
    doors: {
      WebSocket: {
        ask: async ({ url }) => {
          const open = await openSocket(url, {});
          open.say({ type: "ping", payload: { text: "x".repeat(100) } });
          return closeCode(open);
        },
        refusal: 1009,
      },
    },
  },
  "subscriptions.sockets": { limits: { subscriptions: { sockets: 1 } }, doors: second(503) },
  "subscriptions.openingSockets": { limits: { subscriptions: { openingSockets: 1 } }, doors: second(429) },
  "subscriptions.callerConnections": {
    limits: { subscriptions: { callerConnections: 1 } },
    doors: {
      WebSocket: {
        ask: async ({ url }) => {
          const first = await openSocket(url, { user: "ann" });
          const codes = [await closeCode(await openSocket(url, { user: "ann" }))];
          codes.push(await closeCode(await openSocket(url, { user: "bob" })));
          first.socket.terminate();
          await first.closed;
          await new Promise((go) => setTimeout(go, 100));
          return [...codes, await closeCode(await openSocket(url, { user: "ann" }))];
        },
        refusal: [1013, "open", "open"],
      },
      "event stream of REST": whileOpen((url) => events(`${url}/books`, { headers: { ...EVENTS, "x-user": "ann" } })),
      "event stream of GraphQL": whileOpen((url) =>
        events(`${url}/graphql`, { ...SUBSCRIBE, headers: { ...EVENTS, ...JSON_TYPE, "x-user": "ann" } }),
      ),
    },
  },
  "http.addressLookups": {
    limits: { http: { addressLookups: 1 } },
    doors: {
      // One lookup runs, and four wait.
      REST: atOnce(6, (url, id) => send(`${url}/books`, { headers: { "x-looked-up": id } }), "429"),
      GraphQL: atOnce(
        6,
        (url, id) => send(`${url}/graphql?query={__typename}`, { headers: { "x-looked-up": id } }),
        "429",
      ),
      WebSocket: atOnce(6, async (url, id) => String(await closeCode(await openSocket(url, { lookedUp: id }))), "1013"),
    },
  },
  "subscriptions.anonymousConnections": {
    limits: { subscriptions: { anonymousConnections: 1 } },
    doors: {
      WebSocket: {
        ask: async ({ url }) => {
          const first = await openSocket(url, {});
          const codes = [await closeCode(await openSocket(url, {}))];
          codes.push(await closeCode(await openSocket(url, { user: "bob" })));
          first.socket.terminate();
          await first.closed;
          await new Promise((go) => setTimeout(go, 100));
          return [...codes, await closeCode(await openSocket(url, {}))];
        },
        refusal: [1013, "open", "open"],
      },
      "event stream of REST": whileOpen((url) => events(`${url}/books`, { headers: EVENTS })),
      "event stream of GraphQL": whileOpen((url) =>
        events(`${url}/graphql`, { ...SUBSCRIBE, headers: { ...EVENTS, ...JSON_TYPE } }),
      ),
      "event stream of GraphQL for many operations": whileOpen(async (url) => {
        const token = await (await fetch(`${url}/graphql`, { method: "PUT" })).text();
        return events(`${url}/graphql?token=${token}`, { headers: EVENTS });
      }),
    },
  },
  "subscriptions.reservedStreams": {
    limits: { subscriptions: { reservedStreams: 1 } },
    doors: {
      "event stream of GraphQL for many operations": {
        ask: async ({ url }) => {
          const reserve = async (headers: Record<string, string>): Promise<string> =>
            (await fetch(`${url}/graphql`, { method: "PUT", headers })).text();
          const owned = { "x-user": "ann" };
          const tokens = [await reserve(owned), await reserve({}), await reserve(owned)] as const;
          const open = async (token: string, headers: Record<string, string>): Promise<number> => {
            const response = await fetch(`${url}/graphql?token=${token}`, { headers: { ...EVENTS, ...headers } });
            await response.body?.cancel();
            return response.status;
          };
          return [await open(tokens[0], owned), await open(tokens[1], {}), await open(tokens[2], owned)];
        },
        refusal: [404, 200, 200],
      },
    },
  },
  "subscriptions.resumptions": {
    limits: { subscriptions: { resumptions: 1 } },
    doors: {
      "event stream of REST": resumedTwice((url) =>
        events(`${url}/books`, { headers: { ...EVENTS, "last-event-id": "x", "x-user": "ann" } }),
      ),
      "event stream of REST, by an address (F14)": resumedTwice((url) =>
        events(`${url}/books`, { headers: { ...EVENTS, "last-event-id": "x" } }),
      ),
      "event stream of GraphQL": resumedTwice((url) =>
        events(`${url}/graphql`, {
          method: "POST",
          headers: { ...EVENTS, ...JSON_TYPE, "x-user": "ann" },
          body: JSON.stringify({ query: RESUME }),
        }),
      ),
      WebSocket: {
        ask: async ({ url }) => {
          const { say, messages, socket } = await openSocket(url, { user: "ann" });
          for (const id of ["a", "b"]) say({ id, type: "subscribe", payload: { query: RESUME } });
          await new Promise((go) => setTimeout(go, 200));
          socket.terminate();
          return messages.flatMap(({ type, id, payload }) =>
            type === "error" ? [id, payload?.[0]?.extensions.code] : [],
          );
        },
        refusal: ["b", "RATE_LIMITED"],
      },
    },
  },
  "subscriptions.messagesPerSecond": {
    limits: { subscriptions: { messagesPerSecond: 1 } },
    doors: {
      WebSocket: {
        ask: async ({ url }) => {
          const open = await openSocket(url, {});
          for (let n = 0; n < 20; n++) open.say({ type: "ping" });
          return closeCode(open);
        },
        refusal: 1008,
      },
    },
  },
  "subscriptions.socketOperations": {
    limits: { subscriptions: { socketOperations: 1 } },
    doors: {
      WebSocket: {
        ask: async ({ url }) => {
          const { say, messages, socket } = await openSocket(url, {});
          for (const id of ["a", "b"]) say({ id, type: "subscribe", payload: JSON.parse(SUBSCRIBE.body) as object });
          await new Promise((go) => setTimeout(go, 200));
          socket.terminate();
          const last = messages.at(-1);
          return last?.type === "error" ? [last.id, last.payload?.[0]?.extensions.code] : last?.type;
        },
        refusal: ["b", "RATE_LIMITED"],
      },
      "one event stream for many": {
        ask: async ({ url }) => {
          const token = await (await fetch(`${url}/graphql`, { method: "PUT" })).text();
          const headers = { ...JSON_TYPE, "x-graphql-event-stream-token": token };
          const statuses: number[] = [];
          for (const operationId of ["a", "b"]) {
            const body = JSON.stringify({ ...(JSON.parse(SUBSCRIBE.body) as object), extensions: { operationId } });
            statuses.push((await fetch(`${url}/graphql`, { method: "POST", headers, body })).status);
          }
          return statuses;
        },
        refusal: [202, 429],
      },
    },
  },
  "subscriptions.queuedBytes": {
    limits: { subscriptions: { queuedBytes: 60 } },
    doors: {
      "event stream of REST": {
        ask: ({ api }) => unread(api, "GET", "/books"),
        refusal: "UNAVAILABLE",
      },
      "event stream of GraphQL": {
        ask: ({ api }) => unread(api, "POST", "/graphql", "subscription { bookUpdated { id title authorId } }"),
        refusal: "UNAVAILABLE",
      },
    },
  },
  // overload.test.ts has a test with real load.
  "http.inFlight": { limits: { http: { inFlight: 0 } }, doors: shed() },
  "http.storeQueue": { limits: { http: { storeQueue: -1 } }, doors: shed() },
  "http.storeWait": { limits: { http: { storeWait: -1 } }, doors: shed() },
  "http.eventLoopDelay": { limits: { http: { eventLoopDelay: -1 } }, doors: shed() },
};

function shed(): Doors {
  const { WebSocket: _, ...http } = Object.fromEntries(
    Object.entries(anywhere(503, "UNAVAILABLE")).map(([name, door]) => [name.replace("GraphQL, ", ""), door]),
  );
  return { ...http, WebSocket: { ask: ({ url }) => upgrade(url), refusal: 503 } };
}

/** The number of errors. */
function errorsOf(asked: Asked, count: number): Doors {
  const doors = Object.entries(TRANSPORTS).map(([name, transport]): [string, Door] => [
    `GraphQL, ${name}`,
    { ask: async ({ url }) => (await transport(url, asked)).errors?.length, refusal: count },
  ]);
  return Object.fromEntries(doors);
}

/** Opens a second socket while the first is not initialized. */
function second(status: number): Doors {
  return {
    WebSocket: {
      ask: async ({ url }) => {
        const { socket, closed } = await openSocket(url);
        const statuses = [await upgrade(url)];
        socket.terminate();
        await closed;
        await new Promise((go) => setTimeout(go, 100));
        return [...statuses, await upgrade(url)];
      },
      refusal: [status, 101],
    },
  };
}

/** Opens the same stream again while the first is open, and after it has closed. */
function whileOpen(open: (url: string) => Promise<string>): Door {
  return {
    ask: async ({ url }) => {
      const both = await Promise.all([open(url), open(url)]);
      await new Promise((go) => setTimeout(go, 100));
      return [...both.toSorted(), await open(url)];
    },
    refusal: ["RATE_LIMITED", "open", "open"],
  };
}
