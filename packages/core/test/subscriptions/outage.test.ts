import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { allow, BifocalError, defineApi, defineResource, memoryStore } from "../../src/index.ts";
import type { ChangeStream, Change } from "../../src/operations.ts";
import { RetriedReads } from "../../src/engine/watch/event-reader.ts";
import { createCaller } from "../../src/operation/create-caller.ts";
import type { StreamOutcome } from "../../src/operation/outcome.ts";
import type { Store } from "../../src/store/store.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", { fields: { id: z.int32(), title: z.string() }, access });

afterEach(() => void vi.restoreAllMocks());

/** An API on a store that can't read rows while `isAway` is set. */
function createLibrary() {
  const state = { isAway: false, reads: 0 };
  const inner = memoryStore();
  const store: Store = Object.assign(Object.create(inner) as Store, {
    open: inner.open.bind(inner),
    insert: inner.insert.bind(inner),
    transaction: inner.transaction.bind(inner),
    byKeys: (...args: Parameters<Store["byKeys"]>) => {
      state.reads++;
      if (state.isAway) throw new BifocalError("UNAVAILABLE", "The data is out of reach.");
      return inner.byKeys(...args);
    },
  });
  const api = defineApi({ resources: [book], store, log: { info() {}, warn() {}, error() {} } });
  return { api, state };
}

async function watch({ api }: ReturnType<typeof createLibrary>): Promise<ChangeStream> {
  const operation = { kind: "watch", resource: "book", on: ["created"], selection: { fields: ["id"], relations: [] } };
  return ((await api.run(operation as never, createCaller(null, undefined))) as StreamOutcome).changes;
}

async function take(stream: ChangeStream, count: number): Promise<readonly Change[]> {
  const taken: Change[] = [];
  while (taken.length < count) {
    const { value } = await stream.next();
    if (value === undefined) throw new Error("The stream is over.");
    taken.push(value);
  }
  return taken;
}

const what = (change: Change): string => (change.kind === "reset" ? "reset" : `${change.kind} ${String(change.key)}`);

/** Fails after a further reset. */
async function takeUntil(stream: ChangeStream, last: string): Promise<void> {
  for (let seen = ""; seen !== last; ) {
    seen = what((await take(stream, 1))[0] as Change);
    expect(seen).not.toBe("reset");
  }
}

test("delivers changes in order after their rows can be read again", async () => {
  const library = createLibrary();
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch(library)));
  library.state.isAway = true;
  for (let id = 1; id <= 100; id++) await library.api.local.book.create({ id, title: "x" });
  await new Promise((resolve) => setTimeout(resolve, 500));
  // Because of the pauses, the first 32 rows are tried about three times during this time.
  expect(library.state.reads).toBeLessThan(32 * 8);
  library.state.isAway = false;
  const all = Array.from({ length: 100 }, (_, n) => `created ${n + 1}`);
  for (const stream of streams) expect((await take(stream, 100)).map(what)).toEqual(all);
  await library.api.close();
});

test("sends one reset to each subscriber, at different moments, when too many changes wait", async () => {
  const library = createLibrary();
  const streams = await Promise.all(Array.from({ length: 60 }, () => watch(library)));
  library.state.isAway = true;
  for (let id = 1; id <= 1_500; id++) await library.api.local.book.create({ id, title: "x" });
  library.state.isAway = false;
  const times: number[] = [];
  await Promise.all(
    streams.map(async (stream) => {
      for (;;) {
        const [change] = await take(stream, 1);
        if (change?.kind !== "reset") continue;
        times.push(performance.now());
        return;
      }
    }),
  );
  expect(times).toHaveLength(60);
  // 60 subscribers are spread over 600 ms.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(200);
  // Each subscriber still receives later events.
  await library.api.local.book.create({ id: 2_000, title: "x" });
  for (const stream of streams) await takeUntil(stream, "created 2000");
  await library.api.close();
});

test("stops reading when the last subscriber has disconnected", async () => {
  const library = createLibrary();
  const stream = await watch(library);
  library.state.isAway = true;
  await library.api.local.book.create({ id: 1, title: "x" });
  await expect.poll(() => library.state.reads).toBeGreaterThan(0);
  await stream.return();
  await new Promise((resolve) => setTimeout(resolve, 150));
  const { reads } = library.state;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(library.state.reads).toBe(reads);
  await library.api.close();
});

test("gives up after 30 seconds without the store, and then on the first failure", async () => {
  const retried = new RetriedReads();
  let [attempts, now] = [0, 0];
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const read = async (): Promise<never> => {
    attempts++;
    now += 14_000;
    throw new BifocalError("UNAVAILABLE", "The data is out of reach.");
  };
  await expect(retried.run(read, () => true)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(attempts).toBe(4);
  await expect(retried.run(read, () => true)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(attempts).toBe(5);
  expect(
    await retried.run(
      async () => "read",
      () => true,
    ),
  ).toBe("read");
  const after = retried.run(read, () => attempts < 7);
  expect(await after).toBe(undefined);
});

test("doesn't retry an error that will occur again", async () => {
  let attempts = 0;
  const read = async (): Promise<never> => {
    attempts++;
    throw new Error("A rule is broken.");
  };
  await expect(new RetriedReads().run(read, () => true)).rejects.toThrow("A rule is broken.");
  expect(attempts).toBe(1);
});
