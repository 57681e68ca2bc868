import { allow, type Bus, defineApi, defineResource, memoryBus, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const book = defineResource("book", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`an instance without others on ${name} ${missing ?? ""}`, () => {
    let database: TestDatabase;
    let shared: Bus;
    const ends: (() => Promise<void>)[] = [];
    beforeEach(async () => {
      database = await create();
      shared = memoryBus();
    });
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
      await database.drop();
    });

    function open() {
      let sent = 0;
      const publish = (message: string): void => {
        sent++;
        void shared.publish(message);
      };
      // Closing an API closes its bus.
      const bus: Bus = { ...shared, publish, close: () => {} };
      const store = sqlStore({ url: database.url, autoCreate: true });
      const api = defineApi({ resources: [book], store, events: { bus, poll: 60_000 }, log: silentLog });
      ends.push(() => api.close());
      return { api, sent: () => sent };
    }

    test("sends one message a second at most, and each 10 milliseconds once another instance answers", async () => {
      const lone = open();
      await lone.api.ready;
      const start = performance.now();
      let id = 0;
      for (let n = 0; n < 20; n++) {
        await lone.api.local.book.create({ id: id++ });
        await new Promise((resolve) => setTimeout(resolve, 12));
      }
      expect(lone.sent()).toBeGreaterThanOrEqual(1);
      expect(lone.sent()).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 1_000));

      // It has no subscribers, so that it only answers.
      const other = open();
      await other.api.ready;
      const before = lone.sent();
      await lone.api.local.book.create({ id: id++ });
      await expect.poll(() => other.sent()).toBe(1);
      expect(lone.sent()).toBe(before + 1);
      for (let n = 0; n < 20; n++) {
        await lone.api.local.book.create({ id: id++ });
        await new Promise((resolve) => setTimeout(resolve, 12));
      }
      expect(lone.sent()).toBeGreaterThanOrEqual(before + 10);
      expect(other.sent()).toBe(1);

      // It also answers a new writer soon, although it has just answered another one.
      const third = open();
      await third.api.ready;
      const answers = other.sent() + 1;
      await expect
        .poll(async () => (await third.api.local.book.create({ id: id++ }), other.sent()), { timeout: 10_000 })
        .toBe(answers);
    });
  });
