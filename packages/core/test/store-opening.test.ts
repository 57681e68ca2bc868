import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { allow, BifocalError, defineApi, defineResource, memoryStore, type Store } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", { fields: { id: z.int32() }, access });

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** A driver whose database is not ready until `appear`. */
function lateStore(error: Error) {
  const store = memoryStore();
  let [attempts, running, mostRunning, isThere] = [0, 0, 0, false];
  const late: Store = Object.assign(Object.create(store) as Store, {
    open: async (...args: Parameters<Store["open"]>) => {
      attempts++;
      mostRunning = Math.max(mostRunning, ++running);
      await sleep(5);
      running--;
      if (!isThere) throw error;
      await store.open(...args);
    },
    list: store.list.bind(store),
  });
  return {
    late,
    appear: () => void (isThere = true),
    counts: () => ({ attempts, mostRunning }),
  };
}

function createApi(store: Store) {
  const errors: unknown[] = [];
  const infos: string[] = [];
  const log = {
    info: (message: string) => void infos.push(message),
    warn() {},
    error: (_: string, details?: { cause?: unknown }) => void errors.push(details?.cause),
  };
  const api = defineApi({ resources: [book], store, log });
  close = () => api.close();
  return { api, errors, infos };
}

test("doesn't open a store again for each request or twice at a time, and logs one failure once", async () => {
  const { late, appear, counts } = lateStore(new Error("There is no table 'books'."));
  const { api, errors, infos } = createApi(late);
  const until = performance.now() + 1_200;
  let refused = 0;
  while (performance.now() < until) {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => api.local.book.list()));
    refused += results.filter(({ status }) => status === "rejected").length;
    await sleep(5);
  }
  expect(refused).toBeGreaterThan(500);
  // Pauses of at least 125, 250, 500 and 1,000 ms.
  expect(counts().attempts).toBeGreaterThan(1);
  expect(counts().attempts).toBeLessThanOrEqual(5);
  expect(counts().mostRunning).toBe(1);
  expect(errors).toHaveLength(1);
  appear();
  await expect.poll(() => api.ready.then(() => "ready", String), { timeout: 5_000 }).toBe("ready");
  expect(await api.local.book.list()).toMatchObject({ items: [] });
  expect(infos).toEqual(["All stores are open."]);
});

test("tries an unavailable database again on the next request", async () => {
  const error = new BifocalError("UNAVAILABLE", "The data is out of reach.", { headers: { "Retry-After": "5" } });
  const { late, appear } = lateStore(error);
  const { api } = createApi(late);
  for (let times = 0; times < 10; times++) {
    await expect(api.local.book.list()).rejects.toMatchObject({ code: "UNAVAILABLE", headers: { "Retry-After": "5" } });
  }
  appear();
  expect(await api.local.book.list()).toMatchObject({ items: [] });
});

test("opens each of several stores once, in any order", async () => {
  const { late, appear } = lateStore(new Error("There is no table."));
  const other = memoryStore();
  let opened = 0;
  const counted: Store = Object.assign(Object.create(other) as Store, {
    open: async (...args: Parameters<Store["open"]>) => {
      opened++;
      await other.open(...args);
    },
    list: other.list.bind(other),
  });
  const shelf = defineResource("shelf", { fields: { id: z.int32() }, access });
  const api = defineApi({
    resources: [book, shelf],
    store: late,
    stores: { shelf: counted },
    log: { info() {}, warn() {}, error() {} },
  });
  close = () => api.close();
  await expect(api.ready).rejects.toMatchObject({ code: "UNAVAILABLE" });
  appear();
  await expect.poll(() => api.ready.then(() => "ready", String), { timeout: 5_000 }).toBe("ready");
  expect(opened).toBe(1);
});

test("retries without a request, also if a timer fires a fraction of a millisecond early", async () => {
  const infos: string[] = [];
  const apis = Array.from({ length: 20 }, () => {
    const store = memoryStore();
    let attempts = 0;
    const late: Store = Object.assign(Object.create(store) as Store, {
      open: async (...args: Parameters<Store["open"]>) => {
        await sleep(1);
        if (++attempts < 3) throw new Error("There is no table 'books'.");
        await store.open(...args);
      },
    });
    return defineApi({
      resources: [book],
      store: late,
      log: { info: (text) => infos.push(text), warn() {}, error() {} },
    });
  });
  close = async () => void (await Promise.all(apis.map((api) => api.close())));
  const first = await Promise.allSettled(apis.map((api) => api.local.book.list()));
  expect(first.map(({ status }) => status)).toEqual(apis.map(() => "rejected"));
  // No call follows that could start an attempt.
  await expect.poll(() => infos.length, { timeout: 5_000 }).toBe(apis.length);
});
