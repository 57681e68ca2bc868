import { allow, defineApi, defineResource } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore, type SqlStoreOptions } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", {
  fields: { id: z.int32(), price: z.number() },
  access,
  filterable: ["price"],
  sortable: ["price"],
  bulk: { create: 20 },
});

/** Numbers whose digits exceed 2^53, the smallest and the largest, and those with the longest text. */
const PRICES = [
  9.372550340185505, -9.372550340185505, 902875225825741.1, 9057222639415.555, 663530083038468400, 1e21, 0.1, 5e-324,
  0.30000000000000004, -1.0394026127482605e-308, 1.7976931348623157e308, 2.0600106672776454e-15,
]; // prettier-ignore

const ASCENDING = PRICES.toSorted((one, other) => one - other);

/** A statement is prepared the fifth time that it is used. */
const TIMES = 7;

interface Found {
  readonly items: readonly { readonly price: number }[];
  readonly hasNext: boolean;
  readonly endCursor: string | null;
}

function createApi(options: SqlStoreOptions) {
  return defineApi({ resources: [book], store: sqlStore(options) });
}

const WAYS = hosts.flatMap(({ name, server: { missing, create }, dialect }) => [
  { way: name, name, missing, create, options: (url: string): SqlStoreOptions => ({ url, autoCreate: true }) },
  {
    way: `${name} by the application's Kysely`,
    name,
    missing,
    create,
    options: (url: string): SqlStoreOptions => ({ dialect: dialect(url), autoCreate: true }),
  },
]);

describe.each(WAYS.filter(({ missing }) => missing === undefined))("numbers on $way", ({ name, create, options }) => {
  let database: TestDatabase;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.clear();
  });

  async function pricesByPage(): Promise<number[]> {
    const prices: number[] = [];
    let after: string | null = null;
    do {
      const page: { size: number; after?: string } = { size: 1, ...(after !== null && { after }) };
      const found: Found = await api.local.book.list({ sort: ["price"], page });
      prices.push(...found.items.map(({ price }) => price));
      after = found.hasNext ? found.endCursor : null;
    } while (after !== null && prices.length <= PRICES.length);
    return prices;
  }

  async function findByPrice(): Promise<void> {
    const { items } = await api.local.book.list({});
    for (const { id, price } of items)
      for (const filter of [
        { price },
        { price: { in: [price, 2] } },
        { price: { between: [price, price] as const } },
      ]) {
        const found = await api.local.book.list({ filter });
        expect({ filter, items: found.items }).toEqual({ filter, items: [{ id, price }] });
      }
  }

  test("keep every digit, whether or not the statement is prepared", async () => {
    api = createApi(options(database.url));
    try {
      const books = PRICES.map((price, id) => ({ id, price }));
      expect(await api.local.book.createMany(books)).toEqual(books);
      for (let time = 0; time < TIMES; time++) {
        expect((await api.local.book.list({})).items).toEqual(books);
        expect(await api.local.book.get(0)).toEqual(books[0]);
        const id = 100 + time;
        expect(await api.local.book.create({ id, price: 9.372550340185505 })).toEqual({ id, price: 9.372550340185505 });
        await api.local.book.delete(id);
      }
      await findByPrice();
      expect(await pricesByPage()).toEqual(ASCENDING);
    } finally {
      await api.close();
    }
  });

  const SINGLE = { postgres: "real", mysql: "float", sqlite: "float" } as const;
  test("return the value that filters and cursors compare, even with single precision", async () => {
    const kysely = new Kysely<unknown>({
      dialect: hosts.find((host) => host.name === name)?.dialect(database.url) as never,
    });
    await sql.raw(`create table books (id integer primary key, price ${SINGLE[name]} not null)`).execute(kysely);
    await sql.raw("insert into books values (1, 0.1), (2, 2.3), (3, 16777216)").execute(kysely);
    await kysely.destroy();
    api = createApi(options(database.url));
    try {
      for (let time = 0; time < TIMES; time++) {
        await findByPrice();
        const prices = await pricesByPage();
        expect(prices.map(Math.fround)).toEqual([0.1, 2.3, 16777216].map(Math.fround));
      }
    } finally {
      await api.close();
    }
  });
});

describe.each(servers.filter(({ name, missing }) => name === "postgres" && missing === undefined))(
  "$name",
  ({ create }) => {
    test("keeps every digit if the database is set to write fewer", async () => {
      const database = await create();
      const kysely = new Kysely<unknown>({
        dialect: hosts.find(({ name }) => name === "postgres")?.dialect(database.url) as never,
      });
      const own = sql.id(new URL(database.url).pathname.slice(1));
      await sql`alter database ${own} set extra_float_digits = 0`.execute(kysely);
      await kysely.destroy();
      const api = createApi({ url: database.url, autoCreate: true });
      try {
        expect(await api.local.book.create({ id: 1, price: 0.30000000000000004 })).toEqual({
          id: 1,
          price: 0.30000000000000004,
        });
      } finally {
        await api.close();
        await database.drop();
      }
    });
  },
);
