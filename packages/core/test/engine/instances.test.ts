import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { allow, type Bus, defineApi, defineResource, functionStore, memoryBus } from "../../src/index.ts";
import type { BusListener } from "../../src/store-driver.ts";
import type { ChangeStream } from "../../src/operations.ts";
import { keepingLog } from "../counting-store.ts";
import { membersOf } from "../members-of.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
interface Book {
  readonly id: number;
  readonly title: string;
}

/** A bus for short messages that records them and can be disconnected. */
function shortBus() {
  const inner = memoryBus();
  let isAway = false;
  const sent: string[] = [];
  const listeners = new Set<BusListener>();
  return {
    sent,
    reconnect: () => listeners.forEach((listener) => listener.missed()),
    /** Publishing fails, without a notification to subscribers. */
    refuse: (refuses: boolean) => void (isAway = refuses),
    bus: {
      ...inner,
      messageBytes: 300,
      async publish(message) {
        if (isAway) throw new Error("It is away.");
        sent.push(message);
        await inner.publish(message);
      },
      subscribe(listener) {
        listeners.add(listener);
        return inner.subscribe(listener);
      },
    } satisfies Bus,
  };
}

/** An API over a service that all instances share. */
function createInstance(rows: Map<number, Book>, bus: Bus) {
  const { log, entries } = keepingLog();
  const store = functionStore({
    book: {
      list: () => [...rows.values()],
      get: (id) => rows.get(Number(id)),
      create: (row) => {
        rows.set(Number(row["id"]), row as unknown as Book);
        return row;
      },
      update: (id, changes) => {
        const row = { ...(rows.get(Number(id)) as Book), ...changes };
        rows.set(Number(id), row);
        return row;
      },
      delete: (id) => void rows.delete(Number(id)),
    },
  });
  return { api: defineApi({ resources: [book], store, events: bus, log }), entries };
}

let carrier: ReturnType<typeof shortBus>;
let one: ReturnType<typeof createInstance>;
let other: ReturnType<typeof createInstance>;
let changes: ChangeStream;

beforeEach(async () => {
  const rows = new Map<number, Book>();
  carrier = shortBus();
  [one, other] = [createInstance(rows, carrier.bus), createInstance(rows, carrier.bus)];
  const outcome = await other.api.run(
    {
      kind: "watch",
      resource: "book",
      on: ["created", "updated", "deleted"],
      selection: { fields: ["id", "title"], relations: [] },
    },
    { principal: null, signal: undefined, requestId: () => "a test" },
  );
  if (outcome.kind !== "stream") throw new Error("It is no stream.");
  ({ changes } = outcome);
});
afterEach(async () => {
  await changes.return();
  await one.api.close();
  await other.api.close();
});

/** The next `count` changes that a subscriber of the other instance receives. */
async function take(count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value } = await changes.next();
    const title =
      value === undefined || !("row" in value) ? "" : ` ${String(membersOf(value.row)["title"]).slice(0, 5)}`;
    taken.push(`${value?.kind}${title}`);
  }
  return taken;
}

test("carries changes of a store without a change log to other instances, in order", async () => {
  await one.api.local.book.create({ id: 1, title: "a" });
  expect(await take(1)).toEqual(["created a"]);
  await one.api.local.book.update(1, { title: "b" });
  expect(await take(1)).toEqual(["updated b"]);
  await one.api.local.book.delete(1);
  expect(await take(1)).toEqual(["deleted b"]);
});

test("J12: an instance that receives its own messages sends its changes once", async () => {
  await other.api.local.book.create({ id: 1, title: "a" });
  await other.api.local.book.create({ id: 2, title: "b" });
  expect(await take(2)).toEqual(["created a", "created b"]);
});

test("J13: sends only the key of a new row that is too big for a message, and a reset for a big row that was changed or deleted", async () => {
  await one.api.local.book.create({ id: 1, title: "x".repeat(1_000) });
  expect(await take(1)).toEqual(["created xxxxx"]);
  await one.api.local.book.update(1, { title: "y".repeat(1_000) });
  expect(await take(1)).toEqual(["reset"]);
  await one.api.local.book.delete(1);
  expect(await take(1)).toEqual(["reset"]);
  expect(carrier.sent.every((message) => Buffer.byteLength(message) <= 300)).toBe(true);
});

test("J11: sends subscribers a reset after an outage of the bus", async () => {
  carrier.reconnect();
  expect(await take(1)).toEqual(["reset"]);
  await one.api.local.book.create({ id: 1, title: "a" });
  expect(await take(1)).toEqual(["created a"]);
});

test("J11: sends a reset for changes that couldn't be published, before the changes that follow", async () => {
  carrier.refuse(true);
  await one.api.local.book.create({ id: 1, title: "a" });
  await one.api.local.book.create({ id: 2, title: "b" });
  await expect.poll(() => one.entries.map(({ level }) => level)).toEqual(["warn"]);
  carrier.refuse(false);
  await one.api.local.book.create({ id: 3, title: "c" });
  expect(await take(2)).toEqual(["reset", "created c"]);
});

test("J11: sends a reset for changes that couldn't be published, even without later changes", async () => {
  carrier.refuse(true);
  await one.api.local.book.create({ id: 1, title: "a" });
  await expect.poll(() => one.entries.map(({ level }) => level)).toEqual(["warn"]);
  carrier.refuse(false);
  expect(await take(1)).toEqual(["reset"]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "7"],
  ["nothing known", '{"v":1,"from":"x","kind":"what"}'],
  ["a change without a key", '{"v":1,"from":"x","kind":"changes","changes":[{"resource":"book","kind":"created"}]}'],
  [
    "an unknown kind of change",
    '{"v":1,"from":"x","kind":"changes","changes":[{"resource":"book","kind":"x","key":1}]}',
  ],
])("J13: skips and logs a message that is %s, and delivers the next change", async (_what, message) => {
  await carrier.bus.publish(message);
  await one.api.local.book.create({ id: 1, title: "a" });
  expect(await take(1)).toEqual(["created a"]);
  expect(other.entries.map(({ message: text }) => text)).toContain(
    "An unknown message from the event bus was ignored.",
  );
});

test("J22: ignores unknown resources and message kinds of a later version", async () => {
  await carrier.bus.publish('{"v":2,"from":"x","kind":"what"}');
  const unknown = {
    v: 1,
    from: "x",
    kind: "changes",
    more: true,
    changes: [{ resource: "film", kind: "created", key: 1 }],
  };
  await carrier.bus.publish(JSON.stringify(unknown));
  await one.api.local.book.create({ id: 1, title: "a" });
  expect(await take(1)).toEqual(["created a"]);
  expect(other.entries).toEqual([]);
});

test("logs a failing bus once, and fails no write", async () => {
  const failing: Bus = {
    publish: () => Promise.reject(new Error("It is away.")),
    subscribe: () => () => {},
  };
  const { api, entries } = createInstance(new Map(), failing);
  for (const id of [1, 2, 3]) await api.local.book.create({ id, title: "a" });
  await expect.poll(() => entries).toMatchObject([{ level: "warn", details: { cause: { message: "It is away." } } }]);
  await api.close();
});
