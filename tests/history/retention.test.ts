import {
  allow,
  asSystem,
  defineApi,
  defineResource,
  memoryStore,
  sequence,
  silentLog,
  type Store,
} from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { restrictedDatabase, servers } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const DAY = 86_400;
const MANY = 600;
const AUDIT = asSystem("an audit");

function createNotes(store: Store) {
  const note = defineResource("note", {
    fields: { id: z.int32(), org: z.string(), text: z.string() },
    generated: { id: sequence() },
    tenant: { field: "org", of: ({ id }) => id },
    history: { keepFor: DAY },
    bulk: { create: MANY },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  return defineApi({ resources: [note], store, log: silentLog });
}

interface Kind {
  readonly name: string;
  readonly missing?: string | undefined;
  readonly open: () => Promise<{ readonly store: Store; readonly drop: () => Promise<unknown> }>;
}

const KINDS: readonly Kind[] = [
  { name: "memory", open: async () => ({ store: memoryStore(), drop: async () => {} }) },
  ...servers.map(
    ({ name, missing, create }): Kind => ({
      name,
      missing,
      async open() {
        const { url, drop } = await create();
        return { store: sqlStore({ url, autoCreate: true, max: 4 }), drop };
      },
    }),
  ),
  {
    name: "postgres with row-level security",
    missing: servers.find(({ name }) => name === "postgres")?.missing,
    async open() {
      const { url, drop } = await restrictedDatabase();
      return { store: sqlStore({ url, autoCreate: true, max: 4, rowLevelSecurity: true }), drop };
    },
  },
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(KINDS)("in $name", ({ missing, open }) => {
  test.skipIf(missing !== undefined)("deletes entries of every tenant once they are older than `keepFor`", async () => {
    const { store, drop } = await open();
    const api = createNotes(store);
    try {
      const [ann, ben] = [api.as({ id: "ann" }), api.as({ id: "ben" })];
      const own = await ann.note.create({ text: "one" });
      const other = await ben.note.create({ text: "one" });
      await ann.note.createMany(Array.from({ length: MANY }, () => ({ text: "many" })));
      vi.setSystemTime(Date.now() + 2 * DAY * 1_000);
      await ann.note.update(own?.id ?? 0, { text: "two" });
      vi.advanceTimersByTime(60_000);
      // Old entries are deleted in several steps.
      const kept = async (): Promise<readonly string[]> => {
        const histories = await Promise.all([own, other].map((row) => api.as(AUDIT).note.history(row?.id ?? 0)));
        return histories.flatMap(({ items }) => items.map(({ operation }) => operation));
      };
      await expect.poll(kept, { timeout: 20_000 }).toEqual(["update"]);
      const { items } = await ann.note.history(own?.id ?? 0);
      expect(items.map(({ operation }) => operation)).toEqual(["update"]);
    } finally {
      await api.close();
      await drop();
    }
  });
});
