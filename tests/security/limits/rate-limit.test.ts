import { asSystem } from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { parseList } from "structured-headers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Served } from "../auth/serve.ts";
import { DOORS, STREAMS } from "./doors.ts";
import { createLibrary, serve, user } from "./library.ts";

const POINTS = 100;
/** The default page size. */
const PAGE = 20;

const api = createLibrary({
  rateLimit: rateLimit({ points: POINTS, anonymousPoints: 10_000, duration: 60, costPerPoint: 1 }),
});
const strangers = createLibrary({ rateLimit: rateLimit({ anonymousPoints: 15, costPerPoint: 1 }) });
let served: Served;
let open: Served;
beforeAll(async () => {
  served = await serve(api);
  open = await serve(strangers);
});
afterAll(async () => {
  await served.close();
  await open.close();
});

/** The rate limit header fields, read by a parser for structured fields. */
function read(response: Response) {
  const [[policy, policyOf] = [], ...morePolicies] = parseList(response.headers.get("ratelimit-policy") ?? "");
  const [[limit, limitOf] = [], ...moreLimits] = parseList(response.headers.get("ratelimit") ?? "");
  expect([morePolicies, moreLimits, limit]).toEqual([[], [], policy]);
  const number = (of: typeof policyOf, name: string): number => of?.get(name) as number;
  return {
    policy,
    quota: number(policyOf, "q"),
    window: number(policyOf, "w"),
    left: number(limitOf, "r"),
    reset: number(limitOf, "t"),
  };
}

/** Reads one author, which costs one point. */
const one = (id: string): Promise<Response> => fetch(`${served.url}/authors/1`, { headers: { "x-user": id } });

describe.each(Object.entries(DOORS))("through %s", (name, ask) => {
  test("I03: charges the same for the same operation, and rejects it when the points are used up", async () => {
    const at = { api, url: served.url, user: `page ${name}` };
    expect(await ask(at)).toBeUndefined();
    expect(read(await one(at.user)).left).toBe(POINTS - PAGE - 1);
    for (let n = 0; n < 3; n++) expect(await ask(at)).toBeUndefined();
    expect(await ask(at)).toBe("RATE_LIMITED");
    // Other callers are not affected.
    expect(await ask({ ...at, user: `${at.user}, another` })).toBeUndefined();
  });
});

describe.each(Object.entries(STREAMS))("opening an %s", (name, open) => {
  test("costs one", async () => {
    const at = { api, url: served.url, user: `stream ${name}` };
    expect(await open(at)).toBeUndefined();
    expect(read(await one(at.user)).left).toBe(POINTS - 2);
    for (let n = 0; n < 4; n++) await DOORS["REST"]?.(at);
    await DOORS["REST"]?.(at);
    expect(await open(at)).toBe("RATE_LIMITED");
  });
});

test("I07: sends the header fields with a success and with a rejection", async () => {
  const id = "header fields";
  const first = await one(id);
  expect(first.status).toBe(200);
  expect(first.headers.get("retry-after")).toBeNull();
  expect(read(first)).toEqual({ policy: "principal", quota: POINTS, window: 60, left: POINTS - 1, reset: 60 });
  const list = (): Promise<Response> => fetch(`${served.url}/books`, { headers: { "x-user": id } });
  for (let n = 0; n < 4; n++) await list();
  const refused = await list();
  expect(refused.status).toBe(429);
  expect(read(refused)).toMatchObject({ left: 0, quota: POINTS });
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBe(read(refused).reset);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", status: 429 });
});

test("sends the same code and header fields in GraphQL", async () => {
  const headers = { "content-type": "application/json", "x-user": "graphql" };
  const query = `{ ${Array.from({ length: 6 }, (_, n) => `a${n}: author(id: 1) { books(first: 19) { nodes { id } } }`).join(" ")} }`;
  const response = await fetch(`${served.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data: Record<string, unknown>; errors: unknown[] };
  expect(Object.values(data).filter((value) => value !== null)).toHaveLength(5);
  expect(errors).toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
  expect(read(response).left).toBe(0);
  expect(response.headers.get("retry-after")).not.toBeNull();
});

test("ignores forwarded addresses in headers of an untrusted client (I01)", async () => {
  const get = (n: number): Promise<Response> =>
    fetch(`${open.url}/authors/1`, {
      headers: { "x-forwarded-for": `203.0.113.${n}`, forwarded: `for=203.0.113.${n}`, "x-real-ip": `203.0.113.${n}` },
    });
  const first = await get(0);
  expect(read(first)).toMatchObject({ policy: "address", quota: 15, left: 14 });
  for (let n = 1; n < 15; n++) expect((await get(n)).status).toBe(200);
  expect((await get(15)).status).toBe(429);
});

test("refuses a socket of an address without points left", async () => {
  const statusOf = (socket: WebSocket): Promise<number> =>
    new Promise((resolve, reject) => {
      socket.on("unexpected-response", (_, response) => {
        expect(response.headers["retry-after"]).toBeDefined();
        resolve(response.statusCode ?? 0);
      });
      socket.on("open", () => {
        socket.close();
        reject(new Error("It was opened."));
      });
      socket.on("error", () => {});
    });
  for (let n = 0; n < 16; n++) await fetch(`${open.url}/authors/1`);
  const socket = new WebSocket(`${open.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  expect(await statusOf(socket)).toBe(429);
});

test("charges one point for a request that runs no operation, and all points for one that costs more", async () => {
  const tight = createLibrary({
    rateLimit: rateLimit({ points: 60, costPerPoint: 1 }),
    limits: { query: { cost: 200 } },
  });
  const own = await serve(tight);
  const get = (path: string): Promise<Response> => fetch(own.url + path, { headers: { "x-user": "x" } });
  expect((await get("/books?wrong=1")).status).toBe(400);
  expect((await get("/books?page[size]=100&include=author&count=true&page[offset]=999999")).status).toBe(400);
  expect((await get("/authors?page[size]=100&include=books")).status).toBe(400);
  expect(read(await get("/authors/1")).left).toBe(60 - 3 * 10 - 1);
  expect((await get("/books?page[size]=100")).status).toBe(429);
  const fresh = await fetch(`${own.url}/books?page[size]=100`, { headers: { "x-user": "y" } });
  expect([fresh.status, read(fresh).left]).toEqual([200, 0]);
  await own.close();
});

test("restores the points after the duration", async () => {
  const short = createLibrary({ rateLimit: rateLimit({ points: 20, duration: 1, costPerPoint: 1 }) });
  const list = (): Promise<unknown> => short.as(user("x")).book.list();
  await list();
  await expect(list()).rejects.toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "1" } });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await list();
  await short.close();
});

test("charges for calls within a transaction, and rolls back if one is rejected", async () => {
  const tight = createLibrary({ rateLimit: rateLimit({ points: 25, costPerPoint: 1 }) });
  const principal = user("x");
  const work = tight.transaction(
    async (local) => {
      await local.author.create({ id: 8, name: "Mary Ann Evans" });
      await local.author.create({ id: 9, name: "George Sand" });
      await local.author.create({ id: 10, name: "Emily Brontë" });
    },
    { principal },
  );
  await expect(work).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect((await tight.local.author.list({ filter: { id: { gte: 8 } } })).items).toEqual([]);
  await tight.transaction(async (_, as) => as(asSystem("seeding")).author.create({ id: 8, name: "Mary Ann Evans" }), {
    principal,
  });
  await tight.close();
});

test("identifies callers with a function of the host", async () => {
  const tenants = createLibrary({
    rateLimit: rateLimit({ points: 20, costPerPoint: 1, by: ({ principal }) => principal?.id.split("@")[1] }),
  });
  await tenants.as(user("ann@a")).book.list();
  await expect(tenants.as(user("bob@a")).book.list()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await tenants.as(user("eve@b")).book.list();
  await tenants.local.book.list();
  await tenants.local.book.list();
  await tenants.close();
});

test("rejects invalid numbers at start", () => {
  expect(() => rateLimit({ points: 0 })).toThrow("'points'");
  expect(() => rateLimit({ duration: 0.5 })).toThrow("'duration'");
});
