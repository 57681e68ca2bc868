import { allow, defineApi, defineResource } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";
import { hosts } from "../hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const account = defineResource("account", {
  fields: { id: z.int32(), amount: z.string(), owner: z.string(), at: z.iso.datetime() },
  access,
  filterable: ["amount", "owner", "at"],
  sortable: ["amount", "owner", "at"],
});

const OWNER = { postgres: "varchar(20)", mysql: "varchar(20) character set latin1", sqlite: "varchar(20)" } as const;
const AT = { postgres: "timestamp", mysql: "datetime", sqlite: "datetime" } as const;

// SQLite has no such type, but keeps text that is written as text.
const AMOUNT = { postgres: "decimal(20,2)", mysql: "decimal(20,2)", sqlite: "text" } as const;

describe.each(servers)("hand-written columns on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  const createApi = () => defineApi({ resources: [account], store: sqlStore({ url: database.url }) });
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
    const kysely = new Kysely<unknown>({ dialect: dialect as never });
    await sql
      .raw(
        `create table accounts (id integer primary key, amount ${AMOUNT[name]} not null, owner ${OWNER[name]} not null, at ${AT[name]} not null)`,
      )
      .execute(kysely);
    await sql
      .raw(
        `insert into accounts values (1, '123456789012345678.90', 'Zoë', '2026-01-01 10:00:00'),
        (2, '123456789012345678.91', 'zoë', '2026-01-01 23:00:00'), (3, '9.50', 'Ann', '2025-12-31 23:59:59')`,
      )
      .execute(kysely);
    await kysely.destroy();
    api = createApi();
    await api.local.account.create({ id: 4, amount: "10.00", owner: "Ben", at: "2026-01-01T11:00:00Z" });
  });
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  });

  const ids = async (filter: object, sort: string[] = ["id"]): Promise<number[]> => {
    const given = sort[0] === "id" ? {} : { sort: sort as never };
    const { items } = await api.local.account.list({ filter, ...given });
    return items.map(({ id }) => id);
  };

  describe.skipIf(missing !== undefined)("have the meaning of their fields", () => {
    test.each([
      [{ amount: "123456789012345678.90" }, [1]],
      [{ amount: { in: ["123456789012345678.90", "1"] } }, [1]],
      [{ amount: { notIn: ["123456789012345678.91", "1"] } }, [1, 3, 4]],
      [{ amount: { gt: "123456789012345678.90" } }, name === "sqlite" ? [2, 3] : [2]],
      [{ amount: { startsWith: "9" } }, [3]],
      [{ owner: { in: ["Zoë", "ann"] } }, [1]],
      [{ owner: { icontains: "OË" } }, [1, 2]],
      [{ owner: { gte: "Zoë" } }, [1, 2]],
      [{ at: "2026-01-01T10:00:00Z" }, [1]],
      [{ at: { in: ["2026-01-01T11:00:00Z", "2026-01-01T23:00:00Z"] } }, [2, 4]],
      [{ at: { gte: "2026-01-01T10:30:00Z" } }, [2, 4]],
      [{ at: { between: ["2026-01-01T00:00:00Z", "2026-01-01T11:00:00Z"] } }, [1, 4]],
    ])("match %o", async (filter, expected) => {
      expect(await ids(filter)).toEqual(expected);
    });

    test.each([
      // Text is ordered by code point, numbers by value.
      ["amount", name === "sqlite" ? [4, 1, 2, 3] : [3, 4, 1, 2]],
      ["-owner", [2, 1, 4, 3]],
      ["at", [3, 1, 4, 2]],
    ])("are sorted by %s, page by page", async (term, expected) => {
      expect(await ids({}, [term])).toEqual(expected);
      const seen: number[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = { size: 1, ...(after === undefined ? {} : { after }) };
        const found = await api.local.account.list({ sort: [term] as never, page });
        seen.push(...found.items.map(({ id }) => id));
        [after, more] = [found.endCursor ?? undefined, found.hasNext];
      }
      expect(seen).toEqual(expected);
    });
  });
});

test("return large numbers even if SQLite converts text", async () => {
  const database = await servers.find(({ name }) => name === "sqlite")?.create();
  if (database === undefined) throw new Error("There is no SQLite.");
  const file = new DatabaseSync(database.url.replace("sqlite:", ""));
  file.exec(`create table accounts (id integer primary key, amount decimal(20,2), owner text, at text)`);
  file.exec(`insert into accounts values (1, '123456789012345678', 'Zoë', '2026-01-01T10:00:00.000000Z')`);
  file.close();
  const api = defineApi({ resources: [account], store: sqlStore({ url: database.url }) });
  const at = "2026-01-01T10:00:00.000Z";
  const expected = { id: 1, amount: "123456789012345678", owner: "Zoë", at };
  expect((await api.local.account.list({})).items).toEqual([expected]);
  await api.close();
  await database.drop();
});
