import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createBookstore, startBookstore } from "../src/start.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts the program. Returns its output and a function that ends it. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "exit");
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await Promise.race([
    ended,
    waitFor(() => text.includes("Bookstore on") && (env["BOOKSTORE_KEYS"] !== undefined || text.includes("admin:"))),
  ]);
  const stop = async (): Promise<unknown> => {
    child.kill("SIGTERM");
    return ((await ended) as [number | null])[0];
  };
  return { text: () => text, url: /http:\/\/\S+/.exec(text)?.[0] ?? "", stop };
}

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("as a program", () => {
  test.each(["fastify", "express", "node-http"])("on %s, with new keys", async (adapter) => {
    const store = await start({ ADAPTER: adapter });
    const key = /admin: Authorization: Bearer (\S+)/.exec(store.text())?.[1] ?? "";
    expect(store.text()).toContain(`Bookstore on ${adapter}`);
    const headers = { "content-type": "application/json", "x-api-key": key };
    const created = await fetch(`${store.url}/tags`, { method: "POST", headers, body: '{"slug":"x","name":"X"}' });
    expect(created.status).toBe(201);
    expect(await store.stop()).toBe(0);
  });

  test("with configured keys, prints none", async () => {
    const store = await start({ BOOKSTORE_KEYS: "reader=r-key,reader:ben=b-key,editor=e-key,admin=a-key" });
    expect(store.text()).not.toContain("key");
    for (const [key, status] of [
      ["r-key", 403],
      ["e-key", 422],
      ["x", 401],
    ] as const) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      expect((await fetch(`${store.url}/books`, { method: "POST", headers, body: "{}" })).status).toBe(status);
    }
    expect(await store.stop()).toBe(0);
  });

  test.each<[Record<string, string>, string]>([
    [{ ADAPTER: "koa" }, "ADAPTER is fastify, express or node-http"],
    [{ BOOKSTORE_KEYS: "reader" }, "BOOKSTORE_KEYS"],
    [{ SEED: "many" }, "SEED"],
  ])("rejects %j with an explanation", async (env, message) => {
    const store = await start(env);
    expect(store.text()).toContain(message);
  });
});

test("creates the same data from a seed at every start", async () => {
  const read = async (): Promise<unknown> => {
    const { api } = createBookstore({ seed: "100x10" });
    const { items, total } = await api
      .as({ id: "x", roles: ["editor"] })
      .book.list({ count: true, page: { size: 100 } });
    expect(total).toBe(100);
    return items;
  };
  expect(await read()).toEqual(await read());
});

test("changes an author, their books and the tags of these in one request", async () => {
  const { api } = createBookstore({});
  const admin = api.as({ id: "admin", roles: ["admin"] });
  const [author, book] = ["a0000000-0000-4000-8000-000000000001", "b0000000-0000-4000-8000-000000000001"];
  await admin.author.update(author, {
    bio: "An English novelist.",
    books: {
      create: [{ title: "Lady Susan", genre: "novel", price: 8, publishedAt: null, tags: ["classic"] }],
      update: [{ id: book, price: 9, tags: { remove: ["classic"] } }],
    },
  });
  const { items } = await admin.book.list({
    filter: { authorId: { eq: author }, title: { in: ["Emma", "Lady Susan"] } },
    sort: ["title"],
    select: { title: true, price: true, tags: { select: { slug: true } } },
  });
  expect(items.map(({ title, price }) => [title, price])).toEqual([
    ["Emma", 9],
    ["Lady Susan", 8],
  ]);
  expect(items.map(({ tags }) => tags.some(({ slug }) => slug === "classic"))).toEqual([false, true]);
});

test("keeps deleted reviews, which only admins list, and restores them", async () => {
  const { api } = createBookstore({});
  const review = "c0000000-0000-4000-8000-000000000001";
  const admin = api.as({ id: "admin", roles: ["admin"] });
  await admin.review.delete(review);
  expect(await api.local.review.get(review)).toBeNull();
  expect((await admin.review.list({ deleted: "only" })).items.map(({ id }) => id)).toEqual([review]);
  await expect(api.local.review.list({ deleted: "only" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await admin.review.restore(review)).toMatchObject({ id: review });
  expect(await api.local.review.get(review)).toMatchObject({ id: review });
});

test("computes fields by `get`, `load` and from related rows", async () => {
  const { api } = createBookstore({});
  const sort = ["-bookCount", "name"] as const;
  const filter = { bookCount: { gte: 2 } };
  const { items } = await api.local.author.list({ filter, sort, select: { bookCount: true } });
  expect(items.map(({ bookCount }) => bookCount)).toEqual([3, 3, 2]);
  // The fourth book of Ursula K. Le Guin is a draft, which only she and the staff can count.
  const editor = api.as({ id: "editor", roles: ["editor"] });
  expect((await editor.author.list({ filter, sort, page: { size: 1 } })).items[0]?.bookCount).toBe(4);
  const select = { price: true, isDraft: true, averageStars: true, priceInDollars: true } as const;
  expect(await api.local.book.get("b0000000-0000-4000-8000-000000000001", { select })).toEqual({
    price: 12.5,
    isDraft: false,
    averageStars: 4.5,
    priceInDollars: 13.75,
  });
});

test("lists every route and every field in the README", async () => {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const { api } = createBookstore({});
  for (const resource of api.model.resources.values()) {
    if (resource.historyOf !== undefined) continue;
    const fields = [...resource.fields.keys(), ...resource.computed.keys()];
    for (const name of [...fields, ...resource.actions.keys(), ...resource.relations.keys()]) {
      expect(readme).toContain(`\`${name}\``);
    }
    expect(readme).toContain(`\`/${resource.path}\``);
  }
  const running = await startBookstore({ port: 0 });
  await running.close();
});

test("has the schema of schema.graphql", async () => {
  await expect(createBookstore().api.graphql.sdl()).toMatchFileSnapshot("../schema.graphql");
});

/** Sends the document of the README that starts with a text. */
async function askReadme(start: string, caller: "admin" | undefined): Promise<Record<string, { nodes: object[] }>> {
  const store = await startBookstore({ adapter: "node-http", port: 0 });
  const page = readFileSync(`${root}README.md`, "utf8");
  const query = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)]
    .map(([, text = ""]) => text)
    .find((text) => text.includes(start));
  const headers = {
    "content-type": "application/json",
    ...(caller === undefined ? {} : { authorization: `Bearer ${store.keys[caller]}` }),
  };
  const response = await fetch(`${store.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data: Record<string, { nodes: object[] }>; errors?: unknown };
  await store.close();
  expect(errors).toBeUndefined();
  return data;
}

test("the dashboards of the README", async () => {
  const catalog = await askReadme("booksAggregate(", undefined);
  const isFull = (table: string): boolean => (catalog[table]?.nodes.length ?? 0) > 0;
  expect(["booksAggregate", "perMonth", "best"].filter(isFull)).toHaveLength(3);
  expect(await askReadme("salesAggregate ", "admin")).toEqual({
    all: { nodes: [{ count: 2, sum: { quantity: 11, total: "174.50" }, max: { total: "162.00" } }] },
    perMonth: {
      nodes: [
        { group: { createdAtMonth: "2026-02" }, count: 1, sum: { quantity: 10, total: "162.00" } },
        { group: { createdAtMonth: "2026-01" }, count: 1, sum: { quantity: 1, total: "12.50" } },
      ],
    },
    perGenre: {
      nodes: [
        { group: { bookGenre: "essay" }, sum: { quantity: 10, total: "162.00" } },
        { group: { bookGenre: "novel" }, sum: { quantity: 1, total: "12.50" } },
      ],
    },
    best: {
      nodes: [{ group: { bookId: "b0000000-0000-4000-8000-000000000006" }, sum: { quantity: 10, total: "162.00" } }],
    },
  });
});

const inShop = (id: string, shop: string) => ({ id, roles: ["editor"], claims: { shop } });

test("keeps the sales of each shop apart", async () => {
  const { api } = createBookstore({});
  const [eddie, ada] = [api.as(inShop("editor", "old-town")), api.as(inShop("admin", "harbor"))];
  const created = await eddie.sale.create({
    bookId: "b0000000-0000-4000-8000-000000000002",
    quantity: 2,
    total: "19.80",
  });
  const id = created?.id ?? "";
  expect(await ada.sale.get(id)).toBeNull();
  await expect(ada.sale.update(id, { quantity: 9 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await ada.sale.list({ filter: { sellerId: { eq: "editor" } } })).items).toEqual([]);
  const revenue = async (caller: typeof ada): Promise<unknown> =>
    (await caller.shop.list({ sort: ["name"], select: { slug: true, revenue: true } })).items;
  expect(await revenue(ada)).toEqual([
    { slug: "harbor", revenue: "174.50" },
    { slug: "old-town", revenue: null },
  ]);
  expect(await revenue(eddie)).toMatchObject([{ revenue: null }, { revenue: "107.55" }]);
  await expect(api.as({ id: "reader", roles: ["reader"] }).sale.list()).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("records who changed a sale, which only its seller can do", async () => {
  const { api } = createBookstore({});
  const [eddie, eve] = [api.as(inShop("editor", "old-town")), api.as(inShop("eve", "old-town"))];
  const id = "d0000000-0000-4000-8000-000000000001";
  await expect(eve.sale.update(id, { quantity: 3 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await eddie.sale.update(id, { quantity: 3, total: "37.5" });
  expect((await eve.sale.history(id)).items).toMatchObject([
    {
      by: "editor",
      operation: "update",
      changes: [
        { field: "quantity", from: 2, to: 3 },
        { field: "total", from: "25.00", to: "37.50" },
      ],
    },
  ]);
});

test("keeps the sales of a book that is deleted", async () => {
  const { api } = createBookstore({});
  const [book, sale] = ["b0000000-0000-4000-8000-000000000006", "d0000000-0000-4000-8000-000000000006"];
  await api.as({ id: "editor", roles: ["admin"], claims: { shop: "old-town" } }).book.delete(book);
  expect(await api.as(inShop("admin", "harbor")).sale.get(sale)).toMatchObject({ bookId: null, total: "162.00" });
});

test("searches books by their titles and authors, and lists the trending ones of a year", async () => {
  const { api } = createBookstore({});
  const titles = async (page: Promise<{ readonly items: readonly { readonly title: string }[] }>) =>
    (await page).items.map(({ title }) => title);
  expect(await titles(api.local.book.list({ search: "austen em" }))).toEqual(["Emma"]);
  expect(await titles(api.local.book.queries.trending({ year: 1815 }))).toEqual(["Emma"]);
});
