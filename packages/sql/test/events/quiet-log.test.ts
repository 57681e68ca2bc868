import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import type { ChangeLog } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, type MockInstance, test, vi } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const book = defineResource("book", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

/** A subscriber receives all changes that are written after the first read. */
async function firstRead(reads: MockInstance<ChangeLog["advance"]>): Promise<void> {
  await expect.poll(() => reads.mock.results.length).toBeGreaterThan(0);
  await reads.mock.results[0]?.value;
}

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(
    `the log of an instance without subscribers on ${name} ${missing ?? ""}`,
    () => {
      let database: TestDatabase;
      beforeAll(async () => {
        database = await create();
      });
      afterAll(() => database.drop());

      function open(poll: number) {
        const store = sqlStore({ url: database.url, autoCreate: true });
        const reads = vi.spyOn(store.changeLog as ChangeLog, "advance");
        return { api: defineApi({ resources: [book], store, events: { poll }, log: silentLog }), reads };
      }

      test("isn't read after each write, and other instances still receive the events", async () => {
        const [quiet, other] = [open(60_000), open(100)];
        await other.api.ready;
        const heard: unknown[] = [];
        const watch = (async () => {
          for await (const change of other.api.local.book.watch()) {
            heard.push("item" in change ? change.item.id : change);
            if (heard.length === 20) return;
          }
        })();
        await firstRead(other.reads);
        for (let id = 1; id <= 20; id++) await quiet.api.local.book.create({ id });
        await watch;
        expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
        expect(quiet.reads).not.toHaveBeenCalled();

        // Its own subscribers receive the next event immediately, and none of the earlier ones.
        const next = quiet.api.local.book.watch()[Symbol.asyncIterator]();
        const first = next.next();
        await firstRead(quiet.reads);
        await quiet.api.local.book.create({ id: 21 });
        expect((await first).value).toMatchObject({ kind: "created", item: { id: 21 } });
        await next.return?.();
        await Promise.all([quiet.api.close(), other.api.close()]);
      });

      test("is read once per interval", async () => {
        const { api, reads } = open(200);
        await api.ready;
        for (let id = 100; id < 120; id++) await api.local.book.create({ id });
        await expect.poll(() => reads.mock.calls.length).toBe(1);
        await api.local.book.create({ id: 120 });
        await expect.poll(() => reads.mock.calls.length).toBe(2);
        await api.close();
      });
    },
  );
