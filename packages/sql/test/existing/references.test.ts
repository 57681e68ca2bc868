import { allow, belongsTo, defineApi, defineResource, hasMany, type OnDelete } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { planMigration, sqlStore } from "../../src/index.ts";
import { hosts } from "../hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

/** The constraints have the names that PostgreSQL and the store choose. */
const TABLES = [
  "create table authors (id int not null primary key, email varchar(40) not null, constraint authors_email_key unique (email))",
  "create table books (id int not null primary key, author_id int not null, constraint books_author_id_fkey foreign key (author_id) references authors (id) on delete cascade)",
];

describe.each(servers.filter(({ name }) => name !== "sqlite"))(
  "references of hand-written tables on $name",
  (server) => {
    let database: TestDatabase;
    beforeAll(async () => {
      if (server.missing === undefined) database = await server.create();
    });
    afterEach(() => database?.clear());
    afterAll(() => database?.drop());

    /** Returns the titles of the steps for these tables. */
    async function plan({ onDelete, unique }: { onDelete?: OnDelete; unique: boolean }): Promise<readonly string[]> {
      const dialect = hosts.find(({ name }) => name === server.name)?.dialect(database.url);
      const kysely = new Kysely<unknown>({ dialect: dialect as never });
      for (const text of TABLES) await sql.raw(text).execute(kysely);
      await kysely.destroy();
      const author = defineResource("author", {
        fields: { id: z.int32(), email: z.string().max(40) },
        relations: { books: hasMany("book", "authorId") },
        ...(unique ? { unique: ["email"] as const } : {}),
        access,
      });
      const book = defineResource("book", {
        fields: { id: z.int32(), authorId: z.int32() },
        relations: { author: belongsTo("author", "authorId", onDelete === undefined ? {} : { onDelete }) },
        access,
      });
      const api = defineApi({ resources: [author, book], store: sqlStore(database.url) });
      const { steps } = await planMigration(api, { folder: "none" });
      await api.close();
      return steps.map(({ title }) => title).filter((title) => title.includes("reference"));
    }

    describe.skipIf(server.missing !== undefined)("the plan", () => {
      test("keeps a reference that cascades if the relation cascades", async () => {
        expect(await plan({ onDelete: "cascade", unique: true })).toEqual([]);
      });

      test("keeps a reference to the key if another unique constraint is dropped", async () => {
        expect(await plan({ onDelete: "cascade", unique: false })).toEqual([]);
      });

      test("replaces a reference that cascades if the relation restricts", async () => {
        expect(await plan({ onDelete: "restrict", unique: true })).toEqual([
          "drop reference books_author_id_fkey of books",
          "add reference from books.author_id to authors.id",
        ]);
      });
    });
  },
);
