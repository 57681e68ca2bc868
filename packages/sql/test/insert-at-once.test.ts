import { DatabaseSync } from "node:sqlite";
import { allow, belongsTo, defineApi, defineResource, owner, sequence, silentLog } from "@bifocal/core";
import { queryPostgres, servers, type TestDatabase } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  // Carol is hidden from everyone else.
  access: { ...open, read: owner("name") },
  bulk: { create: 10 },
});
const shelf = defineResource("shelf", {
  plural: "shelves",
  fields: { id: z.int32() },
  bulk: { create: 10 },
  access: open,
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    price: z.number().nullable(),
    published: z.iso.datetime().nullable(),
    isRare: z.boolean().nullable(),
    pages: z.bigint().nullable(),
    tags: z.array(z.string()),
    secret: z.string().default("hidden"),
    shelfId: z.int32().nullable(),
    sequelOf: z.int32().nullable(),
    authorId: z.int32().nullable(),
    revision: z.int(),
  },
  internal: ["secret"],
  secret: ["secret"],
  version: "revision",
  unique: [["title"]],
  relations: {
    shelf: belongsTo("shelf", "shelfId"),
    prequel: belongsTo("book", "sequelOf"),
    author: belongsTo("author", "authorId"),
  },
  bulk: { create: 100 },
  access: open,
});
const visit = defineResource("visit", {
  fields: { id: z.int32(), page: z.string() },
  generated: { id: sequence() },
  bulk: { create: 100 },
  access: open,
});

const noteHooks: string[] = [];
const note = defineResource("note", {
  fields: { id: z.int32(), user: z.string(), text: z.string() },
  bulk: { create: 100 },
  access: { ...open, create: owner("user") },
});
const hooked = defineResource("hooked", {
  fields: { id: z.int32(), text: z.string() },
  bulk: { create: 100 },
  hooks: {
    create: {
      before: ({ input }) => ({ ...input, text: `${input.text}!` }),
      after: ({ item }) => void noteHooks.push(item.text),
    },
  },
  access: open,
});

const empty = {
  price: null,
  published: null,
  isRare: null,
  pages: null,
  tags: [],
  shelfId: null,
  sequelOf: null,
  authorId: null,
};
const bookOf = (id: number, more = {}) => ({ ...empty, id, title: `Book ${id}`, ...more });
const none = { signal: undefined };

/** Adds a trigger that skips visits of the page "skipped". */
async function skipVisits(name: string, url: string): Promise<void> {
  const trigger = "create trigger skipping before insert on visits for each row when (new.page = 'skipped')";
  if (name === "postgres") {
    const body = "$$ begin return null; end $$";
    await queryPostgres(url, `create function skip_row() returns trigger language plpgsql as ${body}`);
    await queryPostgres(url, `${trigger} execute function skip_row()`);
    return;
  }
  const database = new DatabaseSync(url.replace("sqlite:", ""));
  database.exec(`${trigger} begin select raise(ignore); end`);
  database.close();
}

describe.each(servers)("creates on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  const createApi = () => {
    const store = sqlStore({ url: database.url, autoCreate: true });
    return { store, api: defineApi({ resources: [author, shelf, book, visit, note, hooked], store, log: silentLog }) };
  };
  let made: ReturnType<typeof createApi>;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  beforeEach(async () => {
    if (missing !== undefined) return;
    await database.empty();
    made = createApi();
    await made.api.local.shelf.create({ id: 1 });
    await made.api.local.shelf.create({ id: 2 });
    return () => made.api.close();
  });
  afterAll(() => database?.drop());

  const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "done",
      ({ code, issues }: { code: unknown; issues: readonly { path: unknown; code: unknown }[] }) => ({
        code,
        issues: issues.map((issue) => [issue.path, issue.code]),
      }),
    );
  /** The changes of books and visits in the log. */
  const logged = async () => {
    await made.store.changeLog?.advance();
    const page = await made.store.changeLog?.read({ after: 0, limit: 1_000 });
    if (page?.kind !== "page") throw new Error("The log has no page.");
    return page.changes.map(({ draft }) => draft).filter(({ resource }) => resource !== "shelf");
  };
  const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
    (await made.store.explain(work)).statements.map(({ sql }) => sql);
  const post = async ({ api }: ReturnType<typeof createApi>, body: unknown, key: string) => {
    const answered = await send(api, "POST", "/visits", { headers: { "idempotency-key": key }, body });
    return { status: answered.status, body: answered.body };
  };

  describe.skipIf(missing !== undefined)("in one step", () => {
    const many = Array.from({ length: 100 }, (_, at) => bookOf(at, { shelfId: 1 + (at % 2) }));
    // Other databases look for the shelf, insert and log. MySQL then reads the rows, unlike MariaDB.
    const counts = name === "postgres" ? [1] : name === "sqlite" ? [3] : [3, 4];
    test.each([
      ["one row", () => made.api.local.book.create(bookOf(1, { shelfId: 1 }))],
      ["100 rows", () => made.api.local.book.createMany(many)],
    ])("take the same number of statements for %s", async (_, work) => {
      expect(counts).toContain((await statementsOf(work)).length);
    });

    test("log each row as it is stored, in order and without secrets", async () => {
      const rows = [
        bookOf(9, { title: 'A "quoted"\n\\ text, ü𝄞', price: -0, shelfId: 2, tags: ['a"', "b\\", "{}", ","] }),
        bookOf(3, { price: 1e21, published: "2026-01-02T03:04:05.678Z", isRare: false, pages: 2n ** 60n }),
        bookOf(7, { price: 0.1, published: "2026-01-02T03:04:05Z", isRare: true, pages: -1n, shelfId: 1 }),
      ];
      await made.api.local.book.createMany(rows);
      await made.api.local.book.create(bookOf(1, { title: "One", shelfId: 1 }));
      const drafts = await logged();
      expect(drafts.map(({ key, kind }) => [key, kind])).toEqual([9, 3, 7, 1].map((key) => [key, "created"]));
      const { store } = made;
      const model = made.api.model.resources.get("book");
      if (model === undefined) throw new Error("There is no book.");
      const found = await store.byKeys({ resource: model, keys: [9, 3, 7, 1] }, none);
      const byKey = new Map(found.map((row) => [row["id"], row]));
      for (const { key, after } of drafts) {
        const { secret, ...visible } = byKey.get(key) ?? {};
        expect(secret).toBe("hidden");
        expect(after).toEqual(visible);
      }
    });

    test("return rows in the order of the request", async () => {
      const pages = Array.from({ length: 40 }, (_, at) => ({ page: `page ${at}` }));
      const created = await made.api.local.visit.createMany(pages);
      expect(created.map((row) => ({ page: row?.page }))).toEqual(pages);
      expect((await logged()).map(({ key }) => key)).toEqual(created.map((row) => row?.id));
    });

    test("respond with the rows that the caller may see", async () => {
      const [first, second] = [bookOf(1, { published: "2026-01-02T03:04:05Z" }), bookOf(2, { tags: ["a"], price: -0 })];
      const stored = [
        { ...first, price: null, published: "2026-01-02T03:04:05.000Z", revision: 1 },
        { ...second, price: 0, revision: 1 },
      ];
      const books = await send(made.api, "POST", "/books", { body: [first, second] });
      expect(books.body).toEqual(stored);
      const shelves = [{ id: 8 }, { id: 7 }];
      expect((await send(made.api, "POST", "/shelves", { body: shelves })).body).toEqual(shelves);
      const ids = await send(made.api, "POST", "/shelves?fields=id", { body: [{ id: 6 }, { id: 5 }] });
      expect(ids.body).toEqual([{ id: 6 }, { id: 5 }]);
      const authors = [
        { id: 1, name: "ann" },
        { id: 2, name: "bea" },
      ];
      expect((await send(made.api, "POST", "/authors", { body: authors })).body).toEqual([null, null]);
    });

    test.runIf(name === "postgres")("return and log rows as a trigger changes them", async () => {
      await made.api.ready;
      await queryPostgres(
        database.url,
        `create or replace function shout() returns trigger language plpgsql as
          $$ begin new.text = upper(new.text); return new; end $$;
        create trigger shouting before insert on notes for each row execute function shout()`,
      );
      const rows = ["a", "B", 'c "\\'].map((text, at) => ({ id: 3 - at, user: "ann", text }));
      const ann = made.api.as({ id: "ann" }).note;
      const created = await ann.createMany(rows);
      expect(created).toEqual(rows.map((row) => ({ ...row, text: row.text.toUpperCase() })));
      expect((await logged()).map(({ after }) => after)).toEqual(created);
    });

    // MySQL has no triggers that skip rows.
    test.skipIf(name === "mysql")("write nothing if a trigger skips a row", async () => {
      await made.api.ready;
      await skipVisits(name, database.url);
      const failure = { code: "INTERNAL" };
      expect(
        await errorOf(made.api.local.visit.createMany(["a", "skipped", "b"].map((page) => ({ page })))),
      ).toMatchObject(failure);
      expect(await errorOf(made.api.local.visit.create({ page: "skipped" }))).toMatchObject(failure);
      expect((await post(made, [{ page: "skipped" }], "batch")).status).toBe(500);
      expect((await post(made, { page: "skipped" }, "one")).status).toBe(500);
      expect((await made.api.local.visit.list({})).items).toEqual([]);
      expect(await logged()).toEqual([]);
    });

    test("name the index of a row that violates a unique constraint, and write nothing", async () => {
      await made.api.local.book.create(bookOf(1));
      const rows = [bookOf(2), bookOf(3, { title: "Book 1" }), bookOf(4)];
      const conflict = { code: "CONFLICT", issues: [[[1, "title"], "not_unique"]] };
      expect(await errorOf(made.api.local.book.createMany(rows))).toEqual(conflict);
      const twice = [bookOf(5), bookOf(6), bookOf(5, { title: "Other" })];
      expect(await errorOf(made.api.local.book.createMany(twice))).toEqual({
        code: "CONFLICT",
        issues: [[[2, "id"], "not_unique"]],
      });
      expect((await logged()).map(({ key }) => key)).toEqual([1]);
      expect((await made.api.local.book.list({})).items).toHaveLength(1);
    });

    test("name the index of a row that references a missing or hidden row, and write nothing", async () => {
      await made.api.as({ id: "carol" }).author.create({ id: 1, name: "carol" });
      const unknown = { code: "VALIDATION_FAILED", issues: [[[1, "shelfId"], "unknown_reference"]] };
      expect(await errorOf(made.api.local.book.createMany([bookOf(1), bookOf(2, { shelfId: 3 })]))).toEqual(unknown);
      const ann = made.api.as({ id: "ann" }).book;
      const hidden = { code: "VALIDATION_FAILED", issues: [[[1, "authorId"], "unknown_reference"]] };
      expect(await errorOf(ann.createMany([bookOf(1), bookOf(2, { authorId: 1 })]))).toEqual(hidden);
      expect(await errorOf(ann.create(bookOf(2, { authorId: 1 })))).toEqual({
        code: "VALIDATION_FAILED",
        issues: [[["authorId"], "unknown_reference"]],
      });
      expect((await made.api.local.book.list({})).items).toEqual([]);
      const carol = made.api.as({ id: "carol" }).book;
      expect(await errorOf(carol.createMany([bookOf(1, { authorId: 1 }), bookOf(2, { authorId: 1 })]))).toBe("done");
      expect(await errorOf(carol.create(bookOf(3, { authorId: 1 })))).toBe("done");
      expect((await logged()).filter(({ resource }) => resource === "book").map(({ key }) => key)).toEqual([1, 2, 3]);
    });

    test("write nothing that a rule rejects for a row", async () => {
      const ann = made.api.as({ id: "ann" }).note;
      const own = { id: 1, user: "ann", text: "a" };
      const other = { id: 2, user: "bob", text: "b" };
      expect(await errorOf(ann.create(other))).toMatchObject({ code: "FORBIDDEN" });
      expect(await errorOf(ann.createMany([own, other]))).toMatchObject({ code: "FORBIDDEN" });
      expect(await logged()).toEqual([]);
      expect(await errorOf(ann.createMany([own]))).toBe("done");
      expect((await logged()).map(({ key }) => key)).toEqual([1]);
    });

    test("run the hooks of each row", async () => {
      noteHooks.length = 0;
      await made.api.local.hooked.create({ id: 1, text: "a" });
      await made.api.local.hooked.createMany([
        { id: 2, text: "b" },
        { id: 3, text: "c" },
      ]);
      expect(noteHooks).toEqual(["a!", "b!", "c!"]);
      expect((await logged()).map(({ after }) => after?.["text"])).toEqual(["a!", "b!", "c!"]);
    });

    test("let a row reference an earlier one", async () => {
      await made.api.local.book.createMany([bookOf(1), bookOf(2, { sequelOf: 1 })]);
      expect((await logged()).map(({ key }) => key)).toEqual([1, 2]);
    });

    test.each([
      ["one row", { page: "a" }, 1],
      ["several rows", [{ page: "a" }, { page: "b" }], 2],
    ])("create %s once, whichever instances receive a request again", async (_, body, length) => {
      const others = [createApi(), createApi(), createApi()];
      await Promise.all(others.map(({ api }) => api.ready));
      const responses = await Promise.all([made, ...others].map(async (one) => post(one, body, "once")));
      for (const response of responses) expect(response).toEqual({ ...responses[0], status: 201 });
      expect((await made.api.local.visit.list({})).items).toHaveLength(length);
      expect(await logged()).toHaveLength(length);
      await Promise.all(others.map(({ api }) => api.close()));
      const late = createApi();
      expect(await post(late, body, "once")).toEqual(responses[0]);
      expect((await post(late, { page: "other" }, "once")).status).toBe(422);
      expect((await post(late, { page: "other" }, "twice")).status).toBe(201);
      await late.api.close();
    });
  });
});
