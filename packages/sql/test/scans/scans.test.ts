import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { STOP } from "../../src/dialect/sqlite/sqlite-guard.ts";
import { SqliteThreads } from "../../src/dialect/sqlite/sqlite-threads.ts";
import { createLibrary, fillLibrary, unmet } from "./library.ts";

type Library = ReturnType<typeof createLibrary>;

let folder: string;
const opened: Library[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bifocal-scans-"));
});
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openLibrary({ books = 100_000, length = 1, timeout = 10_000 } = {}): Promise<Library> {
  const file = join(folder, "library.db");
  const api = createLibrary(sqlStore(`sqlite:${file}`), timeout);
  opened.push(api);
  await api.ready;
  fillLibrary(file, books, length);
  return api;
}

/** Returns the duration and the longest block of the event loop, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<{ took: number; blocked: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const start = performance.now();
  await work();
  const took = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return { took, blocked: delay.max / 1e6 };
}

test("uses little memory for many conditions that ignore case", async () => {
  const run = promisify(execFile)(
    process.execPath,
    [
      "--conditions=@bifocal/source",
      "--max-old-space-size=256",
      join(import.meta.dirname, "heap.ts"),
      join(folder, "heap.db"),
    ],
    { timeout: 110_000 },
  );
  expect((await run).stdout).toBe("0 books");
}, 120_000);

describe("a long read of a file", () => {
  test("ends at its deadline and leaves the event loop free", async () => {
    const api = await openLibrary({ length: 20, timeout: 2_000 });
    const { took, blocked } = await measure(async () => {
      const list = api.local.book.list({ filter: unmet(100, "жук") });
      await expect(list).rejects.toMatchObject({ code: "TIMEOUT" });
    });
    expect(took).toBeLessThan(4_000);
    expect(blocked).toBeLessThan(1_000);
  }, 60_000);

  test("keeps no thread beyond its deadline", async () => {
    const api = await openLibrary({ length: 20, timeout: 1_500 });
    const filter = unmet(100, "жук");
    const lists = Array.from({ length: 12 }, () => api.local.book.list({ filter }));
    for (const list of await Promise.allSettled(lists)) expect(list).toMatchObject({ reason: { code: "TIMEOUT" } });
    const page = await api.local.book.list({ filter: { title: { icontains: "NUMBER 99999 " } } });
    expect(page.items.map(({ id }) => id)).toEqual([99_999]);
  }, 60_000);

  test("evaluates related rows once, not once for each row", async () => {
    const api = await openLibrary();
    const related = { author: { books: { none: { author: { name: { icontains: "qq" } } } } } };
    const filter = { or: [{ not: related }] };
    const { took, blocked } = await measure(async () => {
      const { items } = await api.local.book.list({ filter, page: { size: 1 } });
      expect(items).toEqual([]);
    });
    expect(took).toBeLessThan(5_000);
    expect(blocked).toBeLessThan(1_000);
    expect((await api.local.book.list({ filter: related, page: { size: 1 } })).items).toHaveLength(1);
  }, 60_000);

  test("includes earlier writes", async () => {
    const api = await openLibrary();
    const filter = unmet(40);
    expect((await api.local.book.list({ filter })).items).toEqual([]);
    await api.local.book.create({ id: 200_000, title: "Q7", authorId: 1 });
    expect((await api.local.book.list({ filter })).items.map(({ id }) => id)).toEqual([200_000]);
  }, 60_000);

  test("is aborted when the store closes", async () => {
    const api = await openLibrary({ length: 20 });
    const list = api.local.book.list({ filter: unmet(100, "жук") }).catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { took } = await measure(() => opened.pop()?.close() as Promise<void>);
    expect(await list).toMatchObject({ code: "UNAVAILABLE" });
    expect(took).toBeLessThan(8_000);
  }, 60_000);

  test("ends at its deadline within a transaction", async () => {
    const api = await openLibrary({ length: 20, timeout: 1_000 });
    const { took } = await measure(async () => {
      const work = api.transaction((local) => local.book.list({ filter: unmet(100, "жук") }));
      await expect(work).rejects.toMatchObject({ code: "TIMEOUT" });
    });
    expect(took).toBeLessThan(4_000);
    expect(await api.local.book.get(1)).toMatchObject({ id: 1 });
  }, 60_000);
});

test("a read of an in-memory database ends at its deadline", async () => {
  const api = createLibrary(sqlStore(":memory:"), 1_000);
  opened.push(api);
  const title = "Book number ".repeat(100);
  await api.local.author.create({ id: 1, name: "Ann" });
  // Several transactions, because each has a deadline.
  for (let first = 0; first < 4_000; first += 200) {
    await api.transaction(async (local) => {
      for (let id = first; id < first + 200; id++) await local.book.create({ id, title, authorId: 1 });
    });
  }
  const { took } = await measure(async () => {
    const list = api.local.book.list({ filter: unmet(100, "жук") });
    await expect(list).rejects.toMatchObject({ code: "TIMEOUT" });
  });
  expect(took).toBeLessThan(4_000);
}, 60_000);

test("returns UNAVAILABLE if a thread stops, and replaces the thread", async () => {
  const file = join(folder, "later.db");
  const threads = new SqliteThreads({ file, busyTimeout: 50, goOn: "go_on", stop: STOP });
  const read = () => threads.read({ sql: "select 1", values: [] }, undefined);
  const failure = { code: "UNAVAILABLE", headers: { "Retry-After": "1" } };
  await expect(read()).rejects.toMatchObject(failure);
  await expect(Promise.allSettled([1, 2, 3, 4, 5, 6].map(read))).resolves.toMatchObject(
    Array.from({ length: 6 }, () => ({ reason: failure })),
  );
  new DatabaseSync(file).exec("create table notes (id integer)");
  expect(await read()).toEqual([[1]]);
  const notes = threads.read({ sql: "select nothing from notes", values: [] }, undefined);
  await expect(notes).rejects.toMatchObject({ code: "ERR_SQLITE_ERROR", errcode: 1 });
  await threads.close();
});

test("stops a statement in a thread when its operation is aborted", async () => {
  const file = join(folder, "endless.db");
  new DatabaseSync(file).exec("create table notes (id integer)");
  const threads = new SqliteThreads({ file, busyTimeout: 50, goOn: "go_on", stop: STOP });
  const endless = `with recursive n(i) as (select 1 union all select i + 1 from n)
    select count(*) from n where i % 31 or abs(go_on())`;
  const leaving = new AbortController();
  const reads = Array.from({ length: 4 }, () =>
    threads.read({ sql: endless, values: [] }, { signal: leaving.signal }).catch((thrown: unknown) => thrown),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  leaving.abort();
  expect(await Promise.all(reads)).toEqual(reads.map(() => leaving.signal.reason as unknown));
  const { took } = await measure(() => threads.read({ sql: "select 1", values: [] }, undefined));
  // Threads that don't stop are replaced after a second.
  expect(took).toBeLessThan(700);
  await threads.close();
});
