import { allow, belongsTo, BifocalError, decimal, defineApi, defineResource, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { checkSchema, planMigration, sqlStore } from "../../src/index.ts";
import { hosts } from "../hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const owner = defineResource("owner", { fields: { id: z.int32() }, access });
const text = defineResource("invoice", {
  fields: { id: z.int32(), amount: z.string(), ownerId: z.int32() },
  relations: { owner: belongsTo("owner", "ownerId") },
  access,
  filterable: ["amount"],
  sortable: ["amount"],
});

describe.each(servers)("a text field over a decimal column on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  let folder: string;
  const createApi = () =>
    defineApi({ resources: [owner, text], store: sqlStore({ url: database.url, autoCreate: false }) });
  let api: ReturnType<typeof createApi>;
  const run = async (...statements: readonly string[]): Promise<void> => {
    const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
    const kysely = new Kysely<unknown>({ dialect: dialect as never });
    for (const statement of statements) await sql.raw(statement).execute(kysely);
    await kysely.destroy();
  };
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    folder = mkdtempSync(join(tmpdir(), "bifocal-decimals-"));
    const number = name === "sqlite" ? "integer" : "int";
    await run(
      `create table owners (id ${number} primary key not null)`,
      `create table invoices (id ${number} primary key not null, amount decimal(12,2) not null, owner_id ${number} not null, constraint invoices_owner_id_fkey foreign key (owner_id) references owners (id))`,
      "create index invoices_amount_idx on invoices (amount, id)",
      "create index invoices_owner_id_idx on invoices (owner_id, id)",
      "insert into owners values (1)",
      "insert into invoices values (1, 10.5, 1), (2, 9, 1), (3, 100, 1), (4, -3.25, 1), (5, 10.5, 1)",
    );
    api = createApi();
  });
  afterAll(async () => {
    await api?.close();
    await database?.drop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  const ids = async (amount: object | string, sort?: "amount" | "-amount"): Promise<number[]> => {
    const { items } = await api.local.invoice.list({
      filter: { amount },
      ...(sort === undefined ? {} : { sort: [sort] }),
    });
    return items.map(({ id }) => id);
  };

  describe.skipIf(missing !== undefined)("compares numbers", () => {
    test.each<[amount: object | string, expected: readonly number[]]>([
      [{ gte: "9" }, [1, 2, 3, 5]],
      [{ gt: "10.5" }, [3]],
      [{ lt: "9.0" }, [4]],
      [{ lte: "1e1" }, [2, 4]],
      [{ between: ["9", "10.50"] }, [1, 2, 5]],
      ["10.500", [1, 5]],
      [{ ne: "10.5" }, [2, 3, 4]],
      [{ in: ["+9", "100.0"] }, [2, 3]],
      [{ notIn: ["9.00", "-3.25"] }, [1, 3, 5]],
      [{ startsWith: "10" }, [1, 3, 5]],
      [{ contains: ".5" }, [1, 5]],
    ])("%o", async (amount, expected) => {
      expect(await ids(amount)).toEqual(expected);
    });

    test.each(["abc", "", "1,5", "0x10", "NaN"])("rejects '%s' as an operand", async (amount) => {
      const error = new BifocalError(
        "BAD_REQUEST",
        "'amount' is compared as a number, and the given value is not a number.",
      );
      await expect(ids({ gte: amount })).rejects.toEqual(error);
      await expect(ids({ in: ["1", amount] })).rejects.toEqual(error);
    });

    test.each([
      ["amount", [4, 2, 1, 5, 3]],
      ["-amount", [3, 1, 5, 2, 4]],
    ] as const)("sorts by %s, page by page", async (term, expected) => {
      const seen: number[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = { size: 1, ...(after === undefined ? {} : { after }) };
        const found = await api.local.invoice.list({ sort: [term], page });
        seen.push(...found.items.map(({ id }) => id));
        [after, more] = [found.endCursor ?? undefined, found.hasNext];
      }
      expect(seen).toEqual(expected);
    });

    test("in rules and events, which don't use the database", async () => {
      const stop = new AbortController();
      const changes = api.local.invoice.watch({ filter: { amount: { gte: "9" } }, signal: stop.signal });
      const seen = (async () => {
        for await (const { item } of changes) return (item as { id: number }).id;
        return undefined;
      })();
      await api.local.invoice.create({ id: 20, amount: "-9.5", ownerId: 1 });
      await api.local.invoice.create({ id: 21, amount: "10.25", ownerId: 1 });
      expect(await seen).toBe(21);
      stop.abort();
      await api.local.invoice.delete(20);
      await api.local.invoice.delete(21);
    });

    test("with a decimal field too, which returns all digits", async () => {
      const exact = defineResource("invoice", {
        fields: { id: z.int32(), amount: decimal({ precision: 14, scale: 2 }), ownerId: z.int32() },
        relations: { owner: belongsTo("owner", "ownerId") },
        access,
        filterable: ["amount"],
        sortable: ["amount"],
      });
      const other = defineApi({
        resources: [owner, exact],
        store: sqlStore({ url: database.url, autoCreate: false }),
        log: silentLog,
      });
      const { invoice } = other.local;
      const { items } = await invoice.list({ sort: ["amount"], filter: { amount: { gt: "-5", lte: "10.5" } } });
      expect(items.map(({ amount }) => amount)).toEqual(["-3.25", "9.00", "10.50", "10.50"]);
      expect((await invoice.list({ filter: { amount: { in: ["9", "100.0"] } } })).items).toHaveLength(2);
      await invoice.create({ id: 30, amount: "1234567890.1", ownerId: 1 });
      expect(await invoice.get(30)).toMatchObject({ amount: "1234567890.10" });
      await invoice.delete(30);
      // The column has 12 digits on the servers, and about 15 on SQLite.
      const amount = name === "sqlite" ? "999999999999.55" : "99999999999.5";
      const precise = defineResource("invoice", {
        fields: { id: z.int32(), amount: decimal({ precision: 18, scale: 4 }), ownerId: z.int32() },
        relations: { owner: belongsTo("owner", "ownerId") },
        access,
      });
      const wide = defineApi({
        resources: [owner, precise],
        store: sqlStore({ url: database.url, autoCreate: false }),
        log: silentLog,
      });
      const write = wide.local.invoice.create({ id: 31, amount: `${amount}01`, ownerId: 1 });
      await expect(write).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      await wide.close();
      await other.close();
    });

    // SQLite rebuilds the whole table.
    test.skipIf(name === "sqlite")("and doesn't rebuild references if another column changes", async () => {
      const whole = defineResource("invoice", {
        fields: { id: z.int32(), amount: z.int32(), ownerId: z.int32() },
        relations: { owner: belongsTo("owner", "ownerId") },
        access,
        filterable: ["amount"],
      });
      const store = sqlStore({ url: database.url, autoCreate: false });
      const other = defineApi({ resources: [owner, whole], store });
      const { steps } = await planMigration(other, { folder });
      const titles = steps.map(({ title }) => title);
      expect(titles.filter((title) => title.includes("change column invoices.amount"))).toHaveLength(1);
      expect(titles.filter((title) => title.includes("reference"))).toEqual([]);
      await other.close();
    });

    test("and keeps the column in migrations", async () => {
      // The store wants other details of hand-written tables, but never another type.
      const plan = (await checkSchema(api, { folder })).filter((line) => /amount|type|from decimal|numeric/.test(line));
      expect(plan).toEqual([]);
    });
  });
});
