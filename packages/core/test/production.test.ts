import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { allow, apiKeys, defineApi, defineResource, deny, memoryStore, silentLog } from "../src/index.ts";
import type { ApiOptions } from "../src/api/api-types.ts";
import { rateLimit } from "../src/limits/rate-limit/rate-limit.ts";
import { ask, request } from "./request.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});
const page = { page: () => "<!doctype html>", assets: {}, headers: {} };
const KEY = "k".repeat(22);
const NAMED = { authorization: `Bearer ${KEY}` };

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Defines an API with this `NODE_ENV`. */
function start(environment: string, options: Omit<Partial<ApiOptions<readonly [typeof book]>>, "resources"> = {}) {
  vi.stubEnv("NODE_ENV", environment);
  return defineApi({
    resources: [book],
    store: memoryStore({ data: { book: [{ id: 1, title: "Emma" }] } }),
    auth: apiKeys({ [KEY]: { id: "ann" } }),
    log: silentLog,
    docs: page,
    ...options,
    graphql: { graphiql: page, ...options.graphql },
  });
}
type Started = ReturnType<typeof start>;

async function get(api: Started, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await api.handle({ ...request("GET", path, { headers }), address: "192.0.2.7" });
  return response ?? { status: 404, headers: {}, body: null };
}

/** The developer features that the API shows to a caller. */
async function shown(api: Started) {
  const html = { accept: "text/html" };
  const { errors: hidden } = await ask(api, "{ __schema { queryType { name } } }");
  const [mistake] = (await ask(api, "{ book(id: 1) { titel } }")).errors ?? [];
  return {
    introspection: hidden === undefined,
    suggestions: /Did you mean/.test(mistake?.message ?? ""),
    docs: (await get(api, "/docs", html)).status === 200,
    graphiql: (await get(api, "/graphql", html)).status === 200,
    schema: (await get(api, "/-/schema", html)).status === 200,
    index: JSON.stringify((await get(api, "/")).body).includes("docs"),
  };
}

const ALL = { introspection: true, suggestions: true, docs: true, graphiql: true, schema: true, index: true };
const NOTHING = { introspection: false, suggestions: false, docs: false, graphiql: false, schema: false, index: false };

describe("A32, A33, A34: developer features", () => {
  test.each<[environment: string, options: Parameters<typeof start>[1], expected: object]>([
    ["development", {}, ALL],
    ["production", {}, NOTHING],
    ["production", { introspection: true }, { ...NOTHING, introspection: true, suggestions: true }],
    ["production", { developerPages: true }, { ...NOTHING, docs: true, graphiql: true, index: true }],
    ["production", { introspection: true, developerPages: true }, ALL],
    ["development", { introspection: false, developerPages: false }, NOTHING],
  ])("are shown for NODE_ENV %s with %o", async (environment, options, expected) => {
    expect(await shown(start(environment, options))).toEqual(expected);
  });
});

describe("the rate limit", () => {
  const headers = ["RateLimit-Policy", "RateLimit"];
  const limitsOf = async (api: Started, named = false): Promise<readonly (string | undefined)[]> => {
    const response = await get(api, "/books?page[size]=20", named ? NAMED : {});
    return headers.map((name) => response.headers[name]);
  };

  test("is on in production: 6,000 points a minute for a principal, and 600 for an address", async () => {
    const api = start("production");
    expect(await limitsOf(api, true)).toEqual(['"principal";q=6000;w=60', '"principal";r=5999;t=60']);
    expect(await limitsOf(api)).toEqual(['"address";q=600;w=60', '"address";r=599;t=60']);
    const statuses: number[] = [];
    for (let n = 0; n < 600; n++) statuses.push((await get(api, "/books/1")).status);
    expect(statuses).toEqual([...Array.from({ length: 599 }, () => 200), 429]);
    await api.close();
  });

  test.each<[trustedProxies: readonly string[] | undefined, times: number]>([
    [undefined, 1],
    [[], 0],
  ])("logs an unlisted proxy once, unless `trustedProxies` is set: %o", async (trustedProxies, times) => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    const api = start("production", { log, warnings: false, ...(trustedProxies && { trustedProxies }) });
    for (let n = 0; n < 602; n++) await get(api, "/books/1");
    expect(lines).toEqual([]);
    for (let n = 0; n < 3; n++) await get(api, "/books/1", { "x-forwarded-for": "203.0.113.1" });
    expect(lines.filter((line) => line.includes("trustedProxies"))).toHaveLength(times);
    await api.close();
  });

  test.each<[environment: string, rateLimit: ApiOptions<readonly []>["rateLimit"], lines: readonly string[]]>([
    [
      "production",
      undefined,
      ["Rate limit: 6000 points per principal and 600 points per address for anonymous callers, in 60 seconds."],
    ],
    ["production", rateLimit({ by: () => "all", points: 50 }), ["Rate limit: 50 points per key, in 60 seconds."]],
    [
      "development",
      rateLimit({ by: "address", anonymousPoints: 7, duration: 5 }),
      ["Rate limit: 7 points per address, in 5 seconds."],
    ],
    ["development", undefined, []],
    ["production", false, []],
  ])("is logged once when an adapter mounts the API: %s, %o", async (environment, limiter, lines) => {
    const logged: string[] = [];
    const log = { ...silentLog, info: (line: string) => void logged.push(line) };
    const api = start(environment, { log, ...(limiter === undefined ? {} : { rateLimit: limiter }) });
    expect(logged).toEqual([]);
    await get(api, "/books/1");
    await get(api, "/books/1");
    expect(logged).toEqual(lines);
    await api.close();
  });

  test.each([
    ["development", {}],
    ["production", { rateLimit: false as const }],
  ])("is off if NODE_ENV is %s, with %o", async (environment, options) => {
    expect(await limitsOf(start(environment, options))).toEqual([undefined, undefined]);
  });

  test("charges a point for each started hundred of cost units", async () => {
    const left = async (path: string, costPerPoint?: number): Promise<number> => {
      const api = start("test", { rateLimit: rateLimit(costPerPoint === undefined ? {} : { costPerPoint }) });
      const response = await get(api, path, NAMED);
      return Number(/r=(\d+)/.exec(response.headers["RateLimit"] ?? "")?.[1]);
    };
    expect(await left("/books/1")).toBe(5_999);
    expect(await left("/books?page[size]=100")).toBe(5_999);
    expect(await left("/books?page[size]=100&count=true")).toBe(5_998);
    expect(await left("/books?page[size]=100", 1)).toBe(5_900);
  });
});

test.each([
  ["production", 200],
  ["development", 5_000],
])("sets the event loop limit for NODE_ENV %s to %i milliseconds", (environment, milliseconds) => {
  expect(start(environment)["~http"].limits.http.eventLoopDelay).toBe(milliseconds);
  expect(start(environment, { limits: { http: { eventLoopDelay: 50 } } })["~http"].limits.http.eventLoopDelay).toBe(50);
});
