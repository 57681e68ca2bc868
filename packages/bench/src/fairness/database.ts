import pg from "pg";

const SERVER = process.env["BENCH_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const NAME = "bifocal_fairness";

/** URL of the database with the notes. */
export const url = SERVER.replace(/\/[^/]*$/, `/${NAME}`);

export async function prepareDatabase(): Promise<void> {
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [NAME]);
  if (rowCount === 0) await admin.query(`create database ${NAME}`);
  await admin.end();
}
