// Measures a page at the start of a list and far into it, by cursor, of 100,000 and of 1,000,000 rows.
import { allow, defineApi, defineResource } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import pg from "pg";
import { z } from "zod";
import { prepareDatabase, url } from "./database.ts";
import { settings } from "../settings.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const parts = {
  fields: { id: z.int32(), title: z.string(), year: z.int32() },
  access,
  filterable: ["year"],
  sortable: ["year"],
  page: { size: 50, max: 50 },
} as const;
const few = defineResource("few", { plural: "fewRows", ...parts });
const many = defineResource("many", { plural: "manyRows", ...parts });

await prepareDatabase();
const store = sqlStore({ url, autoCreate: true });
const api = defineApi({
  resources: [few, many],
  store,
  ...settings,
  limits: { ...settings.limits, query: { ...settings.limits.query, offset: 1_000_000 } },
});
await api.ready;
const client = new pg.Client({ connectionString: url });
await client.connect();
for (const [table, size] of [
  ["few_rows", 100_000],
  ["many_rows", 1_000_000],
] as const) {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  if (Number(rows[0]?.count) === size) continue;
  await client.query(`truncate ${table}`);
  await client.query(
    `insert into ${table} select n, 'Title ' || n, (n % 100000 * 7919) % 3000 from generate_series(1, ${size}) n`,
  );
  await client.query(`analyze ${table}`);
}
await client.end();

const ROUNDS = 9;
const WRITES_PER_ROUND = 60;

type Rows = typeof api.local.few | typeof api.local.many;

/** Returns the microseconds for a page after a cursor. */
async function time(rows: Rows, after: string | undefined): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < WRITES_PER_ROUND; n++) {
    await rows.list({ sort: ["year"], page: { size: 50, ...(after === undefined ? {} : { after }) } });
  }
  return ((performance.now() - start) / WRITES_PER_ROUND) * 1_000;
}

async function cursorOf(rows: Rows, page: number): Promise<string> {
  const { endCursor } = await rows.list({ sort: ["year"], page: { size: 50, offset: (page - 1) * 50 } });
  if (endCursor === null) throw new Error(`There is no page ${page}.`);
  return endCursor;
}

const works = {
  "100,000 rows, page 1": [api.local.few, undefined],
  "100,000 rows, page 1,000": [api.local.few, await cursorOf(api.local.few, 1_000)],
  "1,000,000 rows, page 1": [api.local.many, undefined],
  "1,000,000 rows, page 1,000": [api.local.many, await cursorOf(api.local.many, 1_000)],
} as const;
const times = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, [rows, after]] of Object.entries(works)) times.get(name)?.push(await time(rows, after));
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const first = median(times.get("100,000 rows, page 1") ?? []);
for (const [name, values] of times)
  console.log(`${name}: ${median(values).toFixed(0)} µs, ${(median(values) / first).toFixed(2)} of the first`);
await api.close();
