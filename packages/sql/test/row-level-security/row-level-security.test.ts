import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  type Principal,
  silentLog,
  type Store,
  uuid,
} from "@bifocal/core";
import { queryPostgres as query, type RestrictedDatabase, restrictedDatabase, servers } from "@bifocal/test-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { applyMigrations, checkSchema, planMigration, type SqlStore, sqlStore } from "../../src/index.ts";
import { carelessStore } from "./careless-store.ts";

const missing = servers.find(({ name }) => name === "postgres")?.missing;
const open = { read: allow, create: allow, update: allow, delete: allow };
const tenant = { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined } as const;
const ada = { id: "ada", claims: { shop: "a" } };
const ben = { id: "ben", claims: { shop: "b" } };
const nobody = { id: "cleo" };

/** Shops with books. Each action passes rows of any shop to the store. */
function shops(store: Store) {
  const country = defineResource("country", {
    key: "code",
    fields: { code: z.string(), name: z.string() },
    relations: { books: hasMany("book", "code") },
    access: open,
  });
  const book = defineResource("book", {
    fields: { id: z.uuid(), shopId: z.string(), title: z.string(), code: z.string().nullable() },
    generated: { id: uuid() },
    tenant,
    relations: { country: belongsTo("country", "code"), tags: manyToMany("tag") },
    access: open,
    filterable: ["title"],
    actions: {
      titles: {
        on: "collection",
        output: z.array(z.string()),
        access: allow,
        run: async ({ store: rows }) => (await rows.list({})).map(({ title }) => title).sort(),
      },
      rename: {
        on: "collection",
        input: z.object({ id: z.string() }),
        access: allow,
        run: async ({ store: rows, input }) => void (await rows.update(input.id, { title: "Taken" })),
      },
    },
  });
  const tag = defineResource("tag", {
    fields: { id: z.uuid(), shopId: z.string(), name: z.string() },
    generated: { id: uuid() },
    tenant,
    relations: { books: manyToMany("book") },
    access: open,
  });
  return defineApi({ resources: [country, book, tag], store, log: silentLog });
}
type Shops = ReturnType<typeof shops>;

async function fill(api: Shops) {
  await api.as(asSystem("fill")).country.create({ code: "GB", name: "Britain" });
  const books: Record<string, string> = {};
  for (const [shop, title] of [
    ["a", "Emma"],
    ["b", "Dune"],
  ] as const) {
    const own = api.as(asSystem("fill a shop", { tenant: shop }));
    const { id } = await own.book.create({ title, code: shop === "b" ? "GB" : null });
    const tag = await own.tag.create({ name: `Tag of ${shop}` });
    await own.book.link(id, "tags", tag.id);
    books[shop] = id;
  }
  return books as { readonly a: string; readonly b: string };
}

const titlesOf = async (api: Shops, caller: Principal): Promise<readonly string[]> =>
  (await api.as(caller).book.list()).items.map(({ title }) => title).sort();

describe.skipIf(missing !== undefined)("rowLevelSecurity", () => {
  let database: RestrictedDatabase;
  beforeAll(async () => {
    database = await restrictedDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => query(database.url, `drop owned by current_user cascade`).then(() => grant(database)));

  const stored = (options: { readonly rowLevelSecurity?: boolean; readonly max?: number } = {}): SqlStore =>
    sqlStore({ url: database.url, autoCreate: true, rowLevelSecurity: true, ...options });

  test("gives each caller the rows of its tenant, and system code all of them", async () => {
    const api = shops(stored());
    const { b } = await fill(api);
    expect(await titlesOf(api, ada)).toEqual(["Emma"]);
    expect(await titlesOf(api, asSystem("count"))).toEqual(["Dune", "Emma"]);
    expect(await titlesOf(api, asSystem("count", { tenant: "b" }))).toEqual(["Dune"]);
    expect(await api.as(ben).book.get(b, { select: { tags: { select: { name: true } } } })).toMatchObject({
      tags: [{ name: "Tag of b" }],
    });
    // A row of another tenant references the country.
    await expect(api.as(ada).country.delete("GB")).rejects.toMatchObject({ code: "CONFLICT" });
    await api.as(ben).book.delete(b);
    await api.as(ada).country.delete("GB");
    expect(await titlesOf(api, asSystem("count"))).toEqual(["Emma"]);
    await api.close();
  });

  test("delivers events to the subscribers of the tenant", async () => {
    const api = shops(stored());
    await fill(api);
    const stream = api.as(ada).book.watch();
    const first = stream.next();
    for (let isOver = false; !isOver; ) {
      await api.as(ben).book.create({ title: "Hidden", code: null });
      await api.as(ada).book.create({ title: "Seen", code: null });
      const pause = new Promise<false>((resolve) => setTimeout(() => resolve(false), 100));
      isOver = (await Promise.race([first.then(() => true), pause])) === true;
    }
    expect((await first).value).toMatchObject({ kind: "created", item: { title: "Seen" } });
    await stream.return?.();
    await api.close();
  });

  describe("with a store that ignores the conditions of the engine", () => {
    test.each([
      ["without the option, callers reach every tenant", false, ["Dune", "Emma"], "Taken"],
      ["with the option, they reach their own", true, ["Emma"], "Dune"],
    ])("%s", async (_, rowLevelSecurity, titles, after) => {
      const api = shops(carelessStore(stored({ rowLevelSecurity })));
      const { b } = await fill(api);
      const { book } = api.as(ada);
      expect(await titlesOf(api, ada)).toEqual(titles);
      expect(await book.actions.titles()).toEqual(titles);
      expect((await book.get(b))?.title).toBe(rowLevelSecurity ? undefined : "Dune");
      expect((await api.as(ada).tag.list()).items).toHaveLength(titles.length);
      await book.actions.rename({ id: b }).catch(() => {});
      const [row] = await query(database.superUrl, `select title from books where shop_id = 'b'`);
      expect(row).toEqual({ title: after });
      await api.close();
    });

    test("callers of two tenants that share connections and batches don't mix", async () => {
      const api = shops(carelessStore(stored({ max: 2 })));
      const { a, b } = await fill(api);
      const reads = Array.from({ length: 200 }, async (_, at) => {
        const caller = at % 2 === 0 ? ada : ben;
        const [own, other] = at % 2 === 0 ? [a, b] : [b, a];
        if (at % 10 === 0) await api.as(caller).book.update(own, { code: null });
        const titles = await titlesOf(api, caller);
        const [found, hidden] = [await api.as(caller).book.get(own), await api.as(caller).book.get(other)];
        return [...titles, found?.title, hidden];
      });
      const seen = await Promise.all(reads);
      expect(seen.filter((_, at) => at % 2 === 0)).toEqual(Array(100).fill(["Emma", "Emma", null]));
      expect(seen.filter((_, at) => at % 2 === 1)).toEqual(Array(100).fill(["Dune", "Dune", null]));
      await api.close();
    });
  });

  test("a connection without a tenant reaches no row, also along links", async () => {
    const api = shops(stored());
    await fill(api);
    await api.close();
    expect(await query(database.url, "select * from books")).toEqual([]);
    expect(await query(database.url, "select * from book_tag")).toEqual([]);
    const set = (value: string): string => `select set_config('bifocal.tenant', '${value}', false);`;
    expect(await query(database.url, `${set("=a")} select title from books`)).toEqual([{ title: "Emma" }]);
    expect(await query(database.url, `${set("=a")} select * from book_tag`)).toHaveLength(1);
    expect(await query(database.url, `${set("*")} select * from books`)).toHaveLength(2);
    await expect(
      query(database.url, `${set("=a")} insert into books values (gen_random_uuid(), 'b', 'Mine', null)`),
    ).rejects.toThrow("row-level security");
  });

  test("statements without conditions change no row of another tenant", async () => {
    const api = shops(stored());
    await fill(api);
    await api.close();
    const as = "select set_config('bifocal.tenant', '=a', false);";
    const titles = (): Promise<readonly unknown[]> =>
      query(database.superUrl, "select shop_id, title from books order by shop_id");
    await query(database.url, `${as} update books set title = 'Changed'`);
    expect(await titles()).toEqual([
      { shop_id: "a", title: "Changed" },
      { shop_id: "b", title: "Dune" },
    ]);
    await expect(query(database.url, `${as} update books set shop_id = 'b'`)).rejects.toThrow("row-level security");
    await query(database.url, `${as} delete from book_tag; delete from books`);
    expect(await titles()).toEqual([{ shop_id: "b", title: "Dune" }]);
    expect(await query(database.superUrl, "select * from book_tag")).toHaveLength(1);
  });

  test("doesn't start if resources have different tenants", async () => {
    const access = { read: allow, create: allow, update: allow, delete: allow };
    const fields = { id: z.uuid(), shopId: z.string() };
    const book = defineResource("book", { fields, access, tenant });
    const tag = defineResource("tag", { fields, access, tenant: { field: "shopId", of: ({ id }: Principal) => id } });
    const define = () => defineApi({ resources: [book, tag], store: stored(), log: silentLog });
    expect(define).toThrow("'book' and 'tag' have different functions in `tenant.of`");
  });

  test("doesn't start with a role that ignores policies", async () => {
    const api = shops(sqlStore({ url: database.superUrl, autoCreate: true, rowLevelSecurity: true }));
    await expect(api.ready).rejects.toMatchObject(because("superuser or has BYPASSRLS"));
    await api.close();
  });

  test("doesn't start with tables that have no policies, until migrations create them", async () => {
    const before = shops(stored({ rowLevelSecurity: false }));
    await fill(before);
    await before.close();
    const api = shops(stored());
    await expect(api.ready).rejects.toMatchObject(because("`rowLevelSecurity`: books, tags, book_tag."));
    const plan = await planMigration(api);
    expect(plan.steps.map(({ title }) => title)).toEqual([
      "limit the rows of books by tenant",
      "limit the rows of tags by tenant",
      "limit the rows of book_tag by tenant",
    ]);
    await query(database.url, plan.steps.flatMap(({ statements }) => statements).join(";"));
    expect(await checkSchema(api)).toEqual([]);
    await api.close();

    const store = stored();
    const limited = shops(store);
    expect(await titlesOf(limited, ada)).toEqual(["Emma"]);
    const folder = await mkdtemp(join(tmpdir(), "bifocal-"));
    await writeFile(join(folder, "0001_rename.sql"), "update books set title = title || '!';\n");
    await applyMigrations(store, { folder });
    expect(await titlesOf(limited, asSystem("count"))).toEqual(["Dune!", "Emma!"]);
    expect(await titlesOf(limited, ben)).toEqual(["Dune!"]);
    await limited.close();

    const without = shops(stored({ rowLevelSecurity: false }));
    const back = await planMigration(without);
    expect(back.steps.map(({ title }) => title)).toContain("drop the tenant policy of books");
    await query(database.url, back.steps.flatMap(({ statements }) => statements).join(";"));
    expect(await checkSchema(without, { folder })).toEqual([]);
    expect(await query(database.url, "select * from books")).toHaveLength(2);
    await rm(folder, { recursive: true });
    await without.close();
  });

  test("a caller without tenant reaches no row along relations", async () => {
    const api = shops(carelessStore(stored()));
    await fill(api);
    const { items } = await api.as(nobody).country.list({ select: { code: true, books: { select: { title: true } } } });
    expect(items).toEqual([{ code: "GB", books: [] }]);
    await api.close();
  });
});

test("rowLevelSecurity is rejected where it has no effect", () => {
  const message = "`rowLevelSecurity` needs PostgreSQL and a `url`";
  expect(() => sqlStore({ url: ":memory:", rowLevelSecurity: true })).toThrow(message);
  expect(() => sqlStore({ kysely: {} as never, rowLevelSecurity: true })).toThrow(message);
});

function because(message: string) {
  return { cause: { message: expect.stringContaining(message) as string } };
}

async function grant({ superUrl, url }: RestrictedDatabase): Promise<void> {
  await query(superUrl, `grant all on schema public to ${new URL(url).username}`);
}
