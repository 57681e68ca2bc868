import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryBus, type Principal } from "../../src/index.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...open, fields: { email: { read: ({ principal }) => principal !== null } } },
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32(), draft: z.boolean() },
  relations: { author: belongsTo("author", "authorId") },
  access: { ...open, read: ({ principal }) => (principal === null ? { draft: { eq: false } } : true) },
  filterable: ["title", "draft"],
});

const ANN: Principal = { id: "ann" };

function start(events = memoryBus()) {
  const api = defineApi({ resources: [author, book], events });
  return api;
}

/** The first changes that a subscriber receives while `act` runs. */
async function collect<T>(changes: AsyncIterableIterator<T>, count: number, act: () => Promise<unknown>): Promise<T[]> {
  const found: T[] = [];
  const reading = (async () => {
    while (found.length < count) {
      const { done, value } = await changes.next();
      if (done === true) break;
      found.push(value);
    }
  })();
  await act();
  await reading;
  await changes.return?.();
  return found;
}

describe("a subscriber", () => {
  test("gets every change in order, from every caller", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "a" });
    const changes = await collect(api.as(ANN).book.watch(), 40, async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, id) => {
          await api.local.book.create({ id, title: "x", authorId: 1, draft: false });
          await api.as(ANN).book.update(id, { title: "y" });
        }),
      );
    });
    for (let id = 0; id < 20; id++) {
      const own = changes.filter(({ item }) => item.id === id).map(({ kind }) => kind);
      expect(own).toEqual(["created", "updated"]);
    }
    const ids = changes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(40);
  });

  test("can request several changes before the first one arrives", async () => {
    const api = start();
    const changes = api.local.author.watch();
    const asked = [changes.next(), changes.next(), changes.next()];
    for (const id of [1, 2]) await api.local.author.create({ id, name: "A", email: "a" });
    await Promise.all(asked.slice(0, 2));
    await changes.return?.();
    const found = await Promise.all(asked);
    expect(found.map(({ value }) => value?.item.id)).toEqual([1, 2, undefined]);
  });

  test("receives only rows and fields that it can read, as they are at the time of reading", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "secret" });
    const watch = (principal: Principal | null) =>
      api.as(principal).book.watch({ select: { title: true, author: { select: { name: true } } } });
    const [seen, all] = await Promise.all([
      collect(watch(null), 1, () => Promise.resolve()),
      collect(watch(ANN), 2, async () => {
        await api.as(ANN).book.create({ id: 1, title: "draft", authorId: 1, draft: true });
        await api.as(ANN).book.create({ id: 2, title: "done", authorId: 1, draft: false });
      }),
    ]);
    expect(seen.map(({ item }) => item)).toEqual([{ title: "done", author: { name: "A" } }]);
    expect(all.map(({ item }) => item.title)).toEqual(["draft", "done"]);
  });

  test("receives nothing that happened to a row before it came into view, even if events are sent later", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "a" });
    await api.as(ANN).book.create({ id: 1, title: "old", authorId: 1, draft: true });
    const kinds = (on: readonly ("created" | "updated")[], count: number) =>
      collect(api.as(null).book.watch({ on }), count, () => Promise.resolve());
    const [both, created] = await Promise.all([
      kinds(["created", "updated"], 3),
      kinds(["created"], 1),
      // Everything is committed before any event is sent.
      api.transaction(
        async (local) => {
          await local.book.update(1, { title: "new" });
          await local.book.update(1, { draft: false });
          await local.book.create({ id: 2, title: "two", authorId: 1, draft: true });
          await local.book.update(2, { draft: false });
          await local.book.create({ id: 3, title: "three", authorId: 1, draft: false });
        },
        { principal: ANN },
      ),
    ]);
    expect(both.map(({ kind, item }) => `${kind} ${item.title}`)).toEqual([
      "updated new",
      "updated two",
      "created three",
    ]);
    expect(created.map(({ item }) => item.title)).toEqual(["three"]);
  });

  test("receives a deletion only if it could have seen the row", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "a" });
    for (const id of [1, 2]) await api.as(ANN).book.create({ id, title: "x", authorId: 1, draft: id === 1 });
    const changes = await collect(api.local.book.watch({ on: ["deleted"] }), 1, async () => {
      await api.as(ANN).book.delete(1);
      await api.as(ANN).book.delete(2);
    });
    expect(changes).toMatchObject([{ kind: "deleted", item: { id: 2 } }]);
  });

  test("can filter by fields that it can read", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "a" });
    const wanted = api.as(ANN).book.watch({ filter: { author: { name: { eq: "B" } } } });
    const changes = await collect(wanted, 1, async () => {
      await api.as(ANN).book.create({ id: 1, title: "x", authorId: 1, draft: true });
      await api.local.author.create({ id: 2, name: "B", email: "b" });
      await api.as(ANN).book.update(1, { authorId: 2 });
    });
    expect(changes).toMatchObject([{ kind: "updated", item: { id: 1, authorId: 2 } }]);
  });

  test("can watch one row", async () => {
    const api = start();
    await api.local.author.create({ id: 1, name: "A", email: "a" });
    await api.local.author.create({ id: 2, name: "B", email: "b" });
    const changes = await collect(api.local.author.watch({ id: 2 }), 1, async () => {
      await api.local.author.update(1, { name: "A2" });
      await api.local.author.update(2, { name: "B2" });
    });
    expect(changes).toMatchObject([{ item: { id: 2, name: "B2" } }]);
  });

  test("receives missed changes when it resumes, or a reset if they are no longer available", async () => {
    const api = start();
    const first = await collect(api.local.author.watch(), 1, () =>
      api.local.author.create({ id: 1, name: "A", email: "a" }),
    );
    await api.local.author.update(1, { name: "B" });
    await api.local.author.update(1, { name: "C" });
    const after = first[0]?.id as string;
    const missed = await collect(api.local.author.watch({ after }), 2, () => Promise.resolve());
    expect(missed.map(({ kind }) => kind)).toEqual(["updated", "updated"]);
    const lost = api.local.author.watch({ after: "gone" });
    await expect(lost.next()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await lost.return?.();
  });

  test("is released if it stops reading", async () => {
    const api = start();
    for (let n = 0; n < 50; n++) {
      const changes = api.local.author.watch();
      const next = changes.next();
      await changes.return?.();
      expect((await next).done).toBe(true);
    }
    await api.close();
  });
});

test("sends no event for a write that changes nothing", async () => {
  const api = start();
  await api.local.author.create({ id: 1, name: "A", email: "a" });
  const changes = await collect(api.local.author.watch(), 1, async () => {
    await api.local.author.update(1, { name: "A" });
    await api.local.author.update(1, { name: "B" });
  });
  expect(changes).toMatchObject([{ item: { name: "B" } }]);
});

test("sends no event for a rejected write", async () => {
  const api = start();
  await api.local.author.create({ id: 1, name: "A", email: "a" });
  const changes = await collect(api.local.author.watch(), 1, async () => {
    await expect(api.local.author.create({ id: 1, name: "twice", email: "a" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await expect(api.local.author.update(1, { name: 5 as never })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await api.local.author.update(1, { name: "B" });
  });
  expect(changes).toMatchObject([{ kind: "updated" }]);
});
