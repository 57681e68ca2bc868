import { allow, defineApi, defineResource } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";
import { hosts } from "../hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const COLUMNS = {
  postgres: "id int primary key, at timestamptz, flag smallint, day bigint, price numeric(8,2), is_new boolean",
  mysql: "id int primary key, at datetime, flag time, day bigint, price decimal(8,2), is_new tinyint(1)",
} as const;

describe.each(servers.filter(({ name }) => name !== "sqlite"))("columns of another kind on $name", (server) => {
  const name = server.name === "postgres" ? "postgres" : "mysql";
  let database: TestDatabase;
  beforeAll(async () => {
    if (server.missing !== undefined) return;
    database = await server.create();
    const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
    const kysely = new Kysely<unknown>({ dialect: dialect as never });
    await sql.raw(`create table books (${COLUMNS[name]})`).execute(kysely);
    await kysely.destroy();
  });
  afterAll(() => database?.drop());

  test.skipIf(server.missing !== undefined)("are listed when the store opens", async () => {
    const book = defineResource("book", {
      fields: {
        id: z.int32(),
        at: z.number().nullable(),
        flag: z.boolean().nullable(),
        day: z.iso.date().nullable(),
        price: z.string().nullable(),
        isNew: z.boolean().nullable(),
      },
      access,
    });
    const messages: string[] = [];
    const note = (_: string, details?: { readonly cause?: unknown }): void =>
      void messages.push(String(details?.cause));
    const api = defineApi({
      resources: [book],
      store: sqlStore(database.url),
      log: { info: () => {}, warn: note, error: note },
    });
    await expect(api.ready).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await api.close();
    const [first = ""] = messages;
    expect(first).toContain(`book: field 'at' is of type number, but column 'at' of table 'books' is `);
    expect(first).toContain(`book: field 'flag' is of type boolean, but column 'flag' of table 'books' is `);
    expect(first).toContain(`book: field 'day' is of type date, but column 'day' of table 'books' is bigint`);
    expect(first.match(/is of type/g)).toHaveLength(3);
  });
});
