import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { applyMigrations, checkSchema, planMigration, sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", {
  fields: { id: z.int32(), body: z.string(), title: z.string().max(100), name: z.string().nullable() },
  filterable: ["body", "title"],
  sortable: ["name"],
  access,
});
/** 10 kB that can't be compressed. */
const LONG = randomBytes(7_500).toString("base64");

describe.each(servers)("texts of 10 kB on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  let folder: string;
  let kysely: Kysely<unknown>;
  const createApi = () =>
    defineApi({ resources: [note], store: sqlStore({ url: database.url, autoCreate: true }), log: silentLog });
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    folder = mkdtempSync(join(tmpdir(), "bifocal-long-"));
    const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
    kysely = new Kysely<unknown>({ dialect: dialect as never });
    api = createApi();
    for (let id = 1; id <= 200; id++) {
      await api.local.note.create({ id, body: id === 7 ? LONG : `${id} ${LONG}`, title: `t${id}`, name: null });
    }
  });
  afterAll(async () => {
    await api?.close();
    await kysely?.destroy();
    await database?.drop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  describe.skipIf(missing !== undefined)("in a filterable field", () => {
    test("are stored and found", async () => {
      expect((await api.local.note.list({ filter: { body: LONG } })).items.map(({ id }) => id)).toEqual([7]);
      expect((await api.local.note.list({ filter: { body: { in: [LONG, "x"] } } })).items).toHaveLength(1);
      expect((await api.local.note.list({ filter: { body: { startsWith: "19 " } } })).items).toHaveLength(1);
    });

    test("are found by an index", async () => {
      const explain = name === "sqlite" ? "explain query plan" : "explain";
      const asked = sql`${sql.raw(explain)} select id from notes where body = ${sql.lit(LONG)}`;
      const rows = await kysely.transaction().execute(async (trx) => {
        // The planner of PostgreSQL prefers to scan a table as small as this one.
        if (name === "postgres") await sql.raw("set local enable_seqscan = off").execute(trx);
        return (await asked.execute(trx)).rows;
      });
      expect(JSON.stringify(rows)).toContain("notes_body_idx");
    });

    test("need no change of the tables", async () => {
      expect((await checkSchema(api, { folder })).filter((line) => line.includes("notes"))).toEqual([]);
    });

    test.skipIf(name !== "postgres")("replace the B-tree of an older version, which can't hold them", async () => {
      await sql.raw("drop index notes_body_idx").execute(kysely);
      await sql.raw("truncate notes").execute(kysely);
      await sql.raw("create index notes_body_idx on notes (body, id)").execute(kysely);
      const row = { id: 1, body: LONG, title: "t", name: null };
      await expect(api.local.note.create(row)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      const { steps, text } = await planMigration(api, { folder });
      expect(steps.map(({ title, danger }) => [title, danger])).toEqual([
        ["drop index notes_body_idx of notes", undefined],
        ["add index notes_body_idx on notes (body)", undefined],
      ]);
      expect(text).toContain("using hash");
      const store = sqlStore({ url: database.url, autoCreate: false });
      await store["~schema"]?.write(folder, await planMigration(api, { folder }));
      await applyMigrations(store, { folder });
      await store.close?.();
      await api.local.note.create(row);
      expect((await checkSchema(api, { folder })).filter((line) => line.includes("notes"))).toEqual([]);
    });

    test("are announced at the start where an index can't hold or serve them", () => {
      const found = api.warnings().filter(({ code }) => code === "long_text" || code === "equality_index");
      const expected = [
        { code: "long_text", message: expect.stringMatching(/: note\.name\. Set/) as string },
        { code: "equality_index", message: expect.stringMatching(/: note\.body\. Set/) as string },
      ];
      expect(found).toEqual(name === "postgres" ? expected : []);
    });
  });
});
