import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { allow, belongsTo, defineApi, defineResource } from "@bifocal/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { applyMigrations, checkSchema, planMigration, sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.string(), name: z.string() }, access });
const fields = { id: z.string(), title: z.string(), text: z.string().nullable(), authorId: z.string().nullable() };
const relations = { author: belongsTo("author", "authorId") };
const note = defineResource("note", { fields, relations, access, search: ["title", "author.name", "text"] });

let folder: string;
let other: DatabaseSync;
const opened: { readonly close: () => Promise<void> }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bifocal-words-"));
  other = new DatabaseSync(join(folder, "notes.db"));
});
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const openStore = (autoCreate = true) =>
  sqlStore({ url: `sqlite:${join(folder, "notes.db")}`, foreignKeys: false, autoCreate });
const openApi = async (store = openStore()) => {
  const api = defineApi({ resources: [author, note], store });
  opened.push(api);
  await api.ready;
  return api;
};
type Api = Awaited<ReturnType<typeof openApi>>;

const count = (from: string): unknown => other.prepare(`select count(*) as n from ${from}`).get()?.["n"];
const search = async ({ local }: Api, words: string): Promise<string> =>
  (await local.note.list({ search: words })).items
    .map(({ id }) => id)
    .sort()
    .join("");

test("indexes the words of a row with each write", async () => {
  const { local } = await openApi();
  await local.note.create({ id: "a", title: "Émma", text: "O'Brien's", authorId: null });
  const found = (): unknown => count("bifocal_words_notes('emma AND brien OR novel')");
  expect(found()).toBe(1);
  await local.note.update("a", { title: "A novel" });
  expect(found()).toBe(1);
  await local.note.update("a", { title: "Else" });
  expect(found()).toBe(0);
  await expect(local.note.create({ id: "a", title: "A novel", text: null, authorId: null })).rejects.toThrow("exists");
  expect(found()).toBe(0);
  await local.note.delete("a");
  expect(count("bifocal_words_notes('else')")).toBe(0);
  expect(count("bifocal_unindexed_notes")).toBe(0);
});

test("finds rows that another program wrote, and indexes them when a store opens", async () => {
  const api = await openApi();
  await api.local.author.create({ id: "x", name: "Jane" });
  for (const id of ["a", "b", "c"]) await api.local.note.create({ id, title: "Émma", text: null, authorId: "x" });
  other.exec(`
    insert into notes (id, title, text, author_id) values ('d', 'EMMA', null, null), ('e', 'Ema', 'émma', 'x');
    update notes set title = 'Else' where id = 'a';
    delete from notes where id = 'b';
    insert or replace into notes (id, title, text, author_id) values ('c', 'Another', null, 'x');
    update authors set name = 'Ann' where id = 'x'`);
  const expected = { emma: "de", else: "a", another: "c", jane: "", "ann e": "ae" };
  const found = async (one: Api): Promise<unknown> =>
    Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (words) => [words, await search(one, words)] as const)),
    );
  expect(await found(api)).toEqual(expected);
  expect(count("bifocal_unindexed_notes")).toBe(4);
  const next = await openApi();
  expect(count("bifocal_unindexed_notes")).toBe(0);
  expect(count("bifocal_unindexed_authors")).toBe(0);
  expect(await found(next)).toEqual(expected);
});

test("follows a row whose row id changes", async () => {
  const api = await openApi();
  await api.local.note.create({ id: "a", title: "Emma", text: null, authorId: null });
  other.exec("update notes set rowid = 77 where id = 'a'");
  expect(await search(api, "emma")).toBe("a");
  await openApi();
  expect(await search(api, "emma")).toBe("a");
  expect(count("bifocal_words_notes('emma')")).toBe(1);
});

test("indexes the rows of existing tables in a migration, also when the table is rebuilt", async () => {
  const store = openStore(false);
  const api = defineApi({ resources: [author, note], store });
  opened.push(api);
  other.exec(`
    create table authors (id text primary key, name text not null);
    create table notes (id text primary key, title text not null, text text, author_id text, old text);
    insert into notes (id, title) values ('x', 'X'), ('a', 'Émma'), ('b', 'Else');
    delete from notes where id = 'x'`);
  const migrate = async (): Promise<string> => {
    const plan = await planMigration(api, { folder });
    await store["~schema"]?.write(folder, plan);
    await applyMigrations(store, { folder, allowDestructive: true });
    return plan.text;
  };
  expect(await migrate()).toContain("-- rebuild table notes: drop column old");
  expect(count("bifocal_words_notes('emma')")).toBe(1);
  expect(count("bifocal_unindexed_notes")).toBe(0);
  expect(await checkSchema(api, { folder })).toEqual([]);
  // The row ids of the new table differ.
  other.exec("alter table notes add column old text");
  await migrate();
  expect(await search(api as Api, "emma")).toBe("a");
  expect(count("bifocal_words_notes('emma')")).toBe(1);
});

test("finds rows by the index, in own fields and along relations", async () => {
  const store = openStore();
  const api = await openApi(store);
  const { statements } = await store.explain(() => api.local.note.list({ search: "jane em" }));
  other.function("bifocal_has_word", { varargs: true }, () => 0);
  other.function("bifocal_go_on", () => 1);
  const [list] = statements.filter(({ sql }) => sql.includes("bifocal_words_notes"));
  const plan = other.prepare(`explain query plan ${list?.sql}`).all();
  const lines = plan.map(({ detail }) => detail as string);
  expect(lines).toContainEqual(expect.stringMatching(/^SEARCH t0 USING INTEGER PRIMARY KEY/));
  expect(lines).toContainEqual(expect.stringMatching(/^SEARCH t0 USING INDEX notes_author_id_idx/));
  expect(lines.filter((line) => line.startsWith("SCAN t"))).toEqual([]);
  expect(list?.advice).toEqual([]);
});
