import { allow, belongsTo, defineApi, defineResource, owner, type Principal, silentLog, uuid } from "@bifocal/core";
import { queryPostgres, type RestrictedDatabase, restrictedDatabase, servers } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  access: { ...access, read: owner("name") },
});
const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string(), authorId: z.uuid().nullable() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access,
});
const member = defineResource("member", {
  fields: { id: z.uuid(), email: z.string() },
  generated: { id: uuid() },
  unique: [["email"]],
  access,
});
const shopNote = defineResource("shopNote", {
  fields: { id: z.uuid(), shopId: z.string(), text: z.string() },
  generated: { id: uuid() },
  tenant: { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined },
  access,
});

const ann = { id: "ann" };
const texts = Array.from({ length: 32 }, (_, at) => `Note "${at}" \\ ü`);
const missing = servers.find(({ name }) => name === "postgres")?.missing;

describe.skipIf(missing !== undefined)("concurrent creates on PostgreSQL", () => {
  let database: RestrictedDatabase;
  const createApi = (rowLevelSecurity = false) => {
    const resources = [author, note, member, shopNote];
    const store = sqlStore({ url: database.url, autoCreate: true, rowLevelSecurity });
    return { store, api: defineApi({ resources, store, log: silentLog }) };
  };
  let made: ReturnType<typeof createApi>;
  let operator: pg.Client;
  beforeAll(async () => {
    database = await restrictedDatabase();
    operator = new pg.Client(database.superUrl);
    await operator.connect();
  });
  beforeEach(async () => {
    await queryPostgres(database.url, "drop owned by current_user cascade");
    await queryPostgres(database.superUrl, `grant all on schema public to ${new URL(database.url).username}`);
    made = createApi();
    await made.api.ready;
  });
  afterEach(async () => {
    await operator.query("rollback");
    await made.api.close();
  });
  afterAll(async () => {
    await operator.end();
    await database.drop();
  });

  const create = (text: string, more: { readonly authorId?: string; readonly signal?: AbortSignal } = {}) => {
    const { authorId = null, ...options } = more;
    return made.api.local.note.create({ text, authorId }, options);
  };
  const codesOf = async (works: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
    (await Promise.allSettled(works)).map((one) =>
      one.status === "fulfilled" ? "created" : (one.reason as { code?: unknown }).code,
    );
  const transactionsOf = async (table: string): Promise<number> => {
    const [row] = await queryPostgres(database.url, `select count(distinct xmin::text) as n from ${table}`);
    return Number(row?.["n"]);
  };
  const stored = async (): Promise<readonly unknown[]> =>
    (await queryPostgres(database.url, "select text from notes order by text")).map((row) => row["text"]);
  const post = async (api: typeof made.api, text: string, key: string) => {
    const headers = { "idempotency-key": key };
    const { status, body } = await send(api, "POST", "/notes", { headers, body: { text } });
    return { status, body: body as { readonly id: string; readonly text: string } };
  };
  /** Holds the table of notes until the returned function is called. */
  const lockNotes = async (): Promise<() => Promise<unknown>> => {
    await operator.query("begin; lock table notes in access exclusive mode");
    return () => operator.query("commit");
  };
  const BLOCKED = "from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const blocked = async (): Promise<number> => {
    const [row] = await queryPostgres(database.superUrl, `select count(*) as n ${BLOCKED}`);
    return Number(row?.["n"]);
  };
  const createAuthor = async (caller: Principal): Promise<string> => {
    const created = await made.api.as(caller).author.create({ name: caller.id });
    if (created === null) throw new Error("The author is hidden.");
    return created.id;
  };

  test("share a transaction, and each gets its own row and event", async () => {
    const rows = await Promise.all(texts.map((text) => create(text)));
    expect(rows.map(({ text }) => text)).toEqual(texts);
    const found = await queryPostgres(database.url, "select id, text from notes");
    expect(new Map(found.map(({ id, text }) => [id, text]))).toEqual(new Map(rows.map(({ id, text }) => [id, text])));
    expect(await transactionsOf("notes")).toBe(1);
    await made.store.changeLog?.advance();
    const page = await made.store.changeLog?.read({ after: 0, limit: 100 });
    if (page?.kind !== "page") throw new Error("The log has no page.");
    expect(page.changes.map(({ draft }) => draft.after)).toEqual(rows);
    expect(page.changes.map(({ offset }) => offset)).toEqual(texts.map((_, at) => at + 1));
  });

  test("return and log rows as a trigger changes them", async () => {
    await queryPostgres(
      database.url,
      `create function shout() returns trigger language plpgsql as
        $$ begin if new.text like '%1%' then new.text = new.text || '!'; end if; return new; end $$;
      create trigger shouting before insert on notes for each row execute function shout()`,
    );
    const rows = await Promise.all(texts.map((text) => create(text)));
    const expected = texts.map((text) => (text.includes("1") ? `${text}!` : text));
    expect(rows.map(({ text }) => text)).toEqual(expected);
    expect(await transactionsOf("notes")).toBe(1);
  });

  test.each([
    ["the same rows", ""],
    ["changed rows", "new.text = new.text || '!'; "],
  ])("return each caller its own row if a trigger skips one and stores %s", async (_, change) => {
    await queryPostgres(
      database.url,
      `create function skip() returns trigger language plpgsql as
        $$ begin if new.text = 'skipped' then return null; end if; ${change}return new; end $$;
      create trigger skipping before insert on notes for each row execute function skip()`,
    );
    const given = ["a", "skipped", "b", "c"];
    const outcomes = await Promise.allSettled(given.map((text) => create(text)));
    const stored = (text: string): string => (change === "" ? text : `${text}!`);
    const found = outcomes.map((one) => (one.status === "fulfilled" ? one.value.text : one.reason.code));
    expect(found).toEqual(given.map((text) => (text === "skipped" ? "INTERNAL" : stored(text))));
  });

  test("share no statement with a long row", async () => {
    const given = ["short", "l".repeat(300_000), "shorter", "m".repeat(300_000), "shortest"];
    const rows = await Promise.all(given.map((text) => create(text)));
    expect(rows.map(({ text }) => text)).toEqual(given);
    expect(await transactionsOf("notes")).toBe(3);
  });

  test("don't fail because of another one that violates a deferred constraint", async () => {
    await queryPostgres(
      database.url,
      `alter table notes add unique (text) deferrable initially deferred;
      create table words (word text primary key);
      insert into words values ('a'), ('b');
      alter table notes add foreign key (text) references words deferrable initially deferred`,
    );
    const codes = await codesOf(["a", "x", "a", "b"].map((text) => create(text)));
    expect(codes.filter((code) => code === "created")).toHaveLength(2);
    expect(codes.filter((code) => code === "CONFLICT")).toHaveLength(2);
    expect(await stored()).toEqual(["a", "b"]);
  });

  test("don't fail because of another one that the database rejects", async () => {
    await queryPostgres(database.url, "alter table notes add check (text <> 'bad')");
    const codes = await codesOf(["a", "bad", "b", "nul \0", "c"].map((text) => create(text)));
    expect(codes).toEqual(["created", "VALIDATION_FAILED", "created", "VALIDATION_FAILED", "created"]);
    expect(await stored()).toEqual(["a", "b", "c"]);
  });

  test("don't fail because of another one that references a missing row", async () => {
    const id = await createAuthor(ann);
    const works = [id, "00000000-0000-4000-8000-000000000000", id].map((authorId, at) =>
      made.api.as(ann).note.create({ text: `${at}`, authorId }),
    );
    expect(await codesOf(works)).toEqual(["created", "VALIDATION_FAILED", "created"]);
    expect(await stored()).toEqual(["0", "2"]);
  });

  test("reference only rows that their own caller can read", async () => {
    const carol = { id: "carol" };
    const ids = new Map([
      [ann, await createAuthor(ann)],
      [carol, await createAuthor(carol)],
    ]);
    for (const of of [ann, carol]) {
      const works = [ann, carol].map(async (caller) => {
        const text = `${caller.id}, ${of.id}`;
        return made.api.as(caller).note.create({ text, authorId: ids.get(of) ?? null });
      });
      const expected = of === ann ? ["created", "VALIDATION_FAILED"] : ["VALIDATION_FAILED", "created"];
      expect(await codesOf(works)).toEqual(expected);
    }
    expect(await stored()).toEqual(["ann, ann", "carol, carol"]);
  });

  test.each([
    ["", false],
    [" even if a trigger replaces the keys of rows", true],
  ])("with idempotency keys are replayed with their own rows%s", async (_, isTriggered) => {
    if (isTriggered) {
      await queryPostgres(
        database.url,
        `create function renew() returns trigger language plpgsql as
          $$ begin new.id = gen_random_uuid(); return new; end $$;
        create trigger renewing before insert on notes for each row execute function renew()`,
      );
    }
    const first = await Promise.all(texts.map((text, at) => post(made.api, text, `key-${at}`)));
    expect(first.map(({ status, body }) => [status, body.text])).toEqual(texts.map((text) => [201, text]));
    // If keys differ, each row has a transaction of its own.
    expect(await transactionsOf("notes")).toBeLessThan(isTriggered ? texts.length + 1 : 10);
    const other = createApi();
    const again = await Promise.all(texts.map((text, at) => post(other.api, text, `key-${at}`)));
    expect(again).toEqual(first);
    const mixed = [
      post(other.api, "new", "new"),
      post(other.api, "other text", "key-1"),
      post(other.api, "last", "last"),
    ];
    expect((await Promise.all(mixed)).map(({ status }) => status)).toEqual([201, 422, 201]);
    await other.api.close();
    expect(await stored()).toEqual([...texts, "last", "new"].sort());
  });

  test("with the same keys on two instances write each row once", async () => {
    const other = createApi();
    await other.api.ready;
    const works = [made.api, other.api].map((api, index) => {
      const keys = texts.map((_, at) => (index === 0 ? at : texts.length - 1 - at));
      return keys.map(async (at) => [at, await post(api, texts[at] as string, `key-${at}`)] as const);
    });
    const [one = [], two = []] = await Promise.all(works.map((own) => Promise.all(own)));
    const byKey = new Map(one);
    for (const [at, response] of two) expect(response).toEqual(byKey.get(at));
    expect(await stored()).toEqual([...texts].sort());
    await other.api.close();
  });

  test("are inserted if one of them is aborted", async () => {
    const unlock = await lockNotes();
    const leaving = new AbortController();
    const works = ["a", "b", "c"].map((text) => create(text, text === "b" ? { signal: leaving.signal } : {}));
    await expect.poll(blocked, { timeout: 5_000 }).toBe(1);
    setTimeout(() => leaving.abort(), 200);
    await expect(works[1]).rejects.toThrow(/./);
    await expect.poll(blocked, { timeout: 5_000 }).toBe(2);
    await unlock();
    expect(await codesOf(works)).toEqual(["created", "UNAVAILABLE", "created"]);
    expect(await stored()).toEqual(["a", "c"]);
  });

  test("are not repeated if the connection breaks", async () => {
    const unlock = await lockNotes();
    const works = codesOf(["a", "b", "c"].map((text) => create(text)));
    await expect.poll(blocked, { timeout: 5_000 }).toBe(1);
    await queryPostgres(database.superUrl, `select pg_terminate_backend(pid) ${BLOCKED}`);
    expect(await works).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
    await unlock();
    expect(await stored()).toEqual([]);
    expect((await create("later")).text).toBe("later");
  });

  test("begin another statement while those before it wait", async () => {
    const id = await createAuthor(ann);
    await operator.query(`begin; delete from authors where id = '${id}'`);
    const works: Promise<unknown>[] = [];
    for (let at = 1; at <= 4; at++) {
      works.push(made.api.as(ann).note.create({ text: `waiting ${at}`, authorId: id }));
      await expect.poll(blocked, { timeout: 5_000 }).toBe(at);
    }
    expect((await create("free")).text).toBe("free");
    await operator.query("rollback");
    expect(await codesOf(works)).toEqual(works.map(() => "created"));
  });

  test("count as one waiting operation while they fit into the next statement", async () => {
    const unlock = await lockNotes();
    const works: Promise<unknown>[] = [];
    for (let at = 1; at <= 4; at++) {
      works.push(create(`running ${at}`));
      await expect.poll(blocked, { timeout: 5_000 }).toBe(at);
    }
    works.push(...texts.map((text) => create(text)));
    const counts: number[] = [];
    const watch = setInterval(() => counts.push(made.store.load?.().waiting ?? 0));
    await expect.poll(blocked, { timeout: 5_000 }).toBe(5);
    clearInterval(watch);
    expect(Math.max(...counts)).toBe(1);
    await unlock();
    await Promise.all(works);
    expect(await transactionsOf("notes")).toBe(5);
  });

  test("have a transaction each if their rows can conflict", async () => {
    const emails = ["a", "b", "a", "c"];
    const codes = await codesOf(emails.map((email) => made.api.local.member.create({ email })));
    expect(codes.filter((code) => code === "created")).toHaveLength(3);
    expect(codes).toContain("CONFLICT");
    expect(await transactionsOf("members")).toBe(3);
  });

  test("use a statement for each tenant with row-level security", async () => {
    await made.api.close();
    await queryPostgres(database.url, "drop owned by current_user cascade");
    await queryPostgres(database.superUrl, `grant all on schema public to ${new URL(database.url).username}`);
    made = createApi(true);
    const rows = await Promise.all(
      texts.map((text, at) => {
        const shop = at % 2 === 0 ? "a" : "b";
        return made.api.as({ id: shop, claims: { shop } }).shopNote.create({ text });
      }),
    );
    expect(rows.map(({ text }) => text)).toEqual(texts);
    const { rows: found } = await operator.query<{ shop: string; number: string }>(
      "select shop_id as shop, xmin::text as number from shop_notes",
    );
    const shops = found.map(({ shop, number }) => `${shop} ${number}`);
    expect(shops.filter((one) => one.startsWith("a"))).toHaveLength(texts.length / 2);
    expect(new Set(shops).size).toBe(new Set(found.map(({ number }) => number)).size);
    expect(new Set(shops).size).toBeLessThan(texts.length);
  });
});
