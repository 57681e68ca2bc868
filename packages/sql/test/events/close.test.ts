import { allow, defineApi, defineResource, memoryBus } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access });

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`closing an API right after a write on ${name} ${missing ?? ""}`, () => {
    test("notifies other instances of the write, and logs nothing", async () => {
      const database = await create();
      onTestFinished(() => database.drop());
      const lines: string[] = [];
      const note = (message: string): void => void lines.push(message);
      const log = { info: note, warn: note, error: note };
      const shared = memoryBus();
      const watcher = sqlStore(database.url);
      const bus = watcher.bus ?? shared;
      let heard = 0;
      bus.subscribe({ message: () => heard++, missed: () => {} });
      onTestFinished(async () => watcher.close?.());
      for (let id = 0; id < 5; id++) {
        const store = sqlStore({ url: database.url, autoCreate: true });
        // Closing an API closes its bus.
        const events = store.bus === undefined ? { events: { ...shared, close: () => {} } } : {};
        const api = defineApi({ resources: [author], store, log, ...events });
        await api.ready;
        await api.local.author.create({ id, name: "Ann" });
        await api.close();
      }
      expect(lines).toEqual([]);
      await expect.poll(() => heard).toBe(5);
    });
  });
