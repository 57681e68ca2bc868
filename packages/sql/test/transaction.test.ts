import { allow, belongsTo, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access });
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), sold: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  unique: ["title"],
  access,
});

function createApi(store: Store) {
  return defineApi({ resources: [author, book], store });
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

const all = [memory, ...servers];

describe.each(all.filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create?.();
  });
  beforeEach(async () => {
    await database?.empty();
    api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true }));
    return () => api.close();
  });
  afterAll(() => database?.drop());
  test("commits all writes", async () => {
    const made = await api.transaction(async (local) => {
      const { id } = await local.author.create({ id: 1, name: "Jane Austen" });
      await local.book.create({ id: 1, title: "Emma", sold: 0, authorId: id });
      return local.book.update(1, { sold: 5 });
    });
    expect(made).toEqual({ id: 1, title: "Emma", sold: 5, authorId: 1 });
    expect(await api.local.book.get(1)).toEqual(made);
  });

  test("or commits none, and throws the error of the work", async () => {
    const failing = api.transaction(async (local) => {
      await local.author.create({ id: 1, name: "Jane Austen" });
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect((await api.local.author.list({})).items).toEqual([]);
  });

  test("fails on SQL stores even if the work has caught an error of a call", async () => {
    const swallowing = api.transaction(async (local) => {
      await local.author.create({ id: 1, name: "Jane Austen" });
      await local.author.create({ id: 1, name: "Somebody else" }).catch(() => {});
    });
    if (database === undefined) {
      // In memory, only the failed call is rolled back.
      await swallowing;
      return;
    }
    await expect(swallowing).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await api.local.author.list({})).items).toEqual([]);
  });

  test("sends events after the commit, in order, and none without a commit", async () => {
    const seen: unknown[] = [];
    const on = ["created", "updated", "deleted"] as const;
    const selection = { fields: ["id"], relations: [] };
    const caller = { principal: null, signal: undefined, requestId: () => "test" };
    const outcome = await api.run({ kind: "watch", resource: "author", on, selection }, caller);
    if (outcome.kind !== "stream") throw new Error("There is no stream.");
    const { changes } = outcome;
    const watching = (async () => {
      while (seen.length < 2) seen.push((await changes.next()).value);
      await changes.return();
    })();
    await api
      .transaction(async (local) => {
        await local.author.create({ id: 9, name: "Nobody" });
        throw new Error("no");
      })
      .catch(() => {});
    await api.transaction(async (local) => {
      await local.author.create({ id: 1, name: "Jane Austen" });
      await local.author.create({ id: 2, name: "George Eliot" });
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(seen).toEqual([]);
    });
    await watching;
    expect(seen).toMatchObject([{ key: 1 }, { key: 2 }]);
  });

  test("runs two transactions that write the same row one after the other", async () => {
    await api.local.author.create({ id: 1, name: "Jane Austen" });
    await api.local.book.create({ id: 1, title: "Emma", sold: 0, authorId: 1 });
    const sell = () =>
      api.transaction(async (local) => {
        const found = await local.book.get(1);
        await new Promise((resolve) => setTimeout(resolve, 3));
        await local.book.update(1, { sold: (found?.sold ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 8 }, sell));
    expect(await api.local.book.get(1)).toMatchObject({ sold: 8 });
  });

  test("rolls back completely after a deadlock that the code caught, and runs again", async () => {
    await api.local.author.create({ id: 1, name: "Jane Austen" });
    await api.local.author.create({ id: 2, name: "George Eliot" });
    let id = 0;
    let runs = 0;
    const meet = async (first: number, second: number): Promise<void> =>
      api.transaction(async (local) => {
        runs++;
        await local.author.update(first, { name: "Somebody" });
        // On SQLite and in memory, the other transaction waits for this one.
        if (runs <= 2) await sleep(100);
        await local.author.update(second, { name: "Somebody else" }).catch(() => {});
        const key = ++id;
        await local.book.create({ id: key, title: `Book ${key}`, sold: 0, authorId: first });
      });
    await Promise.all([meet(1, 2), meet(2, 1)]);
    expect((await api.local.book.list({})).items).toHaveLength(2);
  });

  test("rejects calls after the transaction has ended", async () => {
    let kept: typeof api.local | undefined;
    await api.transaction(async (local) => {
      kept = local;
    });
    await expect(kept?.author.create({ id: 1, name: "late" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe.each(all.filter(({ missing }) => missing === undefined))("$name, with code that never ends", ({ create }) => {
  test("releases its connection in time, and writes nothing late", async () => {
    const database = await create?.();
    let late: (() => Promise<unknown>) | undefined;
    const job = defineResource("job", {
      fields: { id: z.int32(), state: z.string() },
      access,
      actions: {
        hang: {
          on: "item",
          access: allow,
          run: async ({ item, store: jobs }) => {
            await jobs.update(item.id, { state: "hanging" });
            late = () => jobs.update(item.id, { state: "late" });
            return new Promise<never>(() => {});
          },
        },
      },
    });
    const store = database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true, max: 2 });
    const api = defineApi({ resources: [job], store, limits: { query: { timeout: 1_000 } } });
    for (const id of [1, 2, 3]) await api.local.job.create({ id, state: "new" });
    const hanging = await Promise.allSettled([1, 2].map((id) => api.local.job.actions.hang(id)));
    expect(hanging).toMatchObject([{ reason: { code: "TIMEOUT" } }, { reason: { code: "TIMEOUT" } }]);
    expect(await api.local.job.update(3, { state: "done" })).toMatchObject({ state: "done" });
    await expect(late?.()).rejects.toThrow(/has ended|timed out/);
    expect((await api.local.job.list()).items.map(({ state }) => state)).toEqual(["new", "new", "done"]);
    await api.close();
    await database?.drop();
  });
});

describe.each(all.filter(({ missing }) => missing !== undefined))("$name", ({ missing }) => {
  // oxlint-disable-next-line vitest/no-disabled-tests -- It says what is missing.
  test.skip(`transactions: ${missing}`, () => {});
});

const postgres = servers.find(({ name }) => name === "postgres");
test.skipIf(postgres?.missing !== undefined)(
  "PostgreSQL ends a transaction that is idle for ten seconds, and releases its locks",
  { timeout: 40_000 },
  async () => {
    const database = await postgres?.create();
    if (database === undefined) throw new Error("There is no PostgreSQL.");
    const store = sqlStore({ url: database.url, autoCreate: true });
    const api = defineApi({ resources: [author, book], store, limits: { query: { timeout: 30_000 } } });
    const idle = api.transaction(async (local) => {
      await local.author.create({ id: 1, name: "Jane Austen" });
      await new Promise((resolve) => setTimeout(resolve, 11_000));
    });
    await expect(idle).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await api.local.author.list()).items).toEqual([]);
    await api.close();
    await database.drop();
  },
);
