import { allow, type Api, belongsTo, defineApi, defineResource, hasMany } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import mysql, { type RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const TEXTS = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] as const;
const author = defineResource("author", {
  fields: { id: z.int32() },
  relations: { notes: hasMany("note", "authorId") },
  access,
});
const note = defineResource("note", {
  fields: { id: z.int32(), authorId: z.int32(), a: z.string(), ...fieldsOf(TEXTS.slice(1)) },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["id", "a"],
  sortable: ["a", ...(TEXTS.slice(1) as [])],
  page: { size: 2, max: 10 },
  bulk: { create: 5 },
});

function fieldsOf(names: readonly string[]): Record<string, z.ZodDefault<z.ZodString>> {
  return Object.fromEntries(names.map((name) => [name, z.string().default("same")]));
}

const LONG = "x".repeat(4_095);

describe.each(servers.filter(({ name, missing }) => name === "mysql" && missing === undefined))(
  "$name",
  ({ create }) => {
    let database: TestDatabase;
    let api: Api<typeof author | typeof note>;
    beforeAll(async () => {
      database = await create();
      api = defineApi({ resources: [author, note], store: sqlStore({ url: database.url, autoCreate: true, max: 1 }) });
      await api.local.author.create({ id: 1 });
      await api.local.note.createMany(
        ["e", "d", "c", "b", "a"].map((end, at) => ({ id: at + 1, authorId: 1, a: `${LONG}${end}` })),
      );
    });
    afterAll(async () => {
      await api?.close();
      await database?.drop();
    });

    const SORTS = [["a"], ["-a"], [...TEXTS].reverse()] as const;
    test.each(SORTS)("sorts long text by its whole content, page by page: %s", async (...sort) => {
      const seen: number[] = [];
      for (let offset = 0; offset < 5; offset += 2) {
        const { items } = await api.local.note.list({ sort: sort as never, page: { size: 2, offset } });
        seen.push(...items.map(({ id }) => id));
      }
      expect(seen).toEqual(sort[0] === "-a" ? [1, 2, 3, 4, 5] : [5, 4, 3, 2, 1]);
    });

    test("runs more statements than it keeps prepared", async () => {
      const sorts = TEXTS.flatMap((first) => TEXTS.filter((next) => next !== first).map((next) => [first, `-${next}`]));
      for (let round = 0; round < 3; round++)
        for (const [at, sort] of [...sorts, ...sorts.map((both) => both.toReversed())].entries()) {
          const { items } = await api.local.note.list({ filter: { id: (at % 5) + 1 }, sort: sort as never });
          expect(items.map(({ id }) => id)).toEqual([(at % 5) + 1]);
        }
    });

    test("returns UNAVAILABLE if the connection is lost within a transaction", async () => {
      const admin = await mysql.createConnection({ uri: database.url });
      const work = api.transaction(async (local) => {
        await local.author.create({ id: 2 });
        const [rows] = await admin.query<RowDataPacket[]>(
          "select id from information_schema.processlist where db = database() and id <> connection_id()",
        );
        for (const { id } of rows) await admin.query(`kill ${id}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await local.author.create({ id: 3 });
      });
      await expect(work).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect((await api.local.author.list({})).items).toEqual([{ id: 1 }]);
      await admin.end();
    });
  },
);
