import { setTimeout as sleep } from "node:timers/promises";
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), half: z.int32() };
const number = defineResource("number", { fields, access, filterable: ["id"] });
/** A view whose rows take minutes of CPU. */
const riddle = defineResource("riddle", { fields, access, filterable: ["id"] });

const TABLES = [
  "create table numbers (id integer primary key, half integer not null)",
  `insert into numbers with recursive n(i) as (select 1 union all select i + 1 from n where i < 900) select i, i / 2 from n`,
  `create view riddles as select n.id, (
    select count(*) from numbers a, numbers b, numbers c, numbers d where a.id * b.id + c.id * d.id = n.id * 7
  ) as half from numbers n`,
];
const ACTIVE = {
  postgres:
    "select count(*) as n from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
  mysql:
    "select count(*) as n from information_schema.processlist where db = database() and command <> 'Sleep' and id <> connection_id()",
};

function openApi(url: string, timeout: number) {
  const store = sqlStore({ url, max: 4 });
  return defineApi({
    resources: [number, riddle],
    store,
    limits: { query: { timeout } },
    warnings: false,
    log: silentLog,
  });
}

type Ask = (text: string) => Promise<readonly { readonly n?: unknown }[]>;

async function connect(name: "postgres" | "mysql", url: string): Promise<{ ask: Ask; end: () => Promise<void> }> {
  if (name === "postgres") {
    const client = new pg.Client(url);
    await client.connect();
    return { ask: async (text) => (await client.query<{ n: unknown }>(text)).rows, end: () => client.end() };
  }
  const connection = await mysql.createConnection(url);
  return { ask: async (text) => (await connection.query(text))[0] as { n: unknown }[], end: () => connection.end() };
}

const REMOTE = (["postgres", "mysql"] as const).flatMap((name) =>
  servers.filter((server) => server.name === name).map(({ missing, create }) => ({ name, missing, create })),
);

describe.each(REMOTE.filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase;
  let operator: Awaited<ReturnType<typeof connect>>;
  let api: ReturnType<typeof openApi>;
  beforeAll(async () => {
    database = await create();
    operator = await connect(name, database.url);
    for (const text of TABLES) await operator.ask(text);
  });
  afterEach(() => api.close());
  afterAll(async () => {
    await operator.end();
    await database.drop();
  });

  async function active(): Promise<number> {
    const [row] = await operator.ask(ACTIVE[name]);
    return Number(row?.n);
  }

  async function untilIdle(): Promise<void> {
    await expect.poll(active, { timeout: 10_000 }).toBe(0);
  }

  test("stops statements on the server at their deadline, and then serves others", async () => {
    api = openApi(database.url, 1_000);
    const riddles = Array.from({ length: 12 }, () => api.local.riddle.list({}));
    await expect.poll(active, { timeout: 900 }).toBeGreaterThan(0);
    for (const one of await Promise.allSettled(riddles)) expect(one).toMatchObject({ reason: { code: "TIMEOUT" } });
    const { items } = await api.local.number.list({ filter: { id: { eq: 7 } } });
    expect(items.map(({ id }) => id)).toEqual([7]);
    await untilIdle();
  }, 20_000);

  test("stops a statement on the server when its caller disconnects", async () => {
    api = openApi(database.url, 10_000);
    const leaving = new AbortController();
    const list = api.local.riddle.list({ signal: leaving.signal }).catch((thrown: unknown) => thrown);
    await expect.poll(active, { timeout: 5_000 }).toBeGreaterThan(0);
    await sleep(200);
    leaving.abort();
    expect(await list).toMatchObject({ code: "UNAVAILABLE" });
    await untilIdle();
  }, 20_000);
});
