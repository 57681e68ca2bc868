// Measures transfers between accounts in PostgreSQL, with two reads and two writes per transaction: Bifocal within the
// process, and `pg` by hand. Rows are written in a fixed order or in any order. ROUNDS (3), SECONDS (3), WORKERS (8),
// ACCOUNTS (100).
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import pg from "pg";
import { z } from "zod";
import { median } from "../median.ts";

const SERVER = process.env["BENCH_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const NAME = "bifocal_bench_transfers";
const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const [ROUNDS, SECONDS, WORKERS, ACCOUNTS] = [
  number("ROUNDS", 3),
  number("SECONDS", 3),
  number("WORKERS", 8),
  number("ACCOUNTS", 100),
];

const admin = new pg.Client({ connectionString: SERVER });
await admin.connect();
await admin.query(`drop database if exists ${NAME} with (force)`);
await admin.query(`create database ${NAME}`);
const url = SERVER.replace(/\/[^/]*$/, `/${NAME}`);

const account = defineResource("account", {
  fields: { id: z.int32(), balance: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const store = sqlStore({ url, autoCreate: true, max: WORKERS });
const api = defineApi({ resources: [account], store, log: silentLog });
await api.ready;
for (let id = 0; id < ACCOUNTS; id++) await api.local.account.create({ id, balance: 1_000 });
const pool = new pg.Pool({ connectionString: url, max: WORKERS });

type Pair = readonly [from: number, to: number];
type Transfer = (pair: Pair, isOrdered: boolean) => Promise<void>;

const steps = ([from, to]: Pair, isOrdered: boolean): readonly (readonly [id: number, amount: number])[] => {
  const both = [
    [from, -1],
    [to, 1],
  ] as const;
  return isOrdered ? both.toSorted(([a], [b]) => a - b) : both;
};

const byBifocal: Transfer = async (pair, isOrdered) => {
  await api.transaction(async (local) => {
    for (const [id, amount] of steps(pair, isOrdered)) {
      const row = await local.account.get(id);
      if (row === null) throw new Error("There is no such account.");
      await local.account.update(id, { balance: row.balance + amount });
    }
  });
};

/** Uses the same isolation level and the same retries, but writes no events. */
const byHand: Transfer = async (pair, isOrdered) => {
  for (let tries = 1; ; tries++) {
    const client = await pool.connect();
    try {
      await client.query("begin isolation level repeatable read");
      for (const [id, amount] of steps(pair, isOrdered)) {
        const read = { name: "read", text: "select balance from accounts where id = $1", values: [id] };
        const { rows } = await client.query<{ balance: number }>(read);
        const balance = (rows[0]?.balance ?? 0) + amount;
        await client.query({
          name: "write",
          text: "update accounts set balance = $2 where id = $1",
          values: [id, balance],
        });
      }
      await client.query("commit");
      return;
    } catch (thrown) {
      await client.query("rollback");
      if (!["40001", "40P01"].includes(String((thrown as { code?: unknown }).code))) throw thrown;
    } finally {
      client.release();
    }
    const pause = Math.min(250, 4 * 2 ** tries);
    await new Promise((resolve) => setTimeout(resolve, pause / 2 + (Math.random() * pause) / 2));
  }
};

function randomPair(): Pair {
  const from = Math.floor(Math.random() * ACCOUNTS);
  return [from, (from + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS];
}

async function perSecond(transfer: Transfer, isOrdered: boolean): Promise<number> {
  const start = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (performance.now() - start < SECONDS * 1_000) {
        await transfer(randomPair(), isOrdered).then(
          () => count++,
          () => {},
        );
      }
    }),
  );
  return (count * 1_000) / (performance.now() - start);
}

/** Returns how many deadlocks the server has ended. Its processes report them a second late. */
async function deadlocks(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const { rows } = await admin.query<{ count: string }>(
    "select deadlocks as count from pg_stat_database where datname = $1",
    [NAME],
  );
  return Number(rows[0]?.count);
}

const { statements } = await store.explain(() => byBifocal([0, 1], true));
console.log(`${statements.length} statements, besides begin and commit, which share their pieces:`);
for (const { sql } of statements) console.log(`  ${sql}`);

for (const isOrdered of [true, false]) {
  const found: Record<"bifocal" | "pg", number[]> = { bifocal: [], pg: [] };
  const ended = { bifocal: 0, pg: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    const start = await deadlocks();
    const rateOfBifocal = await perSecond(byBifocal, isOrdered);
    const between = await deadlocks();
    const rateByHand = await perSecond(byHand, isOrdered);
    const end = await deadlocks();
    // The first round warms up.
    if (round === 0) continue;
    found.bifocal.push(rateOfBifocal);
    found.pg.push(rateByHand);
    ended.bifocal += between - start;
    ended.pg += end - between;
  }
  const ratio = median(found.bifocal.map((one, at) => one / (found.pg[at] as number)));
  console.log({
    order: isOrdered ? "one order" : "any order",
    bifocal: Math.round(median(found.bifocal)),
    pg: Math.round(median(found.pg)),
    ratio: Number(ratio.toFixed(2)),
    deadlocks: ended,
  });
}
const { items } = await api.local.account.list({ page: { size: 100 } });
if (items.length === ACCOUNTS)
  console.log(
    "sum",
    items.reduce((sum, { balance }) => sum + balance, 0),
  );
await api.close();
// Connections that the server ends are expected here.
pool.on("error", () => {});
await pool.end();
await admin.query(`drop database ${NAME}`);
await admin.end();
