import { allow, defineApi, defineResource, type Store } from "@bifocal/core";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";

const open = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", { fields: { id: z.int32(), sold: z.int32() }, access: open });
const none = { signal: undefined };
const log = { info: () => {}, warn: () => {}, error: () => {} };
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A transaction: the books it sells, the pauses before and after, and whether it fails at the end. */
interface Sale {
  readonly keys: readonly number[];
  readonly before: number;
  readonly after: number;
  readonly fails: boolean;
}

const sale: fc.Arbitrary<Sale> = fc.record({
  // In ascending order, which prevents deadlocks.
  keys: fc
    .uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 })
    .map((keys) => keys.sort((a, b) => a - b)),
  before: fc.integer({ min: 0, max: 30 }),
  after: fc.integer({ min: 0, max: 30 }),
  fails: fc.boolean(),
});

/** SQLite has one writer at a time. */
const shared = servers.filter(({ name }) => name !== "sqlite");

for (const { name, missing, create } of shared)
  describe.skipIf(missing !== undefined)(`transactions of ${name} ${missing ?? ""}`, () => {
    let database: TestDatabase;
    /** Two instances. */
    const stores: Store[] = [];
    const apis: { close: () => Promise<void> }[] = [];
    beforeAll(async () => {
      if (missing !== undefined) return;
      database = await create();
      for (let n = 0; n < 2; n++) {
        const store = sqlStore({ url: database.url, autoCreate: true });
        const api = defineApi({ resources: [book], store, log });
        await api.ready;
        stores.push(store);
        apis.push(api);
        if (n === 0) for (let id = 0; id < 4; id++) await api.local.book.create({ id, sold: 0 });
      }
    });
    afterAll(async () => {
      for (const api of apis) await api.close();
      await database?.drop();
    });
    const model = defineApi({ resources: [book], log }).model.resources.get("book");

    /** Sells books in one transaction and logs the changes like the engine. Returns whether it committed. */
    async function sell(store: Store, { keys, before, after, fails }: Sale): Promise<boolean> {
      if (model === undefined) throw new Error("There is no book.");
      try {
        await store.transaction(async (handle) => {
          await pause(before);
          for (const key of keys) {
            const [now] = await handle.byKeys({ resource: model, keys: [key] }, none);
            const set = { sold: Number(now?.["sold"]) + 1 };
            const written = await handle.update({ resource: model, key, set }, none);
            if (written.kind !== "done") throw new Error("It was not written.");
            const draft = {
              resource: "book",
              kind: "updated",
              key,
              before: written.before,
              after: written.after,
            } as const;
            await handle.appendChanges?.([draft], none);
          }
          await pause(after);
          if (fails) throw new Error("It fails.");
        }, none);
        return true;
      } catch {
        return false;
      }
    }

    /** Reads a log from its head like an instance, at an interval, until it is stopped and has read everything. */
    async function follow(
      store: Store,
      from: number,
      pace: number,
      isOver: () => boolean,
    ): Promise<(readonly [number, unknown])[]> {
      const seen: (readonly [offset: number, change: unknown])[] = [];
      let offset = from;
      for (;;) {
        const last = isOver();
        const head = await store.changeLog?.advance();
        while (offset < (head?.offset ?? 0)) {
          const page = await store.changeLog?.read({ after: offset, limit: 7 });
          if (page?.kind !== "page") throw new Error("It was pruned.");
          for (const { offset: own, draft } of page.changes) seen.push([own, draft]);
          offset = page.offset;
        }
        if (last) return seen;
        await pause(pace);
      }
    }

    test("that commit in any order are read by all instances in one order, each once, without a gap", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(sale, { minLength: 2, maxLength: 12 }),
          fc.integer({ min: 1, max: 150 }),
          async (sales, pace) => {
            const start = (await stores[0]?.changeLog?.advance())?.offset ?? 0;
            let isOver = false;
            const readers = stores.map((store) => follow(store, start, pace, () => isOver));
            const done = await Promise.all(sales.map((one, n) => sell(stores[n % 2] as Store, one)));
            isOver = true;
            const [seen = [], other = []] = await Promise.all(readers);
            const committed = sales.filter((_, n) => done[n]).flatMap(({ keys }) => keys);
            expect(other).toEqual(seen);
            expect(seen.map(([offset]) => offset)).toEqual(committed.map((_, n) => start + n + 1));
            for (let key = 0; key < 4; key++) {
              const own = seen.map(
                ([, draft]) => draft as { key: number; before: { sold: number }; after: { sold: number } },
              );
              const steps = own.filter((draft) => draft.key === key);
              expect(steps).toHaveLength(committed.filter((one) => one === key).length);
              // The changes of each row are in their order.
              for (const [n, { before, after }] of steps.entries()) {
                expect(after.sold).toBe(before.sold + 1);
                expect(before.sold).toBe(steps[n - 1]?.after.sold ?? before.sold);
              }
            }
          },
        ),
        { numRuns: Number(process.env["CHAOS_RUNS"] ?? 15), seed: drawSeed("CHAOS_SEED") },
      );
    }, 120_000);

    test("J10: a change that was written first but commits two seconds later comes later, and is not skipped", async () => {
      const [store, other] = stores as [Store, Store];
      const start = (await store.changeLog?.advance())?.offset ?? 0;
      let isOver = false;
      const reading = follow(other, start, 1, () => isOver);
      const slow = sell(store, { keys: [0], before: 0, after: 2_000, fails: false });
      await pause(100);
      await sell(other, { keys: [1], before: 0, after: 0, fails: false });
      expect(await slow).toBe(true);
      isOver = true;
      const seen = await reading;
      expect(seen).toMatchObject([
        [start + 1, { key: 1 }],
        [start + 2, { key: 0 }],
      ]);
    });
  });
