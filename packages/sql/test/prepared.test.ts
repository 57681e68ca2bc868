import { allow, type Api, defineApi, defineResource } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const number = defineResource("number", {
  fields: { id: z.int32(), half: z.int32() },
  access,
  filterable: ["id", "half"],
  page: { size: 5, max: 100 },
});
/** A view that fails for row 3. */
const quotient = defineResource("quotient", { fields: { id: z.int32(), half: z.int32() }, access, filterable: ["id"] });
/** A view of the statements that its own connection has prepared. */
const kept = defineResource("kept", {
  plural: "keepings",
  fields: { id: z.int32(), size: z.int32(), text: z.string() },
  access,
  page: { size: 1_000, max: 1_000 },
});

const TABLES = `
  create table numbers (id integer primary key, half integer not null);
  insert into numbers select n, n / 2 from generate_series(1, 1000) n;
  create view quotients as select id, 12 / (id - 3) as half from numbers;
  create view keepings as
    select (row_number() over ())::integer as id, length(statement) as size, statement as text from pg_prepared_statements;
`;
const MAX_CHARACTERS = 256_000;
const USES = 6;

/** Filters with a different shape for each number below 1,024. Each matches row 1. */
function invented(shape: number) {
  const bits = Array.from({ length: 10 }, (_, bit) => (shape >> bit) % 2 === 1);
  return {
    id: { eq: 1 },
    and: bits.flatMap((isSet) => Array.from({ length: 6 }, () => (isSet ? { half: { gte: 0 } } : { half: { lt: 9 } }))),
  };
}

describe.each(servers.filter(({ name, missing }) => name === "postgres" && missing === undefined))(
  "$name",
  ({ create }) => {
    let database: TestDatabase;
    let api: Api<typeof number | typeof quotient | typeof kept>;
    beforeAll(async () => {
      database = await create();
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query(TABLES);
      await client.end();
    });
    afterAll(() => database.drop());
    afterEach(() => api.close());

    function open(): void {
      const store = sqlStore({ url: database.url, max: 1 });
      api = defineApi({ resources: [number, quotient, kept], store, warnings: false });
    }

    const list = async (shape: number): Promise<number[]> =>
      (await api.local.number.list({ filter: invented(shape) })).items.map(({ id }) => id);

    test("keeps a bounded number of statements prepared, and prepares new ones at any time", async () => {
      open();
      await list(1_001);
      for (let shape = 0; shape < 200; shape++)
        for (let use = 0; use < USES; use++) expect(await list(shape)).toEqual([1]);
      for (let use = 0; use < USES; use++) await api.local.quotient.list({ filter: { id: { eq: 2 } } });
      const { items } = await api.local.kept.list({});
      const size = items.reduce((sum, one) => sum + one.size, 0);
      expect(size).toBeGreaterThan(MAX_CHARACTERS / 2);
      expect(size).toBeLessThan(MAX_CHARACTERS * 1.1);
      expect(items.some(({ text }) => text.includes('"quotients"'))).toBe(true);
    }, 60_000);

    test("doesn't prepare a statement that is used once", async () => {
      open();
      for (let shape = 0; shape < 50; shape++) expect(await list(shape)).toEqual([1]);
      expect((await api.local.kept.list({})).items).toEqual([]);
    });

    test("closes statements and prepares them again while others fail concurrently", async () => {
      open();
      let [found, failed] = [0, 0];
      for (let round = 0; round < 60; round++) {
        const lists = Array.from({ length: 24 }, async (_, at) => {
          if (at % 6 === 5) {
            await api.local.quotient.list({ filter: { id: { eq: 3 } } }).catch(() => failed++);
            return;
          }
          const ids = await list((round * 7 + at * 13) % 160);
          found += ids.length;
        });
        await Promise.all(lists);
      }
      expect(found).toBe(1_200);
      expect(failed).toBe(240);
      const { items } = await api.local.kept.list({});
      expect(items.length).toBeGreaterThan(10);
      expect(items.reduce((sum, one) => sum + one.size, 0)).toBeLessThan(MAX_CHARACTERS * 1.1);
    }, 60_000);
  },
);
