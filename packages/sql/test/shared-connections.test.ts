import { allow, type Api, defineApi, defineResource, isBifocalError } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), half: z.int32() };
const number = defineResource("number", { fields, access, filterable: ["id"], page: { size: 5, max: 100 } });
/** A view that fails for row 3. */
const quotient = defineResource("quotient", { fields, access, filterable: ["id"] });
/** A view whose rows take half a second each. */
const sleeper = defineResource("sleeper", { fields, access, filterable: ["id"] });

const TABLES = `
  create table numbers (id integer primary key, half integer not null);
  insert into numbers select n, n / 2 from generate_series(1, 1000) n;
  create view quotients as select id, 12 / (id - 3) as half from numbers;
  create view sleepers as select id, length(pg_sleep(0.5)::text) as half from numbers;
`;

// Only these statements are sent together.
describe.each(servers.filter(({ name, missing }) => name === "postgres" && missing === undefined))(
  "$name",
  ({ create }) => {
    let database: TestDatabase;
    let api: Api<typeof number | typeof quotient | typeof sleeper>;
    beforeAll(async () => {
      database = await create();
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query(TABLES);
      await client.end();
    });
    afterAll(() => database.drop());
    afterEach(() => api.close());

    function open(max: number, { timeout = 10_000, connectTimeout = 5_000 } = {}): void {
      const store = sqlStore({ url: database.url, max, connectTimeout });
      api = defineApi({
        resources: [number, quotient, sleeper],
        store,
        limits: { query: { timeout } },
        warnings: false,
      });
    }

    async function list(from: number): Promise<number[]> {
      const { items } = await api.local.number.list({ filter: { id: { gte: from } } });
      return items.map(({ id }) => id);
    }

    test.each([1, 2, 10])("returns to each of many reads its own result over %i connections", async (max) => {
      open(max);
      const asked = Array.from({ length: 300 }, (_, at) => (at * 7) % 990);
      const found = await Promise.all(asked.map(list));
      expect(found).toEqual(asked.map((from) => [0, 1, 2, 3, 4].map((next) => Math.max(1, from) + next)));
    });

    test("fails only the read that has the error", async () => {
      open(1);
      const half = async (id: number): Promise<number | string> => {
        const { items } = await api.local.quotient.list({ filter: { id: { eq: id } } }).catch((thrown: unknown) => {
          if (!isBifocalError(thrown)) throw thrown;
          return { items: [{ half: thrown.code }] };
        });
        return items[0]?.half as number | string;
      };
      const found = await Promise.all([1, 2, 3, 4, 5, 3, 6, 3, 7].map(half));
      expect(found).toEqual([-6, -12, "VALIDATION_FAILED", 12, 6, "VALIDATION_FAILED", 4, "VALIDATION_FAILED", 3]);
    });

    test("returns the other results if one read is aborted", async () => {
      open(1);
      await list(1);
      const leaving = new AbortController();
      const slow = api.local.sleeper.list({ page: { size: 20 }, signal: leaving.signal });
      const others = Array.from({ length: 5 }, (_, at) => list(at + 1));
      setTimeout(() => leaving.abort(new Error("It left.")), 200);
      await expect(slow).rejects.toThrow(/./);
      expect((await Promise.all(others)).map(([first]) => first)).toEqual([1, 2, 3, 4, 5]);
    });

    test("opens a connection for later reads while others time out waiting", async () => {
      open(1, { connectTimeout: 600 });
      await list(1);
      const held = api.transaction(async (local) => {
        await local.number.get(1);
        await sleep(1_000);
      });
      await sleep(50);
      const early = list(1);
      await sleep(300);
      const late = list(2);
      await expect(early).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await Promise.race([late, sleep(3_000, "nobody asked")])).toEqual([2, 3, 4, 5, 6]);
      await held;
    });

    test("times out all waiting reads, and then serves the next one", async () => {
      open(1, { timeout: 1_000 });
      await list(1);
      const all = [
        api.local.sleeper.list({ page: { size: 20 } }),
        ...Array.from({ length: 5 }, (_, at) => list(at + 1)),
      ];
      const ends = await Promise.allSettled(all);
      expect(ends.map((end) => end.status === "rejected" && (end.reason as { code: string }).code)).toEqual(
        all.map(() => "TIMEOUT"),
      );
      expect(await list(7)).toEqual([7, 8, 9, 10, 11]);
    });
  },
);
