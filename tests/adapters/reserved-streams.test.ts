import {
  allow,
  apiKeys,
  type Authenticator,
  defineApi,
  defineResource,
  memoryStore,
  type Principal,
  principalFrom,
  signedIn,
} from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { type Running, SERVERS } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow, fields: { text: { read: signedIn } } },
});

const PEOPLE: Readonly<Record<string, Principal>> = {
  "ann-1": { id: "ann" },
  "ann-2": { id: "ann" },
  "ann-read": { id: "ann", scopes: ["read"] },
  eve: { id: "eve" },
};
const personIn = (header: unknown): Principal | null =>
  PEOPLE[/(?:sid=|Bearer )([\w-]+)/.exec(String(header))?.[1] ?? ""] ?? null;
const session = (scheme: object): Authenticator => ({
  headers: ["Cookie"],
  challenge: "Cookie",
  schemes: { session: { type: "apiKey", in: "cookie", ...scheme } },
  authenticate: ({ headers }) => personIn(headers["cookie"]),
});
const bearer: Authenticator = {
  challenge: "Bearer",
  schemes: { bearer: { type: "http", scheme: "bearer" } },
  authenticate: ({ headers }) => personIn(headers["authorization"]),
};
const keyOf = (name: string): string => name.padEnd(28, "x");
const byKey = apiKeys(Object.fromEntries(Object.entries(PEOPLE).map(([name, who]) => [keyOf(name), who])));

type Headers = Readonly<Record<string, string>>;
/** A way to sign in: the headers of the owner in two requests, and those of other callers. */
interface SignIn {
  readonly auth: Authenticator | undefined;
  readonly owner: readonly [Headers, Headers];
  readonly others: Readonly<Record<string, Headers>>;
}

const SIGN_INS: Readonly<Record<string, SignIn>> = {
  "a cookie": {
    auth: session({ name: "sid" }),
    // Unrelated cookies change between requests.
    owner: [{ cookie: "sid=ann-1; seen=1" }, { cookie: "seen=2; sid=ann-1" }],
    others: {
      "another person": { cookie: "sid=eve" },
      "another session of the same person": { cookie: "sid=ann-2" },
      "fewer rights": { cookie: "sid=ann-read" },
      nobody: {},
    },
  },
  "a cookie that no scheme names": {
    auth: principalFrom((request) => personIn((request as { readonly headers: Headers }).headers["cookie"])),
    owner: [{ cookie: "sid=ann-1" }, { cookie: "sid=ann-1; seen=2" }],
    others: {
      "another person": { cookie: "sid=eve" },
      "fewer rights": { cookie: "sid=ann-read" },
      nobody: {},
    },
  },
  "a bearer token": {
    auth: bearer,
    owner: [{ authorization: "Bearer ann-1" }, { authorization: "Bearer ann-1", "x-other": "1" }],
    others: {
      "another person": { authorization: "Bearer eve" },
      "another token of the same person": { authorization: "Bearer ann-2" },
      nobody: {},
    },
  },
  "an API key": {
    auth: byKey,
    owner: [{ "x-api-key": keyOf("ann-1") }, { "x-api-key": keyOf("ann-1") }],
    others: {
      "another person": { "x-api-key": keyOf("eve") },
      "another key of the same person": { "x-api-key": keyOf("ann-2") },
      nobody: {},
    },
  },
  "nothing, by address": {
    auth: byKey,
    owner: [{ "x-forwarded-for": "10.0.0.1" }, { "x-forwarded-for": "10.0.0.1" }],
    others: {
      "another address": { "x-forwarded-for": "10.0.0.2" },
      "a person at the same address": { "x-forwarded-for": "10.0.0.1", "x-api-key": keyOf("eve") },
    },
  },
};

const TOKEN = "x-graphql-event-stream-token";
const STREAM = { accept: "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };
const QUERY = "{ notes { nodes { text } } }";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let running: Running | undefined;
const controllers: AbortController[] = [];
afterEach(async () => {
  for (const controller of controllers.splice(0)) controller.abort();
  await running?.close();
  running = undefined;
});

async function start(server: (typeof SERVERS)[string], auth: Authenticator | undefined, limits = {}) {
  const store = memoryStore({ data: { note: [{ id: 1, text: "private" }] } });
  const api = defineApi({
    resources: [note],
    store,
    ...(auth && { auth }),
    trustedProxies: ["127.0.0.1"],
    limits,
    rateLimit: rateLimit({ anonymousPoints: 30 }),
  });
  running = await server(api);
  const at = `http://127.0.0.1:${running.port}/api/graphql`;
  const send = (headers: Headers, init: RequestInit & { search?: string } = {}): Promise<Response> => {
    const controller = new AbortController();
    controllers.push(controller);
    const { search = "", ...rest } = init;
    return fetch(at + search, {
      ...rest,
      headers: { ...headers, ...(rest.headers as Headers) },
      signal: controller.signal,
    });
  };
  return {
    send,
    reserve: async (headers: Headers): Promise<string> => (await send(headers, { method: "PUT" })).text(),
    open: (headers: Headers, token: string) => send(headers, { headers: { ...STREAM, [TOKEN]: token } }),
    execute: (headers: Headers, token: string, operationId = "a", query = QUERY) =>
      send(headers, {
        method: "POST",
        headers: { ...JSON_TYPE, [TOKEN]: token },
        body: JSON.stringify({ query, extensions: { operationId } }),
      }),
    stop: (headers: Headers, token: string) =>
      send(headers, { method: "DELETE", search: "?operationId=a", headers: { [TOKEN]: token } }),
  };
}

/** Reads a stream until it contains a text, and leaves it open. */
async function readUntil(response: Response, text: string): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let read = "";
  while (!read.includes(text)) read += Buffer.from((await reader.read()).value ?? []).toString();
  return read;
}

const seen = async (response: Response): Promise<unknown> => [response.status, await response.text()];

describe.each(Object.entries(SERVERS))("on %s", (_, server) => {
  describe.each(Object.entries(SIGN_INS))("signed in by %s", (_name, { auth, owner: [first, second], others }) => {
    test("lets the owner open its stream, send operations to it and stop them", async () => {
      const { reserve, open, execute, stop } = await start(server, auth);
      const token = await reserve(first);
      const stream = await open(second, token);
      expect(stream.status).toBe(200);
      expect((await execute(second, token)).status).toBe(202);
      expect(await readUntil(stream, "event: complete")).toContain('"id":"a"');
      expect((await stop(second, token)).status).toBe(200);
    });

    test.each(Object.entries(others))("gives %s the response to an unknown token", async (_who, headers) => {
      const { reserve, open, execute, stop } = await start(server, auth);
      const token = await reserve(first);
      for (const ask of [execute, stop, open]) {
        expect(await seen(await ask(headers, token))).toEqual(await seen(await ask(headers, UNKNOWN)));
        expect((await ask(headers, token)).status).toBe(404);
      }
      const broken = [await execute(headers, token, "a", "{"), await execute(headers, UNKNOWN, "a", "{")];
      expect(await seen(broken[0] as Response)).toEqual(await seen(broken[1] as Response));
      const stream = await open(first, token);
      await execute(first, token, "b", "{ __typename }");
      // Only the owner's operation is on the stream.
      expect(await readUntil(stream, "event: complete")).not.toContain('"id":"a"');
    });
  });

  test("starts no operation through a link with a token in it, for any caller", async () => {
    const { send, reserve, open, execute } = await start(server, SIGN_INS["a cookie"]?.auth);
    const [eve, ann] = [{ cookie: "sid=eve" }, { cookie: "sid=ann-1" }];
    const token = await reserve(eve);
    const stream = await open(eve, token);
    const parameters = `query=${encodeURIComponent(QUERY)}&extensions=${encodeURIComponent('{"operationId":"a"}')}`;
    for (const headers of [eve, ann]) {
      const search = `?${parameters}&token=${token}`;
      expect((await send(headers, { search })).status).toBe(400);
      expect((await send(headers, { search, headers: { accept: "text/html" } })).status).toBe(400);
      const body = JSON.stringify({ query: QUERY, extensions: { operationId: "a" } });
      expect(
        (await send(headers, { method: "POST", search: `?token=${token}`, headers: JSON_TYPE, body })).status,
      ).toBe(400);
      expect((await send(headers, { method: "DELETE", search: `?operationId=a&token=${token}` })).status).toBe(400);
      expect((await send(headers, { search: `?${parameters}`, headers: { [TOKEN]: token } })).status).toBe(405);
    }
    await execute(eve, token, "b", "{ __typename }");
    expect(await readUntil(stream, "event: complete")).not.toMatch(/"id":"a"|private/);
  });

  test("opens a stream by the token in the URL only for an EventSource of its owner", async () => {
    const { send, reserve } = await start(server, SIGN_INS["a cookie"]?.auth);
    const token = await reserve({ cookie: "sid=ann-1" });
    const search = `?token=${token}`;
    expect((await send({ cookie: "sid=eve" }, { search, headers: STREAM })).status).toBe(404);
    expect((await send({ cookie: "sid=ann-1" }, { search, headers: STREAM })).status).toBe(200);
  });

  test("replaces the oldest reservation of the same caller, never that of another caller", async () => {
    const { reserve, execute } = await start(server, byKey, { subscriptions: { reservedStreams: 2 } });
    const [here, there] = [{ "x-forwarded-for": "10.0.0.1" }, { "x-forwarded-for": "10.0.0.2" }];
    const other = await reserve(there);
    const tokens = [await reserve(here), await reserve(here), await reserve(here)] as const;
    const statuses = tokens.map(async (token) => (await execute(here, token)).status);
    expect(await Promise.all(statuses)).toEqual([404, 202, 202]);
    expect((await execute(there, other)).status).toBe(202);
  });

  describe("a stream that overflows before it is opened", () => {
    const here = { "x-forwarded-for": "10.0.0.1" };
    const overflow = async (limits = {}) => {
      const started = await start(server, byKey, { subscriptions: { queuedBytes: 20, ...limits } });
      const token = await started.reserve(here);
      for (const id of ["a", "b"]) expect((await started.execute(here, token, id)).status).toBe(202);
      while ((await started.execute(here, token, "c")).status !== 404);
      return { ...started, token };
    };

    test("reports that once, when it is opened", async () => {
      const { open, execute, token } = await overflow();
      expect(await (await execute(here, token, "d")).text()).toContain("too much was waiting before it was opened");
      const opened = await open(here, token);
      expect(opened.status).toBe(200);
      const text = await opened.text();
      expect(text.match(/^event: .*$/gm)).toEqual(["event: next", "event: complete"]);
      expect(text).toContain("The event stream ended because too much was waiting.");
      expect(text).toContain('"code":"UNAVAILABLE"');
      expect((await open(here, token)).status).toBe(404);
    });

    test("can be opened only by the client that reserved it", async () => {
      const { open, execute, token } = await overflow();
      for (const ask of [open, execute]) {
        const there = { "x-forwarded-for": "10.0.0.2" };
        expect(await seen(await ask(there, token))).toEqual(await seen(await ask(there, UNKNOWN)));
      }
    });

    test("counts as a reservation, which a new one replaces", async () => {
      const { open, reserve, token } = await overflow({ reservedStreams: 1 });
      const next = await reserve(here);
      expect((await open(here, token)).status).toBe(404);
      expect((await open(here, next)).status).toBe(200);
    });

    test("expires like other reservations", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const { open, token } = await overflow();
        vi.advanceTimersByTime(30_000);
        expect((await open(here, token)).status).toBe(404);
      } finally {
        vi.useRealTimers();
      }
    });
  });

  test("charges the caller's address for reservations", async () => {
    const { send } = await start(server, undefined);
    const [here, there] = [{ "x-forwarded-for": "10.0.0.1" }, { "x-forwarded-for": "10.0.0.2" }];
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await send(here, { method: "PUT" })).status);
    expect([...new Set(statuses)]).toEqual([201, 429]);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect((await send(there, { method: "PUT" })).status).toBe(201);
  });
});
