import { allow, defineApi, defineResource, deny, manyToMany, memoryStore, type Store } from "@bifocal/core";
import type { ChangeStream } from "@bifocal/core/operation";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";

const open = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access: open });
const shelf = defineResource("shelf", { fields: { id: z.int32() }, access: open });
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { ...open, relations: { shelves: { read: deny, link: allow } } },
  relations: { authors: manyToMany("author"), shelves: manyToMany("shelf") },
  actions: {
    fail: {
      on: "collection",
      input: z.object({ id: z.int32() }),
      access: allow,
      run: async ({ input, store }) => {
        await store.create({ id: input.id, title: "x" });
        throw new Error("It fails after it has written.");
      },
    },
  },
});

const log = { info: () => {}, warn: () => {}, error: () => {} };

function createApi(store: Store, keep = 3) {
  return defineApi({ resources: [author, book, shelf], store, events: { keep, poll: 50 }, log });
}
type Library = ReturnType<typeof createApi>;

/** Watches books from now on, or after an event. Resolves once the stream is open. */
async function watch({ run }: Library, after?: string): Promise<ChangeStream> {
  const outcome = await run(
    {
      kind: "watch",
      resource: "book",
      on: ["created", "updated", "deleted"],
      ...(after === undefined ? {} : { after }),
      selection: { fields: ["id"], relations: [] },
    },
    { principal: null, signal: undefined, requestId: () => "a test" },
  );
  if (outcome.kind !== "stream") throw new Error(JSON.stringify(outcome));
  return outcome.changes;
}

/** Returns the next `count` changes: their kind and key, and their id. */
async function take(changes: ChangeStream, count: number): Promise<(readonly [what: string, id: string])[]> {
  const taken: (readonly [what: string, id: string])[] = [];
  while (taken.length < count) {
    const { value } = await changes.next();
    if (value === undefined || value.kind === "current") throw new Error("That is no change.");
    taken.push([value.kind === "reset" ? "reset" : `${value.kind} ${String(value.key)}`, value.id]);
  }
  return taken;
}

const what = (taken: readonly (readonly [string, string])[]): readonly string[] => taken.map(([one]) => one);

/** Every store reports changes in the same way, wherever they are kept. */
const stores = [
  { name: "memory", missing: undefined, create: undefined },
  ...servers.map(({ name, missing, create }) => ({ name, missing, create })),
];

for (const { name, missing, create } of stores)
  describe.skipIf(missing !== undefined)(`the changes of a ${name} store ${missing ?? ""}`, () => {
    let database: TestDatabase | undefined;
    let api: Library;
    beforeAll(async () => {
      if (missing === undefined) database = await create?.();
    });
    afterAll(() => database?.drop());
    beforeEach(async () => {
      await database?.empty();
      const options = { autoCreate: true, events: { most: 3 } };
      api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, ...options }));
      await api.ready;
    });
    afterEach(() => api.close());

    test("name the relation of a link to subscribers who can read it", async () => {
      const { book: books, author: authors, shelf: shelves } = api.local;
      await books.create({ id: 1, title: "Emma" });
      await authors.create({ id: 1, name: "Austen" });
      await shelves.create({ id: 1 });
      const changes = await watch(api);
      await books.link(1, "shelves", 1);
      await books.link(1, "authors", 1);
      await books.unlink(1, "shelves", 1);
      await books.create({ id: 2, title: "End" });
      expect(what(await take(changes, 2))).toEqual(["updated 1", "created 2"]);
      await changes.return?.();
    });

    test("come in commit order, each with its own id", async () => {
      const changes = await watch(api);
      await api.local.book.create({ id: 1, title: "a" });
      await api.local.author.create({ id: 1, name: "b" });
      for (const title of ["c", "d", "e"]) await api.local.book.update(1, { title });
      await api.local.book.create({ id: 2, title: "f" });
      const told = await take(changes, 5);
      expect(what(told)).toEqual(["created 1", "updated 1", "updated 1", "updated 1", "created 2"]);
      // Rows are read in their current state, so a deleted row only reports its deletion.
      await api.local.book.delete(1);
      told.push(...(await take(changes, 1)));
      expect(told.at(-1)?.[0]).toBe("deleted 1");
      expect(new Set(told.map(([, id]) => id)).size).toBe(6);
      await changes.return();
    });

    test("I17: are not sent if the transaction fails", async () => {
      const changes = await watch(api);
      await expect(api.local.book.actions.fail({ id: 7 })).rejects.toThrow("Something went wrong");
      await api.local.book.create({ id: 8, title: "b" });
      expect(what(await take(changes, 1))).toEqual(["created 8"]);
      await changes.return();
    });

    test("are sent once each after the commit of a transaction with several operations, or not at all", async () => {
      const changes = await watch(api);
      await api.transaction(async (local) => {
        await local.book.create({ id: 1, title: "a" });
        await local.book.create({ id: 2, title: "a" });
        await local.book.update(1, { title: "b" });
      });
      const failing = api.transaction(async (local) => {
        await local.book.create({ id: 3, title: "a" });
        throw new Error("It fails after it has written.");
      });
      await expect(failing).rejects.toThrow("It fails");
      await api.local.book.create({ id: 4, title: "a" });
      expect(what(await take(changes, 4))).toEqual(["created 1", "created 2", "updated 1", "created 4"]);
      await changes.return();
    });

    test("are not sent to later subscribers", async () => {
      for (let id = 0; id < 20; id++) {
        await api.local.book.create({ id, title: "a" });
        const changes = await watch(api);
        await api.local.book.create({ id: 100 + id, title: "a" });
        expect(what(await take(changes, 1))).toEqual([`created ${100 + id}`]);
        await changes.return();
      }
    });

    test("are sent again to a resumed subscriber with the same ids, followed by new ones", async () => {
      const first = await watch(api);
      for (const id of [1, 2, 3]) await api.local.book.create({ id, title: "a" });
      const told = await take(first, 3);
      await first.return();
      const again = await watch(api, told[0]?.[1]);
      expect(await take(again, 2)).toEqual(told.slice(1));
      await api.local.author.create({ id: 1, name: "b" });
      await api.local.book.create({ id: 4, title: "a" });
      expect(what(await take(again, 1))).toEqual(["created 4"]);
      await again.return();
    });

    test.each(["", "x", "1", "x.1", "x.99999999999999999999"])("are a reset after the unknown id %j", async (after) => {
      await api.local.book.create({ id: 1, title: "a" });
      const changes = await watch(api, after);
      const [[told, id] = ["", ""]] = await take(changes, 1);
      expect(told).toBe("reset");
      await api.local.book.create({ id: 2, title: "a" });
      expect(what(await take(changes, 1))).toEqual(["created 2"]);
      await changes.return();
      const behind = await watch(api, id);
      expect(what(await take(behind, 1))).toEqual(["created 2"]);
      await behind.return();
    });
  });

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`a log in ${name} ${missing ?? ""}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      if (missing === undefined) database = await create();
    });
    afterAll(() => database?.drop());

    test("J09: is the same for all instances, and continues after all of them have ended", async () => {
      const start = async () => {
        const api = createApi(sqlStore({ url: database.url, autoCreate: true }));
        await api.ready;
        return api;
      };
      const [one, other] = [await start(), await start()];
      const changes = await watch(one);
      await other.local.book.create({ id: 1, title: "a" });
      const told = await take(changes, 1);
      expect(what(told)).toEqual(["created 1"]);
      await one.close();
      await other.local.book.create({ id: 2, title: "a" });
      await other.close();
      const later = await start();
      const again = await watch(later, told[0]?.[1]);
      await later.local.book.create({ id: 3, title: "a" });
      expect(what(await take(again, 2))).toEqual(["created 2", "created 3"]);
      await later.close();
    });

    test.each([
      ["beyond the maximum number", { most: 2 }, [1, 2], 3],
      ["older than the retention time", { keepFor: -1 }, [1, 2, 3, 4], 5],
    ])("drops changes that are %s, and sends a reset", async (_what, events, lost, kept) => {
      await database.empty();
      const store = sqlStore({ url: database.url, autoCreate: true, events });
      const api = createApi(store);
      await api.ready;
      const changes = await watch(api);
      for (const id of [1, 2, 3, 4, 5]) await api.local.book.create({ id, title: "a" });
      const told = await take(changes, 5);
      const behind = (n: number): Promise<ChangeStream> => watch(api, told[n - 1]?.[1]);
      await store.changeLog?.prune();
      for (const n of lost) expect(what(await take(await behind(n), 1))).toEqual(["reset"]);
      // A subscriber that received the last pruned change has missed nothing.
      const going = await behind(kept);
      await api.local.book.create({ id: 6, title: "a" });
      expect(what(await take(going, 6 - kept))).toEqual([...what(told.slice(kept)), "created 6"]);
      await api.close();
    });

    // SQLite's writer waits as long as its file is locked, and MySQL waits for 5 s.
    test.skipIf(name !== "postgres")(
      "times out while another client locks it, and continues afterwards",
      async () => {
        await database.empty();
        const store = sqlStore({ url: database.url, autoCreate: true });
        const api = createApi(store);
        await api.ready;
        await store.changeLog?.advance();
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        await client.query("begin");
        await client.query("select place from bifocal_event_log for update");
        await store.appendChanges?.([{ resource: "book", kind: "deleted", key: 1 }], { signal: undefined });
        await expect(store.changeLog?.advance()).rejects.toMatchObject({ code: "TIMEOUT" });
        await client.end();
        expect((await store.changeLog?.advance())?.offset).toBe(1);
        await api.close();
      },
      30_000,
    );

    test("delivers thousands of missed changes without a reset", async () => {
      await database.empty();
      const store = sqlStore({ url: database.url, autoCreate: true });
      const api = createApi(store);
      await api.ready;
      const first = await watch(api);
      for (let id = 0; id < 4; id++) await api.local.book.create({ id, title: "a" });
      const [[, id] = ["", ""]] = await take(first, 1);
      await first.return();
      const drafts = Array.from({ length: 3_000 }, (_, n) => ({
        resource: "book",
        kind: "updated" as const,
        key: n % 4,
        before: { id: n % 4, title: "a" },
        after: { id: n % 4, title: "a" },
      }));
      await store.appendChanges?.(drafts, { signal: undefined });
      const told = await take(await watch(api, id), 3_003);
      expect(told.filter(([one]) => one === "reset")).toEqual([]);
      expect(new Set(told.map(([, one]) => one)).size).toBe(3_003);
      await api.close();
    });
  });
