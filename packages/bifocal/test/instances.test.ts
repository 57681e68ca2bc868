import { servers } from "@bifocal/test-servers";
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { createWorkplace, FIXTURE, startBifocal, type Workplace } from "./run-bifocal.ts";

const APPLY = ["db", "apply", "--api", FIXTURE];

/** Migrations that fail when they run twice, and take some time. */
function writeMigrations({ folder }: Workplace, count: number, pause: string): void {
  mkdirSync(join(folder, "migrations"));
  for (let index = 1; index <= count; index++) {
    const text = `create table t${index} (id int);\n${pause};\ninsert into t${index} values (${index});\n`;
    writeFileSync(join(folder, `migrations/000${index}_t${index}.sql`), text);
  }
}

async function rowsOf(url: string, text: string): Promise<readonly unknown[]> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row)[0]);
    } finally {
      await client.end();
    }
  }
  const connection = await mysql.createConnection(url);
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(text);
    return rows.map((row): unknown => Object.values(row)[0]);
  } finally {
    await connection.end();
  }
}

describe.each(servers.filter(({ name }) => name !== "sqlite"))("$name", ({ name, missing, create }) => {
  test.skipIf(missing !== undefined)(
    "apply each migration once when they start together",
    async () => {
      const database = await create();
      using place = createWorkplace();
      try {
        writeMigrations(place, 4, name === "postgres" ? "select pg_sleep(0.2)" : "select sleep(0.2)");
        const started = [1, 2, 3].map(() => startBifocal(place.folder, APPLY, { DATABASE_URL: database.url }));
        const ended = await Promise.all(started.map((one) => one.ended));
        expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
        const applied = ended.flatMap(({ out }) => out.trim().split("\n")).filter((line) => line !== "");
        expect(applied.toSorted()).toEqual([1, 2, 3, 4].map((index) => `applied 000${index}_t${index}.sql`));
        expect(await rowsOf(database.url, "select count(*) from t4")).toEqual([name === "postgres" ? "1" : 1]);
      } finally {
        await database.drop();
      }
    },
    60_000,
  );
});

const postgres = servers.find(({ name }) => name === "postgres");

test.skipIf(postgres?.missing !== undefined)(
  "leave a migration applied completely or not at all when killed (PostgreSQL)",
  async () => {
    const database = await postgres!.create();
    using place = createWorkplace();
    try {
      writeMigrations(place, 6, "select pg_sleep(0.3)");
      for (let kill = 0; kill < 4; kill++) {
        const { child, ended } = startBifocal(place.folder, APPLY, { DATABASE_URL: database.url });
        // Kill it at a random moment after it has started its work.
        const working =
          "select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()";
        while (child.exitCode === null && (await rowsOf(database.url, working)).length === 0) await sleep(20);
        await sleep(Math.random() * 400);
        child.kill("SIGKILL");
        await ended;
        const made = await rowsOf(
          database.url,
          "select tablename from pg_tables where tablename ~ '^t[0-9]' order by 1",
        );
        const recorded = await rowsOf(
          database.url,
          made.length === 0
            ? "select null where false"
            : "select substring(name, 6, 2) from bifocal_migration order by 1",
        );
        expect(recorded).toEqual(made);
      }
      expect(await startBifocal(place.folder, APPLY, { DATABASE_URL: database.url }).ended).toMatchObject({ code: 0 });
      expect(await rowsOf(database.url, "select id from t1 union all select id from t6 order by 1")).toEqual([1, 6]);
    } finally {
      await database.drop();
    }
  },
  90_000,
);
