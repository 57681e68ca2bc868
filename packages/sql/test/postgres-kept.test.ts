import { defineApi, silentLog } from "@bifocal/core";
import { queryPostgres, restrictedDatabase, servers, type TestDatabase } from "@bifocal/test-servers";
import { request, send, textOf } from "@bifocal/test-servers/request";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { sqlStore } from "../src/index.ts";
import { item, ITEM_FIELDS as NAMES, type ItemField, itemOf, itemRow } from "./item-rows.ts";

const SEED = process.env["PROPERTY_SEED"];

/** Types that an application may have given to a column. Bifocal's own type comes first. */
const TYPES = {
  whole: ["bigint", "integer", "numeric", "double precision"],
  wide: ["numeric", "bigint", "numeric(30,0)"],
  number: ["double precision", "real", "numeric"],
  flag: ["boolean"],
  name: ["text", "varchar(10)", "varchar", "char(300)"],
  id: ["uuid", "text"],
  kind: ["text", "varchar(3)"],
  day: ["date", "text"],
  moment: ["timestamptz", "timestamptz(0)", "timestamptz(3)"],
  cost: ["numeric(12,2)", "numeric(14,3)", "numeric"],
  tags: ["json", "jsonb", "text[]"],
  notes: ["json", "jsonb"],
} as const satisfies Readonly<Record<ItemField, readonly string[]>>;

type Types = Readonly<Record<ItemField, string>>;
const own = Object.fromEntries(NAMES.map((name) => [name, TYPES[name][0]])) as Types;
const tableOf = (types: Types, name = "items"): string =>
  `create table ${name} (${NAMES.map((field) => `"${field}" ${types[field]}`).join(", ")}, primary key ("id"))`;
const trigger = (name: string, when: string, table: string, body: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$;
   create trigger ${name} ${when} on ${table} for each row execute function ${name}()`;

const { missing, create } = servers.find(({ name }) => name === "postgres") as (typeof servers)[number];

describe.skipIf(missing !== undefined)("PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  beforeEach(() => database.clear());
  afterAll(() => database?.drop());

  function openItems(url = database.url) {
    const store = sqlStore({ url, max: 2, autoCreate: true });
    return { store, api: defineApi({ resources: [item], store, log: silentLog }) };
  }

  /** Opens an API on a table of the application. */
  async function openTable(statements: string, url = database.url) {
    await queryPostgres(url, statements);
    const opened = openItems(url);
    onTestFinished(() => opened.api.close());
    await opened.api.ready;
    return opened;
  }

  type Opened = ReturnType<typeof openItems>;

  async function answerOf(api: Opened["api"], method: string, url: string, body?: unknown): Promise<[number, string]> {
    const response = await api.handle(request(method, url, { body }));
    if (response === null) throw new Error(`The API has no route for ${url}.`);
    return [response.status, await textOf(response)];
  }

  /** Creates rows, and returns the response and how its statement was planned. */
  async function post({ store, api }: Opened, rows: readonly unknown[]) {
    let [status, text] = [0, ""];
    const { statements } = await store.explain(async () => {
      [status, text] = await answerOf(api, "POST", "/items", rows);
    });
    const inserts = statements.map(({ sql }) => sql).filter((sql) => sql.includes('insert into "items"'));
    const plans = inserts.map((sql) => (sql.includes("bifocal_all") ? "kept" : "returned"));
    return { status, text, plans };
  }

  /** The rows of the log since the last call. */
  async function loggedSince({ store }: Opened, after: number) {
    await store.changeLog?.advance();
    const page = await store.changeLog?.read({ after, limit: 100 });
    if (page?.kind !== "page") throw new Error("The log has no page.");
    return page.changes.map(({ draft }) => draft);
  }

  async function readTexts({ api }: Opened, rows: readonly { readonly id: string }[]): Promise<readonly string[]> {
    return Promise.all(rows.map(async ({ id }) => (await answerOf(api, "GET", `/items/${id}`))[1]));
  }

  test("returns and logs created rows as they are stored, whatever the types of their columns", async () => {
    const kept: Record<string, number> = {};
    const returned: Record<string, number> = {};
    const changed = fc
      .constantFrom(...NAMES)
      .chain((name) =>
        fc.constantFrom(...TYPES[name]).map((type) => ({ ...own, [name]: type, changed: `${name} ${type}` })),
      );
    const rows = fc
      .uniqueArray(itemRow, { minLength: 2, maxLength: 4, selector: ({ id }) => id })
      // REST refuses this name.
      .filter((given) => !given.some(({ notes }) => JSON.stringify(notes).includes("__proto__")));
    const property = fc.asyncProperty(changed, rows, async (types, given) => {
      await queryPostgres(database.url, `drop table if exists items; ${tableOf(types)}`);
      const opened = openItems();
      try {
        await opened.api.ready;
        const body = JSON.parse(
          JSON.stringify(given, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        );
        const before = (await opened.store.changeLog?.advance())?.offset ?? 0;
        const { status, text, plans } = await post(opened, body);
        // A value may be too large for its column.
        if (status === 422) return;
        expect(status).toBe(201);
        expect(plans).toHaveLength(1);
        const counts = plans[0] === "kept" ? kept : returned;
        counts[types.changed] = (counts[types.changed] ?? 0) + 1;
        const stored = await readTexts(opened, body);
        expect(text).toBe(`[${stored.join(",")}]`);
        const drafts = await loggedSince(opened, before);
        expect(drafts.map(({ key }) => key)).toEqual(stored.map((one) => JSON.parse(one).id));
        expect(drafts.map(({ after }) => after)).toEqual(stored.map((one) => JSON.parse(one)));
      } finally {
        await opened.api.close();
      }
    });
    await fc.assert(property, { numRuns: 120, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
    const count = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, one) => sum + one, 0);
    expect(count(kept)).toBeGreaterThan(10);
    expect(count(returned)).toBeGreaterThan(30);
    const never = ["name char(300)", "number real", "number numeric", "whole numeric", "tags jsonb", "id text"];
    expect(never.filter((one) => kept[one] !== undefined)).toEqual([]);
  }, 60_000);

  const named = (...names: readonly string[]) => names.map((name, at) => ({ ...itemOf(at), name }));

  test("inserts rows of Bifocal's own table without returning them", async () => {
    const opened = openItems();
    onTestFinished(() => opened.api.close());
    await opened.api.ready;
    const rows = named("b", "a");
    const { text, plans } = await post(opened, rows);
    expect(plans).toEqual(["kept"]);
    expect(JSON.parse(text)).toEqual(rows);
    expect(await readTexts(opened, rows)).toEqual(JSON.parse(text).map((row: unknown) => JSON.stringify(row)));
  });

  test.each([
    ["moment", "timestamptz", "2026-01-02T23:59:59.999Z", "kept"],
    ["moment", "timestamptz", "2026-01-02T03:04:05.678901Z", "returned"],
    ["moment", "timestamptz(0)", "2026-01-02T03:04:05.678Z", "returned"],
    ["name", "varchar(2)", "ab", "kept"],
    ["name", "varchar(2)", "a ", "returned"],
    ["name", "char(2)", "a", "returned"],
    ["notes", "json", { b: 1, a: [-0, "\n\u2028"] }, "kept"],
    ["notes", "jsonb", { b: 1, a: 2 }, "returned"],
    ["number", "double precision", 5e-324, "kept"],
    ["number", "real", 0.1, "returned"],
    ["cost", "numeric(12,2)", "-0.10", "kept"],
    ["cost", "numeric(12,3)", "0.10", "returned"],
    ["wide", "bigint", "-9223372036854775808", "kept"],
  ] as const)("inserts a %s in a column of %s: %j", async (field, type, value, plan) => {
    const opened = await openTable(tableOf({ ...own, [field]: type }));
    const rows = named("a", "b").map((row) => ({ ...row, [field]: value }));
    const { text, plans } = await post(opened, rows);
    expect(plans).toEqual([plan]);
    const stored = await readTexts(opened, rows);
    expect(text).toBe(`[${stored.join(",")}]`);
    expect((await loggedSince(opened, 0)).map(({ after }) => after)).toEqual(JSON.parse(text));
  });

  test("returns the key that a column changes", async () => {
    const opened = await openTable(tableOf(own));
    const ids = ["ABCDEF00-0000-4000-8000-000000000000", "abcdef00-0000-4000-8000-000000000001"];
    const { text } = await post(
      opened,
      ids.map((id) => ({ ...itemOf(0), name: "a", id })),
    );
    expect(JSON.parse(text).map((row: { id: string }) => row.id)).toEqual(ids.map((id) => id.toLowerCase()));
  });

  test("follows a trigger that is added while the API runs", async () => {
    const opened = await openTable(tableOf(own));
    expect((await post(opened, named("a", "b"))).plans).toEqual(["kept"]);
    const shout = "new.name = upper(new.name); return new;";
    await queryPostgres(database.url, `truncate items; ${trigger("shout", "before insert", "items", shout)}`);
    const first = await post(opened, named("a", "b"));
    expect(first.plans).toEqual(["kept", "returned"]);
    const shouted = named("A", "B");
    expect(JSON.parse(first.text)).toEqual(shouted);
    const drafts = await loggedSince(opened, 0);
    expect(drafts.map(({ after }) => after)).toEqual([...named("a", "b"), ...shouted]);
    const second = await post(
      opened,
      [2, 3].map((id) => ({ ...itemOf(id), name: "c" })),
    );
    expect(second.plans).toEqual(["returned"]);
    expect(JSON.parse(second.text)).toMatchObject([{ name: "C" }, { name: "C" }]);
  });

  test("follows a trigger that is disabled, and one of another kind", async () => {
    const opened = await openTable(
      `${tableOf(own)}; create table audit (name text);
       ${trigger("audited", "after insert", "items", "insert into audit values (new.name); return null;")};
       ${trigger("changed", "before update", "items", "new.name = 'changed'; return new;")}`,
    );
    expect((await post(opened, named("a", "b"))).plans).toEqual(["kept"]);
    expect(await queryPostgres(database.url, "select name from audit")).toEqual([{ name: "a" }, { name: "b" }]);
  });

  test("returns the rows of a table with partitions, and those of a view", async () => {
    const shout = trigger("shout", "before insert", "items_1", "new.name = upper(new.name); return new;");
    const opened = await openTable(
      `${tableOf(own)} partition by hash (id);
       create table items_1 partition of items for values with (modulus 1, remainder 0); ${shout}`,
    );
    const { text } = await post(opened, named("a", "b"));
    expect(JSON.parse(text)).toEqual(named("A", "B"));
    await opened.api.close();
    await database.clear();
    const view = await openTable(
      `${tableOf(own, "kept_items")}; create view items as select ${NAMES.map((name) => (name === "name" ? "upper(name) as name" : `"${name}"`)).join(", ")} from kept_items;
       ${trigger("write", "instead of insert", "items", "insert into kept_items select new.*; new.name = upper(new.name); return new;")}`,
    );
    expect(JSON.parse((await post(view, named("a", "b"))).text)).toEqual(named("A", "B"));
  });

  test("returns the rows of a table with a rule", async () => {
    const values = NAMES.map((name) => (name === "name" ? "upper(new.name)" : `new."${name}"`)).join(", ");
    const opened = await openTable(
      `${tableOf(own)}; ${tableOf(own, "ruled_items")};
       create rule shout as on insert to items do instead insert into ruled_items values (${values}) returning *`,
    );
    expect(JSON.parse((await post(opened, named("a", "b"))).text)).toEqual(named("A", "B"));
    expect((await loggedSince(opened, 0)).map(({ after }) => after)).toEqual(named("A", "B"));
  });

  test.each(["read committed", "repeatable read"])(
    "returns the rows if a trigger was added while the statement waited, in the isolation level %s",
    async (level) => {
      const [{ name }] = (await queryPostgres(database.url, "select current_database() as name")) as [{ name: string }];
      onTestFinished(async () => {
        await queryPostgres(database.url, `alter database ${name} reset default_transaction_isolation`);
      });
      await queryPostgres(
        database.url,
        `alter database ${name} set default_transaction_isolation = '${level}'; ${tableOf(own)}`,
      );
      const opened = openItems();
      onTestFinished(() => opened.api.close());
      await opened.api.ready;
      const shout = "new.name = upper(new.name); return new;";
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query(`begin; ${trigger("shout", "before insert", "items", shout)}`);
      const posted = post(opened, named("a", "b"));
      await expect
        .poll(async () => queryPostgres(database.url, "select 1 from pg_locks where not granted"), { timeout: 5_000 })
        .not.toEqual([]);
      await client.query("commit");
      const { text, plans } = await posted;
      expect(plans).toEqual(["kept", "returned"]);
      expect(JSON.parse(text)).toEqual(named("A", "B"));
    },
  );

  test("writes nothing if a trigger skips a row", async () => {
    const skip = "if new.name = 'skipped' then return null; end if; return new;";
    const opened = await openTable(`${tableOf(own)}; ${trigger("skip", "before insert", "items", skip)}`);
    expect((await post(opened, named("a", "skipped", "b"))).status).toBe(500);
    expect((await opened.api.local.item.list()).items).toEqual([]);
    expect(await loggedSince(opened, 0)).toEqual([]);
  });

  test("a rule for reading a row holds for one that isn't returned", async () => {
    const restricted = await restrictedDatabase();
    onTestFinished(() => restricted.drop());
    const opened = await openTable(tableOf(own), restricted.url);
    await queryPostgres(
      restricted.url,
      `alter table items enable row level security; alter table items force row level security;
       create policy writes on items for insert with check (true);
       create policy reads on items for select using (name <> 'hidden')`,
    );
    const many = await post(opened, named("a", "hidden"));
    const one = await send(opened.api, "POST", "/items", { body: named("hidden")[0] });
    expect([many.status, one.status]).toEqual([500, 500]);
    expect((await opened.api.local.item.list()).items).toEqual([]);
    expect((await post(opened, named("a", "b"))).plans).toEqual(["kept"]);
  });
});
