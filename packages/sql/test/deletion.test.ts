import { allow, belongsTo, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
/** Set by each test: runs while a shelf is being deleted. */
let meanwhile: () => Promise<unknown> = async () => {};
const node = defineResource("node", {
  fields: { id: z.int32(), parentId: z.int32().nullable(), revision: z.int32() },
  version: "revision",
  relations: { parent: belongsTo("node", "parentId", { onDelete: "cascade" }) },
  access,
});
const shelf = defineResource("shelf", {
  fields: { id: z.int32() },
  access,
  hooks: { delete: { before: () => meanwhile() } },
});
const cascade = { onDelete: "cascade" } as const;
const box = defineResource("box", {
  fields: { id: z.int32(), shelfId: z.int32() },
  relations: { shelf: belongsTo("shelf", "shelfId", cascade) },
  access,
});
const label = defineResource("label", {
  fields: { id: z.int32(), shelfId: z.int32(), boxId: z.int32() },
  relations: { shelf: belongsTo("shelf", "shelfId", cascade), box: belongsTo("box", "boxId") },
  access,
});

function createApi(store: Store) {
  return defineApi({ resources: [node, shelf, box, label], store });
}

async function execute(url: string, statement: string): Promise<void> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  } else {
    const connection = await mysql.createConnection(url);
    await connection.query(statement);
    await connection.end();
  }
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  const open = () =>
    createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true }));
  beforeAll(async () => {
    database = await create?.();
  });
  beforeEach(async () => {
    await database?.empty();
    meanwhile = async () => {};
    api = open();
    return () => api.close();
  });
  afterAll(() => database?.drop());

  test("deletes rows that reference each other in a cycle", async () => {
    const { local } = api;
    await local.node.create({ id: 1, parentId: null });
    await local.node.create({ id: 2, parentId: 1 });
    await local.node.create({ id: 3, parentId: 2 });
    await local.node.update(1, { parentId: 3 });
    const selection = { fields: ["id", "parentId", "revision"], relations: [] };
    const caller = { principal: null, signal: undefined, requestId: () => "test" };
    const outcome = await api.run({ kind: "watch", resource: "node", on: ["deleted"], selection }, caller);
    if (outcome.kind !== "stream") throw new Error("There is no stream.");
    await local.node.delete(1, { ifMatch: "2" });
    expect((await local.node.list()).items).toEqual([]);
    const seen: unknown[] = [];
    while (seen.length < 3) seen.push((await outcome.changes.next()).value);
    await outcome.changes.return();
    expect(new Set(seen.map((one) => (one as { key: unknown }).key))).toEqual(new Set([1, 2, 3]));
  });

  test("deletes a row that references itself", async () => {
    await api.local.node.create({ id: 1, parentId: null });
    await api.local.node.update(1, { parentId: 1 });
    await api.local.node.delete(1);
    expect(await api.local.node.get(1)).toBe(null);
  });

  test("deletes restricting rows first if they are deleted too", async () => {
    const { local } = api;
    await local.shelf.create({ id: 1 });
    await local.box.create({ id: 1, shelfId: 1 });
    await local.label.create({ id: 1, shelfId: 1, boxId: 1 });
    await expect(local.box.delete(1)).rejects.toMatchObject({ code: "CONFLICT" });
    await local.shelf.delete(1);
    expect((await local.label.list()).items).toEqual([]);
  });

  // These stores have one writer at a time, so no child can be added meanwhile.
  test.skipIf(name === "memory" || name === "sqlite")("deletes a child that was created meanwhile", async () => {
    const other = open();
    await api.local.shelf.create({ id: 1 });
    let next = 1;
    meanwhile = async () => {
      if (next < 3) await other.local.box.create({ id: next++, shelfId: 1 });
    };
    await api.local.shelf.delete(1);
    // MySQL sees the first child immediately.
    expect(next).toBeGreaterThan(1);
    expect((await api.local.box.list()).items).toEqual([]);
    await other.close();
  });

  test.skipIf(name === "memory" || name === "sqlite")(
    "adds no child to a row whose children are being deleted",
    async () => {
      const other = open();
      const store = sqlStore({ url: (database as TestDatabase).url, autoCreate: true });
      const transaction = store.transaction.bind(store);
      let [attempts, adding] = [0, undefined as Promise<string> | undefined];
      const slow: Store["transaction"] = (work, context) =>
        transaction((inner) => {
          attempts++;
          const deleteLater: Store["delete"] = async (command, own) => {
            adding ??= other.local.box.create({ id: 3, shelfId: 1 }).then(() => "added", String);
            await new Promise((resolve) => setTimeout(resolve, 200));
            return inner.delete(command, own);
          };
          return work({ ...inner, delete: deleteLater });
        }, context);
      const own = createApi(Object.assign(store, { transaction: slow }));
      await own.local.shelf.create({ id: 1 });
      for (const id of [1, 2]) await own.local.box.create({ id, shelfId: 1 });
      attempts = 0;
      await own.local.shelf.delete(1);
      expect(await adding).toContain("references a row that doesn't exist");
      expect(attempts).toBe(1);
      await own.close();
      await other.close();
    },
  );

  test.skipIf(name === "memory" || name === "sqlite")(
    "deletes a row with its children while others keep adding children",
    async () => {
      const other = open();
      let [nextId, isOver, added] = [1, false, 0];
      const add = async (): Promise<void> => {
        const error = await other.local.box.create({ id: nextId++, shelfId }).then(() => undefined, String);
        if (error === undefined) added++;
        // An insert can only fail because its shelf was deleted.
        else if (!error.includes("references a row that doesn't exist")) throw new Error(error);
      };
      let shelfId = 1;
      const deleted: number[] = [];
      await api.local.shelf.create({ id: shelfId });
      for (let times = 0; times < 20; times++) await add();
      const adding = Array.from({ length: 6 }, async () => {
        while (!isOver) await add();
      });
      for (; shelfId <= 5; shelfId++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (shelfId < 5) await api.local.shelf.create({ id: shelfId + 1 });
        deleted.push(await api.local.shelf.delete(shelfId).then(() => shelfId));
      }
      isOver = true;
      await Promise.all(adding);
      expect(deleted).toEqual([1, 2, 3, 4, 5]);
      expect(added).toBeGreaterThan(50);
      expect((await api.local.box.list()).items).toEqual([]);
      await other.close();
    },
    60_000,
  );

  test.skipIf(name !== "postgres" && name !== "mysql")(
    "returns 409 after a few attempts when a table that the model does not know holds the row",
    async () => {
      const url = (database as TestDatabase).url;
      await api.local.shelf.create({ id: 1 });
      const foreign = `create table stickers (shelf_id integer, constraint stickers_shelf_id_fkey foreign key (shelf_id) references shelfs (id))`;
      await execute(url, foreign);
      await execute(url, "insert into stickers values (1)");
      const start = performance.now();
      await expect(api.local.shelf.delete(1)).rejects.toMatchObject({ code: "CONFLICT" });
      expect(performance.now() - start).toBeLessThan(5_000);
      await execute(url, "drop table stickers");
    },
  );
});
