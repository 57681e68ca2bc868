import { memoryStore } from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { request } from "@bifocal/test-servers/request";
import { ADAPTERS } from "../auth/serve.ts";
import { expectCleanPrototypes } from "../access/case.ts";
import { createLibrary, type Library } from "../limits/library.ts";

const APP = "https://app.example";
const QUERY = JSON.stringify({ query: "{ __typename }" });
const JSON_TYPE = { "content-type": "application/json" };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
  expectCleanPrototypes();
});

async function serve(api: Library, adapter: keyof typeof ADAPTERS = "node-http"): Promise<string> {
  const { url, close } = await ADAPTERS[adapter](api);
  closing.push(close);
  return url;
}

describe.each(Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[])("on %s", (adapter) => {
  /** Each style, and an event stream of either. */
  const asked = (url: string, headers: Record<string, string>): readonly (() => Promise<Response>)[] => [
    () => fetch(`${url}/books`, { headers }),
    () => fetch(`${url}/books/77`, { headers }),
    () => fetch(`${url}/books`, { headers: { ...headers, accept: "text/event-stream" } }),
    () => fetch(`${url}/graphql`, { method: "POST", headers: { ...headers, ...JSON_TYPE }, body: QUERY }),
    () =>
      fetch(`${url}/graphql`, {
        method: "POST",
        headers: { ...headers, ...JSON_TYPE, accept: "text/event-stream" },
        body: QUERY,
      }),
    () =>
      fetch(`${url}/books`, { method: "OPTIONS", headers: { ...headers, "access-control-request-method": "POST" } }),
  ];
  const allowed = async (url: string, origin: string): Promise<readonly (string | null)[]> => {
    const found: (string | null)[] = [];
    for (const ask of asked(url, { origin })) {
      const response = await ask();
      await response.body?.cancel();
      expect(response.headers.get("access-control-allow-credentials") ?? "true").toBe("true");
      if (response.headers.get("access-control-allow-origin") !== null) {
        expect(response.headers.get("vary")).toMatch(/Origin/);
      }
      found.push(response.headers.get("access-control-allow-origin"));
    }
    return found;
  };
  const NOBODY = [null, null, null, null, null, null];

  test("D04: returns CORS headers only for origins that exactly match the list", async () => {
    const closed = await serve(createLibrary(), adapter);
    for (const origin of [APP, "null", "https://evil.example"]) expect(await allowed(closed, origin)).toEqual(NOBODY);
    const open = await serve(createLibrary({ cors: { origins: [APP], credentials: true } }), adapter);
    expect(await allowed(open, APP)).toEqual(NOBODY.map(() => APP));
    for (const origin of [
      "null",
      "https://evil.example",
      `${APP}.evil.example`,
      "https://evilapp.example",
      "https://a.app.example",
      "http://app.example",
      `${APP}:444`,
      `${APP}/`,
      APP.toUpperCase(),
      `${APP}, https://evil.example`,
    ]) {
      expect([origin, await allowed(open, origin)]).toEqual([origin, NOBODY]);
    }
    expect(() => createLibrary({ cors: { origins: "*", credentials: true } })).toThrow(/credentials/);
  });
});

describe("E14: incremental responses", () => {
  const ask = async (url: string, query: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { ...JSON_TYPE, accept: "multipart/mixed, application/json" };
    const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
    return { status: response.status, text: await response.text() };
  };
  const deferred = (count: number): string =>
    `{ books { nodes { id ${Array.from({ length: count }, (_, n) => `... @defer(label: "d${n}") { title }`).join(" ")} } } }`;

  test("are off by default, and limited in number if they are on", async () => {
    const off = await serve(createLibrary());
    expect((await ask(off, deferred(1))).text).toContain("BAD_REQUEST");
    const on = await serve(createLibrary({ graphql: { incremental: true } }));
    expect((await ask(on, deferred(1))).text).toContain("Emma");
    expect((await ask(on, deferred(500))).text).toContain("BAD_REQUEST");
    expect((await ask(on, deferred(21))).text).toContain("graphql.incrementalParts");
  });

  test("stop when the client disconnects", async () => {
    let reads = 0;
    const inner = memoryStore({
      data: { book: Array.from({ length: 90 }, (_, id) => ({ id, authorId: 1, title: "x".repeat(100_000) })) },
    });
    const list: typeof inner.list = (query, context) => {
      reads++;
      return inner.list(query, context);
    };
    const url = await serve(createLibrary({ store: { ...inner, list }, graphql: { incremental: true } }));
    const controller = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { ...JSON_TYPE, accept: "multipart/mixed" },
      body: JSON.stringify({ query: "{ books(first: 90) { nodes @stream(initialCount: 0) { id title } } }" }),
      signal: controller.signal,
    });
    await response.body?.getReader().read();
    controller.abort();
    const before = reads;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reads - before).toBeLessThanOrEqual(1);
    expect((await ask(url, "{ __typename }")).text).toContain("Query");
  });
});

test("E17: doesn't cache every document of a client that always sends different ones", {
  timeout: 60_000,
}, async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const api = createLibrary();
  const send = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) {
      const body = { query: `{ a${n}: __typename ${" ".repeat(1_000)} }` };
      const answered = await api.handle(request("POST", "/graphql", { body }));
      if (answered?.status !== 200) throw new Error(`Answered with ${answered?.status}.`);
    }
  };
  await send(0, 3_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  await send(3_000, 12_000);
  collect();
  // A document of this size takes about ten kilobytes in the cache, so all of them would take ninety megabytes.
  expect((process.memoryUsage().heapUsed - before) / 1_048_576).toBeLessThan(12);
  await api.close();
});

test("J21: a clock that jumps doesn't end or reset anything early, and no duration becomes negative", async () => {
  const api = createLibrary({ rateLimit: rateLimit({ points: 4, anonymousPoints: 40, duration: 3_600 }) });
  const url = await serve(api);
  const get = (path: string): Promise<Response> => fetch(url + path, { headers: { "x-user": "ann" } });
  const post = (): Promise<Response> =>
    fetch(`${url}/authors`, {
      method: "POST",
      headers: { ...JSON_TYPE, "idempotency-key": '"j21"', "x-user": "ben" },
      body: '{"id":9,"name":"x"}',
    });
  const now = Date.now();
  expect((await post()).status).toBe(201);
  const first = await get("/books?page[size]=1");
  const next = /<[^>]*(page%5Bafter%5D=[^>&]+)[^>]*>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
  vi.useFakeTimers({ toFake: ["Date"], now: now - 3_600_000 });
  expect((await post()).headers.get("idempotent-replayed")).toBe("true");
  expect((await get(`/books?page[size]=1&${next}`)).status).toBe(200);
  // A point for each started hundred rows: the third and the last.
  for (let times = 0; times < 2; times++) await get("/books?page[size]=40");
  const refused = await get("/books?page[size]=40");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  vi.setSystemTime(now + 1_800_000);
  expect((await post()).headers.get("idempotent-replayed")).toBe("true");
  expect((await get(`/books?page[size]=1&${next}`)).status).toBe(429);
  vi.setSystemTime(now + 23 * 3_600_000);
  expect((await post()).headers.get("idempotent-replayed")).toBe("true");
});
