import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, belongsTo, defineApi, defineResource } from "@bifocal/core";
import type { ResourceModel } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { applyMigrations, sqlStore } from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.string().max(36), name: z.string() }, access });
const fields = {
  shelf: z.int32(),
  id: z.string().max(36),
  title: z.string(),
  text: z.string().nullable(),
  authorId: z.string().max(36).nullable(),
};
const relations = { author: belongsTo("author", "authorId") };
const note = defineResource("note", {
  key: ["shelf", "id"],
  fields,
  relations,
  access,
  search: ["title", "author.name", "text"],
});

const [server] = servers.filter(({ name }) => name === "mysql");

describe.skipIf(server?.missing !== undefined)("the words of texts in MySQL", () => {
  let database: TestDatabase;
  let other: mysql.Connection;
  const opened: { readonly close: () => Promise<void> }[] = [];
  beforeAll(async () => {
    database = (await server?.create()) as TestDatabase;
    other = await mysql.createConnection(database.url);
  }, 60_000);
  afterAll(async () => {
    await other.end();
    await database.drop();
  });
  beforeEach(() => database.clear());
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  const openApi = async (store = sqlStore({ url: database.url, autoCreate: true, foreignKeys: false })) => {
    const api = defineApi({ resources: [author, note], store });
    opened.push(api);
    await api.ready;
    return { ...api, store };
  };
  type Api = Awaited<ReturnType<typeof openApi>>;

  const add = ({ local }: Api, id: string, title: string, authorId: string | null = null): Promise<unknown> =>
    local.note.create({ shelf: 1, id, title, text: null, authorId });
  const search = async ({ local }: Pick<Api, "local">, words: string): Promise<string> => {
    const { items } = await local.note.list({ search: words });
    return items
      .map(({ id }) => id)
      .sort()
      .join("");
  };
  const unindexed = async (): Promise<unknown> => {
    const [rows] = await other.query<mysql.RowDataPacket[]>("select count(title_unindexed) as n from notes");
    return rows[0]?.["n"];
  };

  test("are indexed with each write", async () => {
    const api = await openApi();
    await add(api, "a", "The Émile, or 12 a");
    await add(api, "b", "of the in");
    expect(await unindexed()).toBe(0);
    // Short words and stop words of the database count like all others.
    expect(await search(api, "the")).toBe("ab");
    expect(await search(api, "a emile")).toBe("a");
    expect(await search(api, "in of")).toBe("b");
    await api.local.note.update({ shelf: 1, id: "a" }, { title: "Else" });
    expect(await search(api, "emile")).toBe("");
    expect(await search(api, "els")).toBe("a");
    expect(await unindexed()).toBe(0);
  });

  test("tells long words apart, of which the index has only the start", async () => {
    const api = await openApi();
    const long = "日本".repeat(40);
    await add(api, "a", `${long}a`);
    await add(api, "b", `${long}b`);
    expect(await search(api, `${long}a`)).toBe("a");
    expect(await search(api, long)).toBe("ab");
    expect(await search(api, `${long} ${long}b`)).toBe("");
    expect(await unindexed()).toBe(0);
  });

  test("finds rows that another program wrote, and indexes them when a store opens", async () => {
    const api = await openApi();
    await api.local.author.create({ id: "x", name: "Jane" });
    for (const id of ["a", "b", "c"]) await add(api, id, "Émma", "x");
    await other.query(
      "insert into notes (shelf, id, title, author_id) values (1, 'd', 'EMMA', null), (2, 'e', 'Ema', 'x')",
    );
    await other.query("update notes set title = 'Else' where id = 'a'");
    await other.query("update notes set title = 'Another', title_words = null where id = 'c'");
    await other.query("delete from notes where id = 'b'");
    await other.query("update authors set name = 'Ann'");
    const expected = { emma: "d", else: "a", another: "c", jane: "", "ann e": "ae" };
    const found = async (one: Api): Promise<unknown> => {
      const entries = Object.keys(expected).map(async (words) => [words, await search(one, words)] as const);
      return Object.fromEntries(await Promise.all(entries));
    };
    expect(await found(api)).toEqual(expected);
    expect(await unindexed()).toBe(4);
    const next = await openApi();
    expect(await unindexed()).toBe(0);
    expect(await found(next)).toEqual(expected);
  });

  test("finds the rows that the same transaction wrote", async () => {
    const { store, "~stores": uses } = await openApi();
    const resource = uses[0]?.model.resources.get("note") as ResourceModel;
    const filter = { kind: "compare", field: "title", operator: "hasWord", value: "emma" } as const;
    const sort = [{ path: ["id"], descending: false }] as const;
    const context = { signal: undefined };
    const query = { resource, filter, sort, limit: 9 };
    const row = { shelf: 1, id: "a", title: "Emma", text: null, authorId: null };
    expect((await store.list(query, context)).rows).toEqual([]);
    await store.transaction?.(async (inner) => {
      await inner.insert({ resource, rows: [row] }, context);
      expect((await inner.list(query, context)).rows).toEqual([row]);
      expect((await store.list(query, context)).rows).toEqual([]);
    }, context);
    expect((await store.list(query, context)).rows).toEqual([row]);
  });

  test("finds rows that a migration has indexed", { timeout: 90_000 }, async () => {
    await openApi();
    const numbers = Array.from({ length: 1_000 }, (_, at) => at);
    await other.query("insert into authors (id, name) values ?", [numbers.map((at) => [`${at}`, `Author${at}`])]);
    const rows = numbers.map((at) => [1, `${at}`, `Word${at}`, `${at}`]);
    await other.query("insert into notes (shelf, id, title, author_id) values ?", [rows]);
    const store = sqlStore({ url: database.url });
    const folder = await mkdtemp(join(tmpdir(), "bifocal-words-"));
    try {
      await applyMigrations(store, { folder });
    } finally {
      await store.close?.();
      await rm(folder, { recursive: true });
    }
    expect(await unindexed()).toBe(0);
    const api = await openApi();
    expect(await search(api, "author207")).toBe("207");
    expect(await search(api, "author207 word207")).toBe("207");
  });

  test("finds rows by the index, in own fields and along relations", { timeout: 90_000 }, async () => {
    await openApi();
    const rows = Array.from({ length: 5_000 }, (_, at) => [1, `${at}`, `Word${at}`, `${at % 1_000}`]);
    await other.query("insert into notes (shelf, id, title, author_id) values ?", [rows]);
    await other.query(
      "insert into authors (id, name) select distinct author_id, concat('Author', author_id) from notes",
    );
    const api = await openApi();
    expect(await unindexed()).toBe(0);
    await other.query("analyze table notes, authors");
    expect(await search(api, "author207 word4207")).toBe("4207");
    const { statements } = await api.store.explain(() => api.local.note.list({ search: "jane em" }));
    const text = statements.map(({ sql }) => sql).find((sql) => sql.includes("against")) as string;
    const values = Array.from(text.matchAll(/\?/g), () => "w__x");
    // The optimizer counts index entries that are deleted until the database has purged them.
    await vi.waitFor(
      async () => {
        const [plan] = await other.query<mysql.RowDataPacket[]>(`explain ${text}`, values);
        expect(plan.filter(({ type }) => type === "fulltext")).not.toEqual([]);
        expect(plan.filter(({ table, type }) => type === "ALL" && /^(?:t\d|notes|authors)$/.test(table))).toEqual([]);
      },
      { timeout: 60_000, interval: 200 },
    );
  });
});
