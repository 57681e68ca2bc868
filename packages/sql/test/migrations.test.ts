import { allow, belongsTo, decimal, defineApi, defineResource, hasMany, memoryStore, sequence } from "@bifocal/core";
import type { SchemaPlan, SchemaTools, StoreUse } from "@bifocal/core/store";
import { servers, type TestDatabase, type TestServer } from "@bifocal/test-servers";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Dialect, Kysely } from "kysely";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { applyMigrations, checkSchema, planMigration, sqlStore, type SqlStoreOptions } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
/** Milliseconds that a server may take to create or drop a database. */
const HOOK = 60_000;
const CONTEXT = { signal: undefined };

interface Book {
  readonly fields?: Readonly<Record<string, z.ZodType>>;
  readonly key?: readonly string[];
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Books with a key and these fields only. */
function booksOf({ fields = {}, more = {} }: Book) {
  const config = { fields: { id: z.int32(), title: z.string(), ...fields }, access, ...more };
  return defineApi({ resources: [defineResource("book", config)], store: memoryStore() }).model;
}

for (const server of servers) {
  const { name, missing } = server;
  describe.skipIf(missing !== undefined)(`${name} ${missing ?? ""}`, () => {
    migrationsOf(server);
  });
}

function migrationsOf({ name, create }: TestServer): void {
  let database: TestDatabase;
  let folder: string;
  let hands = 0;
  const open: StoreUse[] = [];
  beforeAll(async () => {
    database = await create();
  }, HOOK);
  afterAll(() => database.drop(), HOOK);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bifocal-migrations-"));
  });
  afterEach(async () => {
    for (const { store } of open.splice(0)) await store.close?.();
    await database.clear();
    rmSync(folder, { recursive: true });
  });

  function use(book: Book, options: SqlStoreOptions = {}): StoreUse & { readonly tools: SchemaTools } {
    const model = booksOf(book);
    const store = sqlStore({ url: database.url, autoCreate: false, max: 2, ...options });
    const one = { store, model, resources: [...model.resources.values()] };
    open.push(one);
    return { ...one, tools: store["~schema"] as SchemaTools };
  }

  async function migrate(book: Book, rows: readonly Readonly<Record<string, string | number | null>>[] = []) {
    const one = use(book);
    await one.tools.write(folder, await one.tools.plan(one, folder));
    await one.tools.apply(folder, { allowDestructive: true });
    if (rows.length > 0) {
      await one.store.open(one.model, one.resources);
      await one.store.insert({ resource: one.model.resources.get("book") as never, rows }, CONTEXT);
    }
    return one;
  }

  /** Runs statements of the test, as another tool could. */
  async function run(text: string): Promise<void> {
    const file = join(folder, `${9_000 + ++hands}_by_hand.sql`);
    writeFileSync(file, text);
    await sqlStore({ url: database.url, autoCreate: false })["~schema"]?.apply(folder, { allowDestructive: true });
    rmSync(file);
  }

  async function plan(book: Book, options: SqlStoreOptions = {}): Promise<SchemaPlan> {
    const one = use(book, options);
    return one.tools.plan(one, folder);
  }

  const dangersOf = ({ steps }: SchemaPlan): readonly string[] => steps.flatMap(({ danger }) => danger ?? []);

  test("creates the table of a history beside existing rows", async () => {
    await migrate({}, [{ id: 1, title: "Emma" }]);
    const more = { history: true };
    const { steps } = await plan({ more });
    expect(steps).toMatchObject([{ title: "create table book_histories" }]);
    expect(JSON.stringify(steps)).toMatch(/create index [^;]*\(\W*book_id\W/);
    await migrate({ more });
    expect((await plan({ more })).steps).toEqual([]);
    const book = defineResource("book", { fields: { id: z.int32(), title: z.string() }, access, history: true });
    const store = sqlStore({ url: database.url, autoCreate: false, max: 2 });
    const { local, ready, close } = defineApi({ resources: [book], store });
    await ready;
    await local.book.update(1, { title: "Persuasion" });
    const { items } = await local.book.history(1);
    await close();
    expect(items).toMatchObject([{ operation: "update", changes: [{ from: "Emma", to: "Persuasion" }] }]);
    expect(dangersOf(await plan({}))).toEqual(["deletes all rows of the table"]);
  });

  test("creates Bifocal's own tables first", async () => {
    const { steps } = await plan({});
    const created = steps.flatMap(({ title }) => /^create table (\S+)/.exec(title)?.[1] ?? []);
    expect(created.at(-1)).toBe("books");
    expect(created.slice(0, -1).sort()).toEqual(["bifocal_event", "bifocal_event_log", "bifocal_receipt"]);
  });

  test("reports a renamed column as a dropped and a new one, with a hint", async () => {
    await migrate({ fields: { isbn: z.string() } }, [{ id: 1, title: "A", isbn: "1" }]);
    const { steps } = await plan({ fields: { code: z.string().nullable() } });
    expect(steps.flatMap(({ hint }) => hint ?? [])).toEqual([
      "If it was renamed, write `alter table books rename column isbn to …` by hand instead (new: code).",
    ]);
    expect(dangersOf(await plan({ fields: { code: z.string().nullable() } })).join()).toContain(
      "deletes the data in this column",
    );
  });

  test("a destructive migration of existing tables needs the flag, and on a new database it doesn't", async () => {
    await run("create table books (id integer primary key, title varchar(100) not null, isbn varchar(20))");
    await run("drop table bifocal_migration; insert into books values (1, 'A', '1')");
    const { tools, ...one } = use({});
    await tools.write(folder, await tools.plan(one, folder));
    await expect(tools.apply(folder, {})).rejects.toThrow("--allow-destructive");
    await database.clear();
    const [made] = readdirSync(folder);
    rmSync(join(folder, made ?? ""));
    writeFileSync(join(folder, "0001_create_books.sql"), "create table books (id integer primary key, isbn integer)");
    const drop = "-- destructive: deletes the data in this column\nalter table books drop column isbn";
    writeFileSync(join(folder, "0002_change_books.sql"), drop);
    expect(await use({}).tools.apply(folder, {})).toHaveLength(2);
  });

  test("a required column without a default is a danger if there are rows", async () => {
    await migrate({});
    const next = { fields: { pages: z.int32() } };
    expect(dangersOf(await plan(next))).toEqual([]);
    const one = use({});
    await one.store.open(one.model, one.resources);
    await one.store.insert({ resource: one.resources[0] as never, rows: [{ id: 1, title: "A" }] }, CONTEXT);
    expect(dangersOf(await plan(next)).join()).toContain("existing rows of books have no value for it");
    expect(dangersOf(await plan({ fields: { pages: z.int32().default(3) } }))).toEqual([]);
    const forced = use(next);
    await forced.tools.write(folder, await forced.tools.plan(forced, folder));
    await expect(forced.tools.apply(folder, { allowDestructive: true })).rejects.toThrow(/failed: /);
  });

  test("a column that becomes required is a danger if it contains null", async () => {
    const nullable = { fields: { pages: z.int32().nullable() } };
    await migrate(nullable, [{ id: 1, title: "A", pages: null }]);
    expect(dangersOf(await plan({ fields: { pages: z.int32() } })).join()).toContain("some rows have no value");
    await run("update books set pages = 7;");
    expect(dangersOf(await plan({ fields: { pages: z.int32() } }))).toEqual([]);
  });

  test("a narrower type is a danger, and a wider one isn't", async () => {
    await migrate({ fields: { size: z.int32(), ratio: z.number() } }, [{ id: 1, title: "A", size: 5, ratio: 1.5 }]);
    expect(dangersOf(await plan({ fields: { size: z.number(), ratio: z.number() } }))).toEqual([]);
    expect(dangersOf(await plan({ fields: { size: z.int32(), ratio: z.int() } })).join()).toContain(" fits ");
    const wide = await migrate({ fields: { size: z.string(), ratio: z.number() } });
    expect(await wide.tools.check(wide, folder)).toEqual([]);
    await wide.store.open(wide.model, wide.resources);
    const rows = await wide.store.byKeys({ resource: wide.resources[0] as never, keys: [1] }, CONTEXT);
    expect(rows).toEqual([{ id: 1, title: "A", size: "5", ratio: 1.5 }]);
  });

  test("converts decimals to a wider format, to text, and back", async () => {
    const price = (precision: number, scale: number): Book => ({ fields: { price: decimal({ precision, scale }) } });
    const pricesIn = async ({ store, model, resources }: StoreUse): Promise<readonly unknown[]> => {
      await store.open(model, resources);
      const rows = await store.byKeys({ resource: resources[0] as never, keys: [1, 2, 3] }, CONTEXT);
      return rows.map((row) => row["price"]);
    };
    await migrate(price(6, 2), [
      { id: 1, title: "A", price: "12.50" },
      { id: 2, title: "B", price: "-0.05" },
      { id: 3, title: "C", price: "9999.99" },
    ]);
    expect((await plan(price(6, 2))).steps).toEqual([]);
    expect(dangersOf(await plan(price(8, 3)))).toEqual([]);
    expect(dangersOf(await plan(price(6, 1))).join()).toContain(" fits ");
    const wide = await migrate(price(8, 3));
    expect(await wide.tools.check(wide, folder)).toEqual([]);
    expect(await pricesIn(wide)).toEqual(["12.500", "-0.050", "9999.990"]);
    if (name !== "sqlite") return;
    // The other databases keep the numeric column under a text field.
    const text = await migrate({ fields: { price: z.string() } });
    expect(await pricesIn(text)).toEqual(["12.500", "-0.050", "9999.990"]);
    expect(dangersOf(await plan(price(8, 3))).join()).toContain(" fits ");
    expect(await pricesIn(await migrate(price(8, 3)))).toEqual(["12.500", "-0.050", "9999.990"]);
    expect(await pricesIn(await migrate(price(8, 1)))).toEqual(["12.5", "-0.1", "10000.0"]);
  });

  const WORDS_STEPS: Partial<Record<string, readonly [add: readonly string[], drop: readonly string[]]>> = {
    postgres: [
      ["add column books.title_words", "add index books_title_words_idx on books (title_words)"],
      ["drop index books_title_words_idx of books", "drop column books.title_words"],
    ],
    sqlite: [["index the words of books (title)"], ["drop the words of books"]],
    mysql: [
      [
        "add column books.title_words",
        "add column books.title_unindexed",
        "add index books_title_words_idx on books (title_words)",
        "add index books_title_unindexed_idx on books (title_unindexed, id)",
      ],
      [
        "drop index books_title_unindexed_idx of books",
        "drop index books_title_words_idx of books",
        "drop column books.title_unindexed",
        "drop column books.title_words",
      ],
    ],
  };
  test.runIf(name in WORDS_STEPS)("adds, fills and drops the words of searched fields", async () => {
    const searched = { more: { search: ["title"] } };
    const [added, dropped] = WORDS_STEPS[name] as readonly [readonly string[], readonly string[]];
    await migrate({}, [{ id: 1, title: "Émile or education" }]);
    const { steps } = await plan(searched);
    expect(steps.map(({ title }) => title)).toEqual(added);
    expect(dangersOf({ steps } as SchemaPlan)).toEqual([]);
    const one = await migrate(searched);
    expect(await one.tools.check(one, folder)).toEqual([]);
    await one.store.open(one.model, one.resources);
    const [resource] = one.resources;
    await run("insert into books (id, title) values (2, 'EMILE'), (3, 'Emma');");
    const filter = { kind: "compare", field: "title", operator: "hasWord", value: "emile" } as const;
    const sort = [{ path: ["id"], descending: false }] as const;
    const page = await one.store.list({ resource: resource as never, filter, sort, limit: 9 }, CONTEXT);
    expect(page.rows.map(({ id }) => id)).toEqual([1, 2]);
    const back = await plan({});
    expect(back.steps.map(({ title }) => title)).toEqual(dropped);
    expect(dangersOf(back)).toEqual([]);
    await migrate({});
    // Without the column, the store still finds the rows.
    const bare = use(searched);
    await bare.store.open(bare.model, bare.resources);
    const found = await bare.store.list({ resource: bare.resources[0] as never, filter, sort, limit: 9 }, CONTEXT);
    expect(found.rows.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("searches a field whose column of words would have the name of another field's column", async () => {
    const fields = { titleWords: z.int32().nullable() };
    const { store, model, resources } = await migrate({ fields, more: { search: ["title"] } }, [
      { id: 1, title: "Emma", titleWords: null },
    ]);
    await store.open(model, resources);
    const filter = { kind: "compare", field: "title", operator: "hasWord", value: "emma" } as const;
    const sort = [{ path: ["id"], descending: false }] as const;
    const { rows } = await store.list({ resource: resources[0] as never, filter, sort, limit: 9 }, CONTEXT);
    expect(rows).toHaveLength(1);
  });

  test("gives existing rows the default of a new decimal", async () => {
    await migrate({}, [{ id: 1, title: "A" }]);
    const fields = { fee: decimal({ precision: 5, scale: 2 }).default("1.5") };
    expect(dangersOf(await plan({ fields }))).toEqual([]);
    const { store, model, resources } = await migrate({ fields });
    await store.open(model, resources);
    expect(await store.byKeys({ resource: resources[0] as never, keys: [1] }, CONTEXT)).toMatchObject([
      { fee: "1.50" },
    ]);
  });

  test.runIf(name === "postgres")("doesn't round decimals that get fewer digits", async () => {
    await migrate({ fields: { price: decimal({ precision: 6, scale: 2 }) } }, [{ id: 1, title: "A", price: "1.25" }]);
    await expect(migrate({ fields: { price: decimal({ precision: 6, scale: 1 }) } })).rejects.toThrow(
      "too many digits after the point: 1.25",
    );
  });

  test.runIf(name === "sqlite")("refuses decimals that 64 bits can't hold", async () => {
    await expect(plan({ fields: { price: decimal({ precision: 19, scale: 2 }) } })).rejects.toThrow(
      "SQLite stores decimals of at most 18 digits",
    );
  });

  // SQLite has one type for both.
  test.skipIf(name === "sqlite")("converts text to JSON and back", async () => {
    await migrate({ fields: { note: z.string() } }, [{ id: 1, title: "A", note: 'it\'s "so"' }]);
    await migrate({ fields: { note: z.json() } });
    const back = await migrate({ fields: { note: z.string() } });
    await back.store.open(back.model, back.resources);
    const rows = await back.store.byKeys({ resource: back.resources[0] as never, keys: [1] }, CONTEXT);
    expect(rows).toMatchObject([{ note: 'it\'s "so"' }]);
  });

  test("changes the key, also to a sequence", async () => {
    await migrate({ fields: { shelf: z.int32() }, more: { key: ["id"] } }, [{ id: 4, title: "A", shelf: 2 }]);
    const counted = await migrate({ fields: { shelf: z.int32() }, more: { generated: { id: sequence() } } });
    await counted.store.open(counted.model, counted.resources);
    const resource = counted.resources[0] as never;
    const [row] = await counted.store.insert({ resource, rows: [{ title: "B", shelf: 1 }] }, CONTEXT);
    expect(row).toEqual({ id: 5, title: "B", shelf: 1 });
    const both = await migrate({ fields: { shelf: z.int32() }, more: { key: ["shelf", "id"] } });
    expect(await both.tools.check(both, folder)).toEqual([]);
    const back = await migrate({ fields: { shelf: z.int32() }, more: { key: ["id"] } });
    expect(await back.tools.check(back, folder)).toEqual([]);
  });

  test("adds and drops unique groups", async () => {
    const fields = { isbn: z.string(), shelf: z.int32() };
    for (const unique of [[], [["isbn"]], [["shelf", "isbn"]], [["isbn"], ["shelf"]], []]) {
      const one = await migrate({ fields, more: { unique } });
      expect(await one.tools.check(one, folder)).toEqual([]);
    }
  });

  test("reports a dropped unique group as destructive unless another constraint covers it", async () => {
    const fields = { isbn: z.string(), shelf: z.int32(), deletedAt: z.iso.datetime().nullable() };
    await migrate({ fields, more: { unique: [["isbn"], ["shelf", "isbn"]] } });
    const dropped = await plan({ fields });
    const dangers = dangersOf(dropped).join("; ");
    expect(dangers).toContain("allows rows with the same isbn");
    expect(dangers).toContain("allows rows with the same shelf and isbn");
    expect(dropped.text).toContain("-- To keep the constraint, add its fields to `unique` of the resource.");
    expect(dangersOf(await plan({ fields, more: { unique: [["isbn"]] } }))).toEqual([]);
    expect(dangersOf(await plan({ fields, more: { unique: [["shelf"]] } }))).toEqual([
      "allows rows with the same isbn",
    ]);
    const softDelete = { unique: [["isbn"], ["shelf", "isbn"]], softDelete: "deletedAt" };
    expect(dangersOf(await plan({ fields, more: softDelete }))).toEqual([]);
    const { isbn: _, ...others } = fields;
    expect(dangersOf(await plan({ fields: others })).join("; ")).toMatch(/^(isbn: )?deletes the data in this column$/);
  });

  test("changes unique groups when soft delete is added and removed", async () => {
    const fields = { isbn: z.string(), deletedAt: z.iso.datetime().nullable() };
    const both = { fields, more: { unique: [["isbn"], ["isbn", "title"]], softDelete: "deletedAt" } };
    const one = await migrate({ fields, more: { unique: [["isbn"]] } }, [
      { id: 1, title: "A", isbn: "1", deletedAt: null },
      { id: 2, title: "B", isbn: "2", deletedAt: "2026-01-01T00:00:00.000Z" },
    ]);
    expect(await one.tools.check(one, folder)).toEqual([]);
    const soft = await migrate(both);
    expect(await soft.tools.check(soft, folder)).toEqual([]);
    await soft.store.open(soft.model, soft.resources);
    const resource = soft.resources[0] as never;
    const insert = async (id: number, isbn: string): Promise<unknown> =>
      soft.store.insert({ resource, rows: [{ id, title: "C", isbn, deletedAt: null }] }, CONTEXT);
    await insert(3, "2");
    await expect(insert(4, "1")).rejects.toMatchObject({ fields: ["isbn"] });
    await soft.store.delete({ resource, key: 3 }, CONTEXT);
    const hard = await migrate({ fields: { isbn: z.string() }, more: { unique: [["isbn"]] } });
    expect(await hard.tools.check(hard, folder)).toEqual([]);
  });

  test("keeps columns in `keep`, and indexes and constraints of other tools", async () => {
    await migrate({});
    await run(
      "alter table books add column legacy int;\ncreate index books_by_title on books (id, legacy);\ncreate unique index one_legacy on books (legacy);",
    );
    expect((await plan({})).steps.map(({ title }) => title).join()).toContain("drop column");
    const keep = { tables: { book: { keep: ["legacy"] } } };
    expect((await plan({}, keep)).steps).toEqual([]);
    const one = use({ fields: { pages: z.int32().default(1) } }, keep);
    await one.tools.write(folder, await one.tools.plan(one, folder));
    await one.tools.apply(folder);
    expect((await one.tools.plan(one, folder)).steps).toEqual([]);
    await run("insert into books (id, title, pages, legacy) values (1, 'A', 1, 5);");
    await expect(run("insert into books (id, title, pages, legacy) values (2, 'B', 1, 5);")).rejects.toThrow(
      /_by_hand\.sql: statement 1 of 1 failed/,
    );
  });

  test("accepts tables of other tools if their types hold the same values", async () => {
    const types = {
      postgres: ["varchar(100)", "jsonb", "timestamp", "numeric(20,0)", "boolean"],
      mysql: ["varchar(100)", "json", "datetime", "decimal(20,0)", "boolean"],
      sqlite: ["varchar(100)", "json", "datetime", "numeric", "boolean"],
    } as const;
    const [text, json, moment, digits, yes] = types[name];
    await run(
      `create table books (id int primary key, title ${text} not null, data ${json} not null, made ${moment} not null, digits ${digits} not null, sold ${yes});`,
    );
    const fields = {
      data: z.object({ a: z.string() }),
      made: z.iso.datetime(),
      digits: z.bigint(),
      sold: z.boolean().nullable(),
    };
    const titles = (await plan({ fields })).steps.map(({ title }) => title);
    expect(titles.filter((title) => title.includes("books"))).toEqual([]);
  });

  test("drops the table of a removed resource only if a migration created it", async () => {
    const author = defineResource("author", {
      fields: { id: z.int32(), name: z.string() },
      relations: { books: hasMany("book", "authorId") },
      access,
    });
    const book = defineResource("book", {
      fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
      relations: { author: belongsTo("author", "authorId") },
      access,
    });
    const { model } = defineApi({ resources: [author, book], store: memoryStore() });
    const store = sqlStore({ url: database.url, autoCreate: false });
    const both = { store, model, resources: [...model.resources.values()] };
    open.push(both);
    const tools = store["~schema"] as SchemaTools;
    await tools.write(folder, await tools.plan(both, folder));
    await tools.apply(folder);
    await run("create table somebody_elses (id int);");
    const { steps } = await plan({});
    expect(steps.filter(({ danger }) => danger === "deletes all rows of the table").map(({ title }) => title)).toEqual([
      "drop table authors",
    ]);
    const alone = await migrate({});
    expect((await alone.tools.plan(alone, folder)).steps).toEqual([]);
  });

  test("names the statement that failed, and what to do", async () => {
    const one = await migrate({});
    const path = await one.tools.write(folder, {
      steps: [],
      name: "by_hand",
      text: "create table a (id int);\ncreate table books (id int);\n",
    });
    const failed = one.tools.apply(folder);
    await expect(failed).rejects.toThrow(
      /^0002_by_hand\.sql: statement 2 of 2 failed: .*\n\n {2}create table books \(id int\)\n\n/,
    );
    await expect(failed).rejects.toThrow(
      name === "mysql"
        ? "Statement 1 has taken effect, and MySQL can't roll them back."
        : "The migration was rolled back. Fix it and apply again.",
    );
    writeFileSync(
      path,
      name === "mysql" ? "create table b (id int);\n" : "create table a (id int);\ncreate table b (id int);\n",
    );
    expect(await one.tools.apply(folder)).toEqual(["0002_by_hand.sql"]);
  });

  test("rejects a migration that was changed after it was applied, except for line ends", async () => {
    const one = await migrate({});
    const path = join(folder, readdirSync(folder)[0] as string);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll("\n", "\r\n"));
    expect(await one.tools.apply(folder)).toEqual([]);
    writeFileSync(path, `${text}select 1;\n`);
    const says = "0001_create_books.sql was changed after it was applied. Restore the file and write a new migration.";
    await expect(one.tools.apply(folder)).rejects.toThrow(says);
    expect(await one.tools.check(one, folder)).toEqual([says]);
    rmSync(path);
    expect(await one.tools.check(one, folder)).toEqual(["0001_create_books.sql was applied, but its file is missing."]);
  });

  test("works through the application's own Kysely", async () => {
    const kysely = new Kysely({ dialect: hosts.find((host) => host.name === name)?.dialect(database.url) as Dialect });
    const store = sqlStore({ kysely });
    const { model } = defineApi({
      resources: [
        defineResource("book", {
          fields: { id: z.int32(), title: z.string(), isbn: z.string(), prequelId: z.int32().nullable() },
          generated: { id: sequence() },
          unique: [["isbn"]],
          relations: { prequel: belongsTo("book", "prequelId") },
          filterable: ["title"],
          access,
        }),
      ],
      store: memoryStore(),
    });
    const one = { store, model, resources: [...model.resources.values()] };
    const tools = store["~schema"] as SchemaTools;
    await tools.write(folder, await tools.plan(one, folder));
    expect(await tools.apply(folder)).toEqual(["0001_create_books.sql"]);
    expect(await tools.check(one, folder)).toEqual([]);
    await kysely.destroy();
  });

  test("runs in a program before the API is defined, and checks afterwards", async () => {
    const one = use({});
    await one.tools.write(folder, await one.tools.plan(one, folder));
    const store = sqlStore({ url: database.url, autoCreate: false });
    expect(await applyMigrations(store, { folder })).toEqual(["0001_create_books.sql"]);
    const book = defineResource("book", { fields: { id: z.int32(), title: z.string() }, access });
    const api = defineApi({ resources: [book], store });
    expect(await checkSchema(api, { folder })).toEqual([]);
    expect((await planMigration(api, { folder, resource: "book" })).steps).toEqual([]);
    await api.close();
  });
}
