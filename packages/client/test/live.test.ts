import { createClient, type Lens } from "@bifocal/client";
import { liveLists } from "@bifocal/client/live";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CuttableProxy, startCuttableProxy } from "./cuttable-proxy.ts";
import { LENSES, type Served, serveLibrary, STORES, TRANSPORTS } from "./hosts.ts";
import { ANN, type Library } from "./library.ts";

const [memory] = STORES;
const RUNS = 12;
const BOOK = {
  authorId: ANN.id,
  genre: "novel" as const,
  addedAt: new Date(0),
  words: null,
  size: null,
  format: null,
};
let served: Served;
let proxy: CuttableProxy;
beforeEach(async () => {
  served = await serveLibrary(memory as (typeof STORES)[number]);
  proxy = await startCuttableProxy(served.url);
  await served.api.as(ANN).person.create({ id: ANN.id, name: "Ann", email: null, born: null });
});
afterEach(async () => {
  await proxy.close();
  await served.close();
});

const idOf = (n: number): string => `b0000000-0000-4000-8000-00000000000${n}`;
const QUERIES = [
  { page: { size: 3 } },
  { page: { size: 3 }, sort: ["-price" as const], select: { title: true as const } },
  { page: { size: 2 }, filter: { price: { lt: 3 } }, sort: ["title" as const] },
  { page: { size: 3 }, sort: ["addedAt" as const, "-price" as const], count: true },
  { page: { size: 3, offset: 1 }, sort: ["price" as const] },
];
const step = fc.record({
  kind: fc.constantFrom("write", "write", "delete"),
  n: fc.integer({ min: 0, max: 6 }),
  title: fc.constantFrom("a", "b", "9", "10"),
  price: fc.integer({ min: 0, max: 5 }),
});

const CASES = [
  ["REST", "event streams"],
  ["REST", "WebSockets"],
  ["GraphQL", "event streams"],
] as const;

describe.each(CASES)("with the lens of %s over %s", (lensName, transport) => {
  const lens = LENSES[lensName] as () => Lens;
  let lists: number;
  const connect = () =>
    createClient<Library>({
      url: proxy.url,
      lens: lens(),
      live: liveLists,
      ...TRANSPORTS[transport],
      headers: { authorization: `Bearer ${ANN.id}` },
      fetch: async (input, init) => {
        const isStream = new Headers(init?.headers).get("accept") === "text/event-stream";
        if (!isStream && !(input as string).endsWith("/client.json")) lists += 1;
        return fetch(input, init);
      },
    });
  beforeEach(() => {
    lists = 0;
  });

  test("yields what a new list returns, after any writes", { timeout: 60_000 }, async () => {
    const client = connect();
    const { book } = served.api.as(ANN);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...QUERIES),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (query, steps) => {
          let last: unknown;
          const ending = new AbortController();
          const following = (async () => {
            for await (const page of client.book.list({ ...query, live: true, signal: ending.signal })) last = page;
          })();
          for (const { kind, n, title, price } of steps) {
            const id = idOf(n);
            const exists = (await book.get(id)) !== null;
            if (kind === "delete") {
              if (exists) await book.delete(id);
            } else if (exists) await book.update(id, { title, price });
            else await book.create({ ...BOOK, id, title, price });
          }
          const { startCursor: _s, endCursor: _e, ...fresh } = await client.book.list(query);
          await expect.poll(() => last, { timeout: 5_000 }).toEqual(fresh);
          ending.abort();
          await following;
          compared += 1;
        },
      ),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThanOrEqual(RUNS);
  });

  test("applies changes without reading the list again", async () => {
    const { tag } = served.api.as(ANN);
    await tag.create({ id: 2, name: "Sale" });
    const pages = connect().tag.list({ live: true, sort: ["name"], select: { name: true } });
    const next = async (): Promise<unknown> => (await pages.next()).value;
    expect(await next()).toEqual({ items: [{ name: "Sale" }], hasNext: false, hasPrevious: false });
    await tag.create({ id: 1, name: "Classic" });
    expect(await next()).toMatchObject({ items: [{ name: "Classic" }, { name: "Sale" }] });
    await tag.update(1, { name: "Zoo" });
    expect(await next()).toMatchObject({ items: [{ name: "Sale" }, { name: "Zoo" }] });
    await tag.delete(2);
    expect(await next()).toMatchObject({ items: [{ name: "Zoo" }] });
    expect(lists).toBe(1);
    expect(await pages.return?.()).toEqual({ done: true, value: undefined });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("reads the list again if changes may have been missed", async () => {
    const { tag } = served.api.as(ANN);
    const pages = connect().tag.list({ live: true, select: { name: true } });
    expect((await pages.next()).value).toMatchObject({ items: [] });
    proxy.cut();
    await tag.create({ id: 1, name: "Classic" });
    expect((await pages.next()).value).toMatchObject({ items: [{ name: "Classic" }] });
    expect(lists).toBe(2);
    await pages.return?.();
  });

  test("throws errors that another attempt can't fix", async () => {
    const pages = connect().book.list({ live: true, filter: { nme: "x" } as object });
    await expect(pages.next()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("names the missing option", () => {
    const client = served.connect(lens());
    expect(() => client.book.list({ live: true })).toThrow("Pass 'live' to createClient.");
  });
});
