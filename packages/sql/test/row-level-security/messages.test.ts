import { allow, asSystem, defineApi, defineResource, type Principal, silentLog, uuid } from "@bifocal/core";
import type { ResourceModel, StoreContext } from "@bifocal/core/store";
import { queryPostgres, type RestrictedDatabase, restrictedDatabase, servers } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { postgresDatabase } from "../../src/dialect/postgres/postgres-database.ts";
import { sqlStore } from "../../src/index.ts";
import { TenantSetting } from "../../src/tenant-setting.ts";
import { type MessageCounts, startMessageCounter } from "./message-counter.ts";

const missing = servers.find(({ name }) => name === "postgres")?.missing;
const access = { read: allow, create: allow, update: allow, delete: allow };
const tenant = { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined } as const;
const ada = { id: "ada", claims: { shop: "a" } };

const book = defineResource("book", {
  fields: { id: z.uuid(), shopId: z.string(), title: z.string() },
  generated: { id: uuid() },
  tenant,
  access,
});

describe.skipIf(missing !== undefined)("messages to PostgreSQL", () => {
  let database: RestrictedDatabase;
  beforeAll(async () => {
    database = await restrictedDatabase();
  });
  afterAll(() => database.drop());

  /** Counts the messages of each kind of request, after each statement was prepared. */
  async function countRequests(rowLevelSecurity: boolean): Promise<Readonly<Record<string, MessageCounts>>> {
    await queryPostgres(database.url, "drop owned by current_user cascade");
    await queryPostgres(database.superUrl, `grant all on schema public to ${new URL(database.url).username}`);
    const counter = await startMessageCounter(database.url);
    const store = sqlStore({ url: counter.url, autoCreate: true, max: 1, rowLevelSecurity });
    const api = defineApi({ resources: [book], store, log: silentLog });
    await api.ready;
    const { id } = await api.as(asSystem("fill", { tenant: "a" })).book.create({ title: "Emma" });
    const own = api.as(ada).book;
    const requests = {
      get: () => own.get(id),
      list: () => own.list(),
      create: () => own.create({ title: "Dune" }),
      update: () => own.update(id, { title: "Persuasion" }),
    };
    const counts: Record<string, MessageCounts> = {};
    for (const [name, request] of Object.entries(requests)) {
      await request();
      const seen: MessageCounts[] = [];
      for (let at = 0; at < 6; at++) seen.push(await counter.during(request));
      // The change log also sends statements, at its own times.
      counts[name] = seen.sort((one, other) => one.executes - other.executes)[0] as MessageCounts;
    }
    await api.close();
    counter.close();
    return counts;
  }

  test("rowLevelSecurity adds one statement to each batch and no round trip, and costs nothing without the option", async () => {
    expect(await countRequests(false)).toEqual({
      get: { executes: 1, syncs: 1, tenants: 0 },
      list: { executes: 1, syncs: 1, tenants: 0 },
      create: { executes: 1, syncs: 1, tenants: 0 },
      update: { executes: 2, syncs: 1, tenants: 0 },
    });
    expect(await countRequests(true)).toEqual({
      get: { executes: 2, syncs: 1, tenants: 1 },
      list: { executes: 2, syncs: 1, tenants: 1 },
      create: { executes: 2, syncs: 1, tenants: 1 },
      update: { executes: 3, syncs: 1, tenants: 1 },
    });
  });

  test("a statement without a tenant doesn't see that of the statement before it", async () => {
    const tenants = new TenantSetting();
    tenants.open([{ name: "book", tenant } as unknown as ResourceModel]);
    const connections = await postgresDatabase({ url: database.url, max: 1, connectTimeout: 5_000, tenants });
    const context: StoreContext = { signal: undefined, tenants: { reachOf: () => ({ tenant: "a" }) } };
    let compared = 0;
    try {
      for (const isRead of [true, false]) {
        for (const name of [undefined, `setting_${isRead}`]) {
          const sql = "select coalesce(current_setting('bifocal.tenant', true), '')";
          const statement = { sql, parameters: [], name, isRead };
          expect((await connections.query(statement, [], context)).rows).toEqual([["=a"]]);
          expect((await connections.query(statement, [])).rows).toEqual([[""]]);
          compared++;
        }
      }
      await connections.session(async (connection) => {
        const statement = { sql: "select current_setting('bifocal.tenant', true)", parameters: [], name: undefined };
        connection.begin?.("begin");
        expect((await connection.query(statement, [], context)).rows).toEqual([["=a"]]);
        await connection.run("commit");
        expect((await connection.query(statement, [])).rows).toEqual([[""]]);
        compared++;
      });
    } finally {
      await connections.close();
    }
    expect(compared).toBe(5);
  });
});
