import { sqlStore } from "@bifocal/sql";
import { defineApi } from "@bifocal/core";
import pg from "pg";
import { author, book } from "./resources.ts";

const SERVER = process.env["BENCH_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const NAME = "bifocal_bench";

/** URL of the bench's database. */
export const url = process.env["BENCH_DATABASE_URL"] ?? SERVER.replace(/\/[^/]*$/, `/${NAME}`);

const [AUTHORS, BOOKS] = [10_000, 100_000];

/**
 * Creates the database and its rows, once: 10,000 authors with ten books each, with the indexes that a store creates.
 */
export async function prepareDatabase(): Promise<void> {
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [NAME]);
  if (rowCount === 0) await admin.query(`create database ${NAME}`);
  await admin.end();
  const api = defineApi({ resources: [author, book], store: sqlStore({ url, autoCreate: true }) });
  await api.ready;
  await api.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: string }>("select count(*) from books");
  if (Number(rows[0]?.count) !== BOOKS) {
    await client.query("truncate authors, books");
    await client.query(
      `insert into authors select n, 'Author ' || lpad(n::text, 5, '0'), 'Born and raised, writer of books, number ' || n from generate_series(1, ${AUTHORS}) n`,
    );
    await client.query(
      `insert into books select n, 'A book of some length, number ' || n, 1900 + n % 120, (n % 5000) / 100.0, repeat('All about it. ', 12), 1 + (n * 7919) % ${AUTHORS} from generate_series(1, ${BOOKS}) n`,
    );
    await client.query("analyze");
  }
  await client.end();
}
