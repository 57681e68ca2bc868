import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLibrary, newBook } from "./library.ts";
import { Client, serve } from "./serve.ts";

describe("initial rows", () => {
  test("come first, followed by changes", async () => {
    const { api, books } = createLibrary();
    const changes = api.local.book.watch({ initial: true, select: { id: true, title: true } });
    expect([(await changes.next()).value, (await changes.next()).value]).toEqual([
      { kind: "current", item: { id: 1, title: "Book 1" } },
      { kind: "current", item: { id: 2, title: "Book 2" } },
    ]);
    await books.update(2, { title: "New" });
    expect((await changes.next()).value).toMatchObject({ kind: "updated", item: { id: 2, title: "New" } });
    await changes.return?.();
  });

  test("can be one row, or the rows that match a filter", async () => {
    const { api, books } = createLibrary();
    const one = api.local.book.watch({ initial: true, id: 2, select: { id: true } });
    expect((await one.next()).value).toEqual({ kind: "current", item: { id: 2 } });
    const some = api.local.book.watch({ initial: true, filter: { title: { eq: "Book 1" } }, select: { id: true } });
    expect((await some.next()).value).toEqual({ kind: "current", item: { id: 1 } });
    // A row that matches later was not among the initial rows.
    await books.update(2, { title: "Book 1" });
    expect((await some.next()).value).toMatchObject({ kind: "updated", item: { id: 2 } });
  });

  test("are rejected if there are more rows than a page can have", async () => {
    const { api, books, listeners } = createLibrary();
    for (const id of [4, 5, 6, 7]) await books.create(newBook(id));
    await expect(api.local.book.watch({ initial: true }).next()).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: ["initial"], code: "too_many" }],
    });
    expect(listeners()).toBe(0);
  });

  test("over GraphQL", async () => {
    const { api, books } = createLibrary();
    const served = await serve(api);
    const client = await Client.open(served.url, { key: "cy" });
    const query = "subscription { bookUpdated(id: 1, initial: true) { title price } }";
    await client.send({ type: "subscribe", id: "1", payload: { query } });
    expect(await client.next()).toMatchObject({ payload: { data: { bookUpdated: { title: "Book 1", price: 1 } } } });
    await books.update(1, { title: "New" });
    expect(await client.next()).toMatchObject({ payload: { data: { bookUpdated: { title: "New" } } } });
    await served.close();
  });
});

test("miss no change after them, and repeat none", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.record({ id: fc.integer({ min: 1, max: 2 }), turns: fc.integer({ min: 0, max: 12 }) }), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.integer({ min: 0, max: 12 }),
    async (writes, start) => {
      const { api, books, listeners } = createLibrary();
      const turn = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) await Promise.resolve();
      };
      const seen = new Map<number, string[]>();
      const writing = (async () => {
        for (const [n, { id, turns }] of writes.entries()) {
          await turn(turns);
          await books.update(id, { title: `${n}` });
        }
      })();
      await turn(start);
      const changes = api.local.book.watch({ initial: true, select: { id: true, title: true } });
      const reading = (async () => {
        for await (const { item } of changes) seen.set(item.id, [...(seen.get(item.id) ?? []), item.title]);
      })();
      await writing;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await changes.return?.();
      await reading;
      for (const id of [1, 2]) {
        const titles = seen.get(id) ?? [];
        const own = writes.flatMap((write, n) => (write.id === id ? [`${n}`] : []));
        // The last state is delivered and each state is later than the one before. A state is only repeated if two
        // changes were read concurrently, because both then show the later one.
        expect(titles.at(-1)).toBe(own.at(-1) ?? `Book ${id}`);
        const order = titles.map((title) => own.indexOf(title));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(titles.slice(1)).not.toContain(`Book ${id}`);
        expect(titles.slice(1, 2)).not.toEqual(titles.slice(0, 1));
      }
      expect(listeners()).toBe(0);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
