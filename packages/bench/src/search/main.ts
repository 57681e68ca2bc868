// Measures searches over a million rows: two words, the second of which may be the start of one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, belongsTo, defineApi, defineResource, silentLog } from "@bifocal/core";
import { applyMigrations, sqlStore } from "@bifocal/sql";
import { z } from "zod";
import { median } from "../median.ts";
import { DATABASES, type SearchDatabase } from "./databases.ts";

const ROWS = Number(process.env["SEARCH_ROWS"] ?? 1_000_000);
const AUTHORS = 20_000;
const SEARCHES = 200;

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access });
const fields = { id: z.int32(), title: z.string(), authorId: z.int32() };
const relations = { author: belongsTo("author", "authorId") };

/** The same table, searched by its title alone or also by the name of the author. */
const OWN = defineResource("book", { fields, relations, access, search: ["title"] });
const FAR = defineResource("book", { fields, relations, access, search: ["title", "author.name"] });

/** A word of a vocabulary in which the first words are the most frequent. */
const word = (position: number): string => `w${position.toString(36)}`;
const drawn = (): string => word(Math.round(20_000 * Math.random() ** 3));

for (const name of (process.env["SEARCH_DATABASES"] ?? Object.keys(DATABASES).join()).split(",")) {
  const create = DATABASES[name];
  if (create === undefined) throw new Error(`Unknown database '${name}'. Known: ${Object.keys(DATABASES).join(", ")}.`);
  const database = await create();
  try {
    await fill(database, name);
    await measure(`${name}, title`, database, OWN);
    await measure(`${name}, title and author.name`, database, FAR);
  } finally {
    await database.close();
  }
}

function openApi({ url }: SearchDatabase, book: typeof OWN, autoCreate: boolean) {
  const store = sqlStore({ url, autoCreate });
  return defineApi({ resources: [author, book], store, log: silentLog, limits: { query: { timeout: 60_000 } } });
}

/** Another program writes the rows. On SQLite and MariaDB, migrations index them. */
async function fill(database: SearchDatabase, name: string): Promise<void> {
  const made = openApi(database, FAR, true);
  await made.ready;
  await made.close();
  await database.run("begin");
  await insert(database, "authors (id, name)", AUTHORS, (id) => `(${id}, 'a${id.toString(36)} ${drawn()}')`);
  await insert(database, "books (id, title, author_id)", ROWS, (id) => {
    const title = Array.from({ length: 6 }, drawn).join(" ");
    return `(${id}, '${title}', ${1 + (id % AUTHORS)})`;
  });
  await database.run("commit");
  const started = performance.now();
  const store = sqlStore({ url: database.url });
  const folder = mkdtempSync(join(tmpdir(), "bifocal-search-"));
  await applyMigrations(store, { folder });
  await store.close?.();
  rmSync(folder, { recursive: true });
  console.log(`${name}: indexed in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  for (const table of ["authors", "books"])
    await database.run(name === "mariadb" ? `analyze table ${table}` : `analyze ${table}`);
}

async function insert(
  database: SearchDatabase,
  into: string,
  count: number,
  row: (id: number) => string,
): Promise<void> {
  for (let from = 1; from <= count; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count + 1 - from) }, (_, at) => row(from + at));
    await database.run(`insert into ${into} values ${rows.join()}`);
  }
}

async function measure(name: string, database: SearchDatabase, book: typeof OWN): Promise<void> {
  const api = openApi(database, book, false);
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < SEARCHES + 20; at++) {
    // Frequent and rare words in turn.
    const [first, second] = [word(at * 37), word(at * 11 + 5)];
    const search = `${first} ${at % 2 === 0 ? second : second.slice(0, 3)}`;
    const started = performance.now();
    const { items } = await api.local.book.list({ search, page: { size: 20 } });
    if (at >= 20) times.push(performance.now() - started);
    found += items.length;
  }
  await api.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] as number).toFixed(1);
  console.log(
    `${name}: p50 ${median(times).toFixed(1)} ms, p95 ${at(0.95)} ms, at most ${at(0.999)} ms; ${found} rows found by ${SEARCHES} searches over ${ROWS} rows`,
  );
}
