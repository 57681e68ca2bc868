import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { applyMigrations, checkSchema, planMigration, sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), body: z.string(), stars: z.int32() },
  filterable: ["body"],
  access: { read: allow, create: allow, update: allow, delete: allow },
});
/** 10 kB, so that a B-tree couldn't hold it. */
const LONG = "the quick brown fox ".repeat(500);

describe.each(servers)("a field with trigrams on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  let folder: string;
  const createApi = (trigrams: readonly string[], autoCreate = true) =>
    defineApi({
      resources: [note],
      store: sqlStore({ url: database.url, autoCreate, tables: { note: { trigrams } } }),
      log: silentLog,
    });
  beforeAll(async () => {
    if (missing === undefined) database = await create();
    folder = mkdtempSync(join(tmpdir(), "bifocal-trigrams-"));
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true });
  });

  const drift = async (api: ReturnType<typeof createApi>): Promise<readonly string[]> =>
    (await checkSchema(api, { folder })).filter((line) => line.includes("notes"));

  describe.skipIf(missing !== undefined)("in the options", () => {
    test("gets its index when the store creates tables or by a migration, and not before", async () => {
      const before = createApi([]);
      await before.ready;
      for (let id = 1; id <= 300; id++) await before.local.note.create({ id, body: `row ${id} ${LONG}`, stars: 1 });
      expect(await drift(before)).toEqual([]);
      await before.close();

      const after = createApi(["body"], false);
      const { steps, text } = await planMigration(after, { folder });
      const titles = steps.map(({ title }) => title).filter((title) => title.includes("notes"));
      expect(titles).toEqual(name === "postgres" ? ["add index notes_body_trgm on notes (body)"] : []);
      expect(text.includes("create extension if not exists pg_trgm")).toBe(name === "postgres");
      const store = sqlStore({ url: database.url, autoCreate: false });
      await store["~schema"]?.write(folder, await planMigration(after, { folder }));
      await applyMigrations(store, { folder });
      await store.close?.();
      expect(await drift(after)).toEqual([]);
      const filters = [{ contains: "row 42 the" }, { icontains: "ROW 42 THE" }, { startsWith: "row 42 " }];
      for (const body of filters) {
        expect((await after.local.note.list({ filter: { body } })).items.map(({ id }) => id)).toEqual([42]);
      }
      await after.close();
    });

    test.skipIf(name !== "postgres")("is used by contains and endsWith", async () => {
      const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
      const kysely = new Kysely<unknown>({ dialect: dialect as never });
      const statements: string[] = [];
      const api = createApi(["body"]);
      for (const pattern of ["%row 42 the%", "%fox 42"]) {
        const asked = sql`explain select id from notes where body like ${sql.lit(pattern)}::text escape '!' order by id limit 20`;
        const { rows } = await kysely.transaction().execute(async (trx) => {
          // The planner prefers to scan a table as small as this one.
          await sql.raw("set local enable_seqscan = off; set local enable_indexscan = off").execute(trx);
          return asked.execute(trx);
        });
        statements.push(JSON.stringify(rows));
      }
      for (const plan of statements) expect(plan).toContain("notes_body_trgm");
      await Promise.all([api.close(), kysely.destroy()]);
    });

    test("warns where there are no such indexes", async () => {
      const api = createApi(["body"]);
      const codes = api.warnings().map(({ code }) => code);
      expect(codes.includes("trigram_index")).toBe(name !== "postgres");
      await api.close();
    });

    test("must be a text field", () => {
      for (const field of ["stars", "bodi"]) {
        expect(() => createApi([field])).toThrow(`sqlStore.tables.note.trigrams: '${field}' isn't a text field.`);
      }
    });
  });
});
