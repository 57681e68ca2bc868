// Compares aggregates and fields over relations with SQL written by hand, on PostgreSQL with 10,000 authors and 100,000 books. Both sides return
// the JSON of a response.
import { allow, belongsTo, count, defineApi, defineResource, hasMany } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import pg from "pg";
import { z } from "zod";
import { median } from "../median.ts";
import { prepareDatabase, url } from "../sql/database.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 30);
/** Both sides run as often or as long as this first, so that their code is compiled and their statements are prepared. */
const WARM_UP = { rounds: 1_000, ms: 3_000 };

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), bio: z.string().nullable() },
  relations: { books: hasMany("book", "authorId") },
  computed: { cheapBooks: count("books", { price: { lt: 10 } }) },
  filterable: ["cheapBooks"],
  sortable: ["cheapBooks"],
  access,
  page: { size: 20, max: 100 },
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    year: z.int32(),
    price: z.number(),
    summary: z.string(),
    authorId: z.int32(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access,
  aggregatable: ["price"],
  groupable: ["year"],
});

interface Work {
  readonly name: string;
  readonly url: string;
  readonly body?: object;
  readonly byHand: (pool: pg.Pool) => Promise<unknown>;
}

const CHEAP = "(select count(*)::int from books b where b.author_id = a.id and b.price < 10) as n";

const WORKS: readonly Work[] = [
  {
    name: "the average price of all books",
    url: "/books?aggregate=count,avg.price,max.price",
    byHand: async (pool) =>
      (await pool.query('select count(*)::int as "count", avg(price) as "avg", max(price) as "max" from books')).rows,
  },
  {
    name: "the ten years with most books",
    url: "/books?aggregate=count,avg.price&group=year&sort=-count&page[size]=10",
    byHand: async (pool) =>
      (
        await pool.query(
          'select year, count(*)::int as "count", avg(price) as "avg" from books group by year order by 2 desc, 1 limit 10',
        )
      ).rows,
  },
  {
    name: "the average price for each of 50 authors",
    url: "/graphql",
    body: { query: "{ authors(first: 50) { nodes { id booksAggregate { nodes { count avg { price } } } } } }" },
    byHand: async (pool) => {
      const { rows } = await pool.query<{ id: number }>("select id from authors order by id limit 50");
      const ids = rows.map(({ id }) => id);
      const found = await pool.query(
        'select author_id, count(*)::int as "count", avg(price) as "avg" from books where author_id = any($1) group by author_id',
        [ids],
      );
      return [rows, found.rows];
    },
  },
  {
    name: "100 authors with the number of their cheap books",
    url: "/authors?page[size]=100&fields=id,name,cheapBooks",
    byHand: async (pool) => (await pool.query(`select id, name, ${CHEAP} from authors a order by id limit 101`)).rows,
  },
  {
    name: "100 authors by this number, filtered and sorted",
    url: "/authors?page[size]=100&fields=id,name,cheapBooks&filter[cheapBooks][gte]=2&sort=-cheapBooks",
    byHand: async (pool) => {
      const all = `select id, name, ${CHEAP} from authors a`;
      return (await pool.query(`select * from (${all}) a where n >= 2 order by n desc, id limit 101`)).rows;
    },
  },
];

await prepareDatabase();
const pool = new pg.Pool({ connectionString: url, max: 4 });
const api = defineApi({ resources: [author, book], store: sqlStore({ url, max: 4 }), rateLimit: false });
await api.ready;
try {
  for (const work of WORKS) {
    const [ours = [], byHand = []] = await timesOf(
      () => ask(work),
      async () => JSON.stringify(await work.byHand(pool)),
    );
    const ratios = ours.map((time, round) => (byHand[round] ?? Number.NaN) / time).sort((a, b) => a - b);
    const [low, high] = [0.25, 0.75].map((part) => ratios[Math.floor(ratios.length * part)]?.toFixed(2));
    const times = `${median(ours).toFixed(2)} ms, by hand ${median(byHand).toFixed(2)} ms`;
    console.log(
      `${work.name}: ${times} (${median(ratios).toFixed(2)} × as fast; half of the rounds: ${low} to ${high})`,
    );
  }
} finally {
  await api.close();
  await pool.end();
}

async function ask({ url: path, body }: Work): Promise<void> {
  const [pathname = "", query = ""] = path.split("?");
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  const response = await api.handle({
    method: body === undefined ? "GET" : "POST",
    path: pathname,
    query,
    prefix: "",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: () => bytes,
    signal: new AbortController().signal,
    scheme: "http",
    headerCount: 0,
    repeats: () => false,
    address: undefined,
    raw: undefined,
  });
  if (response?.status !== 200) throw new Error(`${path} failed: ${response?.status}`);
}

/** Alternates between both sides, so that changes of the machine's speed affect both alike. */
async function timesOf(...sides: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const times = sides.map((): number[] => []);
  const warmUntil = performance.now() + WARM_UP.ms;
  for (let round = 0; round < WARM_UP.rounds && performance.now() < warmUntil; round++)
    for (const side of sides) await side();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, side] of sides.entries()) {
      const start = performance.now();
      await side();
      times[at]?.push(performance.now() - start);
    }
  }
  return times;
}
