import type { TestDatabase } from "@bifocal/test-servers";
import { servers } from "@bifocal/test-servers";
import { sql } from "kysely";
import { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { hosts } from "../hosted/hosts.ts";
import { createShop, NAMES, TABLES } from "./shop.ts";

const MADE = servers.filter(({ name }) => name !== "sqlite");

describe.each(MADE)("hand-written tables on $name", ({ name: server, missing, create }) => {
  const name = server === "postgres" ? "postgres" : "mysql";
  let database: TestDatabase;
  let api: ReturnType<typeof createShop>;

  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    const dialect = hosts.find((host) => host.name === name)?.dialect(database.url);
    const kysely = new Kysely<unknown>({ dialect: dialect as never });
    for (const text of TABLES[name]) await sql.raw(text).execute(kysely);
    await kysely.destroy();
    api = createShop(sqlStore({ url: database.url, tables: NAMES[name] }));
    await api.ready;
  });
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  });

  const titles = async (filter: object, sort: string[] = ["title"]): Promise<string[]> => {
    const { items } = await api.local.good.list({ filter, sort: sort as never });
    return items.map(({ title }) => title);
  };

  describe.skipIf(missing !== undefined)("return", () => {
    test("rows in wire form", async () => {
      const row = await api.local.good.get(1);
      expect(row).toEqual({
        id: 1,
        title: "Emma",
        makerId: 1,
        genre: "novel",
        price: 10.5,
        stock: 3,
        sold: name === "postgres" ? 9007199254740993n : 900719925474n,
        extra: { b: [1, null], a: "x" },
        words: ["x", "y z"],
        addedAt: "2026-01-01T12:00:00.123456Z",
        isOpen: true,
      });
    });

    test.each([
      [{ title: "Emma" }, ["Emma"]],
      [{ title: { in: ["emma", "EMMA"] } }, ["emma"]],
      [{ title: { startsWith: "E" } }, ["Emma"]],
      [{ title: { icontains: "EMM" } }, ["Emma", "emma"]],
      [{ genre: "novel" }, ["Emma"]],
      [{ genre: "unheard of" }, []],
      [{ genre: { in: ["novel", "unheard of"] } }, ["Emma"]],
      [{ genre: { ne: "unheard of" } }, ["Emma", "emma"]],
      [{ genre: { startsWith: "no" } }, ["Emma"]],
      [{ price: { gte: 10.5 } }, ["Emma"]],
      [{ price: { isNull: true } }, ["emma"]],
      [{ stock: { lt: 9007199254740991 } }, ["Emma", "emma"]],
      [{ sold: { gt: 1n } }, ["Emma"]],
      [{ words: { has: "y z" } }, ["Emma"]],
      [{ words: { hasSome: ["q", "x"] } }, ["Emma"]],
      [{ addedAt: "2026-01-01T13:00:00.123456+01:00" }, ["Emma"]],
      [{ addedAt: { lt: "2026-01-01T00:00:00Z" } }, ["emma"]],
      [{ maker: { fullName: "Ann" } }, ["Emma"]],
      [{ maker: { fullName: "ann" } }, []],
    ])("the matches of %o", async (filter, expected) => {
      expect(await titles(filter)).toEqual(expected);
    });

    test("rows sorted by code point, whatever the table's collation is", async () => {
      expect(await titles({}, ["title"])).toEqual(["Emma", "emma"]);
      expect(await titles({}, ["genre"])).toEqual(["Emma", "emma"]);
      expect(await titles({}, ["-maker.fullName"])).toEqual(["emma", "Emma"]);
    });

    test("written rows unchanged", async () => {
      const row = {
        id: 3,
        title: "Zoë 😀",
        makerId: 2,
        genre: "essay",
        price: 0.25,
        stock: 9007199254740991,
        sold: 12n,
        extra: { list: ["a"] },
        words: ['"', "\\", "a,b", "{}", ""],
        addedAt: "2026-06-01T10:00:00.000Z",
        isOpen: true,
      };
      expect(await api.local.good.create(row)).toEqual(row);
      expect(await api.local.good.get(3)).toEqual(row);
      const words = ["new"];
      expect(await api.local.good.update(3, { words, price: null })).toEqual({ ...row, words, price: null });
      await api.local.good.delete(3);
    });

    const VALID = { title: "x", makerId: 1, genre: "essay", price: 1, stock: 1, sold: 1n, extra: 1, words: [] };
    test.each([
      ["title", { title: "a text that is longer than twenty" }],
      ["genre", { genre: "unheard of" }],
      ["price", { price: 123456.7 }],
      ["sold", { sold: 12345678901234567n }],
      ["id", { id: 40000 }],
    ])("VALIDATION_FAILED for a %s that the column rejects", async (field, wrong) => {
      const row = { id: 9, ...VALID, addedAt: "2026-06-01T10:00:00.000Z", isOpen: true, ...wrong };
      const refused = await api.local.good.create(row).then(
        () => undefined,
        (thrown: unknown) => thrown as { code: string; message: string; issues: { path: string[]; message: string }[] },
      );
      expect(refused).toMatchObject({ code: "VALIDATION_FAILED", issues: [{ path: [field] }] });
      const told = [refused?.message, ...(refused?.issues ?? []).map(({ message }) => message)].join();
      expect(told).not.toMatch(/good_items|varchar|character|enum|numeric|smallint|column|shop|sql/i);
    });

    test("an error with the field name for a missing reference", async () => {
      const row = { id: 9, ...VALID, makerId: 77, addedAt: "2026-06-01T10:00:00.000Z", isOpen: true };
      await expect(api.local.good.create(row)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        issues: [{ path: ["makerId"] }],
      });
    });
  });
});
