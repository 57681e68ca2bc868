import { asSystem, memoryStore, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { restrictedDatabase, servers, type TestDatabase, type TestServer } from "@bifocal/test-servers";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { request } from "@bifocal/test-servers/request";
import { asked, CLOSED, DOORS, MODERATED } from "./doors.ts";
import type { Asked } from "./draw.ts";
import { listen } from "./listen.ts";
import { BEN, createShops, idOf, type Ids, KEYS, MARK, type Shops } from "./shops.ts";

const { PROPERTY_SEED, PROPERTY_PATH } = process.env;
const [postgres, mysql] = ["postgres", "mysql"].map((wanted) => servers.find(({ name }) => name === wanted));

const limited = postgres && { ...postgres, create: restrictedDatabase };

/** A row of another shop, or a deleted row of the caller's shop. The caller must not notice it. */
interface Hidden {
  readonly isOwn: boolean;
  readonly title: string;
  readonly price: number;
}
const hiddenRow: fc.Arbitrary<Hidden> = fc.record({
  isOwn: fc.boolean(),
  title: fc.constantFrom("Emma", "Dune"),
  price: fc.nat(9),
});
const hiddenRows = fc.array(hiddenRow, { maxLength: 4 });

interface World {
  readonly api: Shops;
  readonly ids: Ids;
  readonly close: () => Promise<void>;
}

async function createWorld(store: Store, hidden: readonly Hidden[]): Promise<World> {
  const ids: Ids = { planned: [], count: 0 };
  const api = createShops(store, ids);
  const { planned } = ids;
  const add = async (
    shop: "a" | "b",
    id: string,
    n: number,
    { title, price }: Omit<Hidden, "isOwn">,
    code: string | null = "GB",
  ): Promise<void> => {
    const { book, review, tag } = api.as(asSystem("fill a shop", { tenant: shop }));
    // A create on a database can build its row twice.
    const plan = (): unknown => planned.splice(0, planned.length, id, id);
    plan();
    await book.create({ isbn: String(n), title, price, code });
    plan();
    await review.create({ stars: n, bookId: id, mentioned: String(n) });
    plan();
    await tag.create({ name: `tag ${n}` });
    planned.length = 0;
    await book.link(id, "tags", id);
  };
  await api.as(asSystem("fill the store")).country.create({ code: "GB", name: "Britain" });
  for (const [index, one] of hidden.entries()) {
    const n = index + 1;
    await add(one.isOwn ? "a" : "b", idOf(1, n), n, one);
    if (!one.isOwn) continue;
    // A deleted row. Its tag can't be hidden, so it is removed.
    const { book, tag } = api.as(asSystem("delete a row", { tenant: "a" }));
    await book.delete(idOf(1, n));
    await tag.delete(idOf(1, n));
  }
  for (const n of [1, 2, 3]) await add("a", idOf(0, n), n, { title: n === 1 ? "Emma" : "Ulysses", price: n });
  // Moderators can restore this one.
  await api.as(asSystem("delete a row", { tenant: "a" })).book.delete(idOf(0, 3));
  for (const shop of ["a", "b"] as const) {
    const { shelf } = api.as(asSystem("fill a shop", { tenant: shop }));
    await shelf.create({ id: idOf(shop === "a" ? 0 : 1, 1), name: "Emma" });
  }
  await add("a", MARK, 9, { title: "Mark", price: 1 }, null);
  return { api, ids, close: async () => api.close() };
}

async function send(
  { api }: World,
  { method, url, body, key, accept }: Asked,
  caller: string,
): Promise<{ status: number; text: string }> {
  const sent = {
    "x-api-key": caller,
    ...(accept !== undefined && { accept }),
    ...(key !== undefined && { "idempotency-key": `"${key}"` }),
  };
  const answer = await api.handle(request(method, url, { headers: sent, body }));
  const { status, headers, body: content } = answer ?? { status: 0, headers: {}, body: "" };
  const text =
    content instanceof Uint8Array ? new TextDecoder().decode(content) : typeof content === "string" ? content : "";
  // The version of a deleted row, or of its history, depends on the time of the deletion.
  const version = url.includes("deleted=") || text !== withoutTimes(text) ? [] : ["ETag"];
  const shown = [...version, "Total-Count", "Link", "Cache-Control", "Idempotent-Replayed"].map(
    (name) => headers[name],
  );
  const visible = [status, ...shown, text];
  return { status, text: withoutTimes(JSON.stringify(visible)) };
}

/** Whether the request had an effect, or found something. */
function isSuccess({ status, text }: { readonly status: number; readonly text: string }, isGraphql: boolean): boolean {
  if (status >= 300) return false;
  if (!isGraphql) return true;
  const { data, errors } = parseBody(text) as { data?: Record<string, unknown>; errors?: unknown };
  if (errors !== undefined) return false;
  return data === undefined || Object.values(data).some((value) => value !== null);
}

function parseBody(text: string): unknown {
  const body = (JSON.parse(text) as readonly unknown[]).at(-1);
  return body === "" ? {} : (JSON.parse(String(body)) ?? {});
}

/** Everything that the other shop has. */
async function theirs({ api }: World): Promise<string> {
  const { book, review, tag, shelf } = api.as(asSystem("look at a shop", { tenant: "b" }));
  const select = { id: true, title: true, isbn: true, deletedAt: true, tags: { select: { id: true } } } as const;
  const books = await book.list({ deleted: "with", select });
  const reviews = await review.list({ deleted: "with" });
  const tags = await tag.list();
  const shelves = await shelf.list();
  return JSON.stringify([books.items, reviews.items, tags.items, shelves.items]);
}

/** Replaces the times of deletions, which are those of the run. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then");
}

interface Kind {
  readonly name: string;
  readonly runs: number;
  readonly missing?: string | undefined;
  /** Creates a store without rows. `side` is the world that it belongs to. */
  readonly open: (side: 0 | 1) => Promise<Store>;
  readonly drop: () => Promise<void>;
}
const nothing = async (): Promise<void> => {};

/** Creates each of two databases once, because creating one takes longer than a run. */
function onServer(
  name: string,
  server: Pick<TestServer, "create" | "missing"> | undefined,
  runs: number,
  options: { readonly rowLevelSecurity?: boolean } = {},
): Kind {
  const databases: TestDatabase[] = [];
  return {
    name,
    runs,
    missing: server?.missing,
    async open(side) {
      if (databases[side] === undefined) databases[side] = (await server?.create()) as TestDatabase;
      else await databases[side].empty();
      return sqlStore({ url: databases[side].url, autoCreate: true, max: 2, ...options });
    },
    drop: async () => {
      for (const database of databases) await database.drop();
    },
  };
}

const KINDS: readonly Kind[] = [
  { name: "memory", runs: 160, open: async () => memoryStore(), drop: nothing },
  { name: "SQLite", runs: 8, open: async () => sqlStore({ url: ":memory:" }), drop: nothing },
  onServer("PostgreSQL", postgres, 3),
  onServer("PostgreSQL with row-level security", limited, 3, { rowLevelSecurity: true }),
  onServer("MariaDB", mysql, 3),
];

/** Whether a door lets the caller through at all, if chance left it out. */
async function opens(door: string, store: Store): Promise<boolean> {
  const world = await createWorld(store, [{ isOwn: true, title: "Emma", price: 1 }]);
  const caller = MODERATED.has(door) ? "amy" : "ada";
  try {
    for (const [index, one] of fc.sample(DOORS[door] as fc.Arbitrary<Asked>, 500).entries()) {
      world.ids.count = 5 * index;
      if (isSuccess(await send(world, one, caller), one.url === "/graphql")) return true;
    }
    return false;
  } finally {
    await world.close();
  }
}

describe.each(KINDS)("$name", ({ name, runs, missing, open, drop }) => {
  const counts: Record<string, { succeeded: number; foreign: number }> = {};
  afterAll(drop);

  test.skipIf(missing !== undefined)(
    "no request crosses the border of a tenant, and none finds deleted rows (A42)",
    { timeout: 240_000 },
    async () => {
      const property = fc.asyncProperty(
        fc.constantFrom("ada", "amy"),
        hiddenRows,
        hiddenRows,
        fc.array(asked, { minLength: 12, maxLength: 24, size: "max" }),
        async (caller, first, second, steps) => {
          // Moderators see the deleted rows of their shop.
          const hidden = [first, second].map((rows) =>
            rows.map((row) => ({ ...row, isOwn: row.isOwn && caller === "ada" })),
          ) as [Hidden[], Hidden[]];
          const worlds = [
            await createWorld(await open(0), hidden[0]),
            await createWorld(await open(1), hidden[1]),
          ] as const;
          const listeners = worlds.map(({ api }) => listen(api));
          try {
            for (const { start } of listeners) await start();
            let before = await Promise.all(worlds.map(theirs));
            for (const [index, { door, asked: one }] of steps.entries()) {
              // The ids of new rows don't depend on what happened in the other shop.
              for (const { ids } of worlds) ids.count = 5 * index;
              const [left, right] = [await send(worlds[0], one, caller), await send(worlds[1], one, caller)];
              expect([one.method, one.url, left.text]).toEqual([one.method, one.url, right.text]);
              // An event contains the row at the time of delivery, so the next write has to wait for it.
              if (one.method !== "GET") await Promise.all(listeners.map(({ settle }) => settle()));
              expect(await Promise.all(worlds.map(theirs))).toEqual(before);
              const count = (counts[door] ??= { succeeded: 0, foreign: 0 });
              const succeeded = isSuccess(left, one.url === "/graphql");
              expect(succeeded && caller === "ada" && MODERATED.has(door)).toBe(false);
              if (succeeded) count.succeeded++;
              if (isForeign(one)) count.foreign++;
              // The other shop works meanwhile, in one world only.
              if (index % 4 > 0) continue;
              const create = { isbn: `b${index}`, title: "Dune", price: 1, code: "GB" };
              await worlds[0].api.as(BEN).book.create(create);
              // It uses the keys of the caller, and the caller itself has an account there.
              const key = KEYS[(index / 4) % KEYS.length] as string;
              const other = { method: "POST", url: "/books", body: { ...create, isbn: `c${index}` }, key };
              for (const elsewhere of ["ben", "elsewhere"]) await send(worlds[0], other, elsewhere);
              before = await Promise.all(worlds.map(theirs));
            }
          } finally {
            for (const { stop } of listeners) await stop();
            for (const world of worlds) await world.close();
          }
          const [left, right] = listeners.map(({ seen }) => seen.map(withoutTimes).sort()) as [string[], string[]];
          expect(left).toEqual(right);
          counts["events"] = { succeeded: (counts["events"]?.succeeded ?? 0) + left.length, foreign: 0 };
        },
      );
      const replay = {
        ...(PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) }),
        ...(PROPERTY_PATH === undefined ? {} : { path: PROPERTY_PATH }),
      };
      await fc.assert(property, { numRuns: runs, ...replay });
      if (process.env["PRINT_COUNTS"] !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(counts["events"]?.succeeded).toBeGreaterThan(name === "memory" ? 0 : -1);
      // Few cases run on databases, so each door only has to succeed in memory.
      const unused = Object.keys(DOORS).filter(
        (door) => name === "memory" && !CLOSED.has(door) && (counts[door]?.succeeded ?? 0) === 0,
      );
      const shut: string[] = [];
      for (const door of unused) if (!(await opens(door, await open(0)))) shut.push(door);
      expect(shut).toEqual([]);
      expect([...CLOSED].filter((door) => name === "memory" && (counts[door]?.foreign ?? 0) === 0)).toEqual([]);
    },
  );

  test.skipIf(missing !== undefined)("an upsert with the key of another tenant's row is a conflict", async () => {
    const world = await createWorld(await open(0), []);
    try {
      const before = await theirs(world);
      const [id, name] = [idOf(1, 1), "Dune"];
      expect((await send(world, { method: "PUT", url: `/shelves/${id}`, body: { name } }, "ada")).status).toBe(409);
      const query = `mutation { replaceShelf(id: "${id}", input: { id: "${id}", name: "${name}" }) { id } }`;
      const { text } = await send(world, { method: "POST", url: "/graphql", body: { query } }, "ada");
      expect(text).toContain("CONFLICT");
      expect(await theirs(world)).toBe(before);
    } finally {
      await world.api.close();
    }
  });
});

function isForeign(one: Asked): boolean {
  return JSON.stringify(one).includes(idOf(1, 1).slice(0, 8));
}
