import { webSockets } from "@bifocal/client/websocket";
import { describe, expect, test } from "vitest";
import { type Connect, EDEN } from "./bookstores.ts";

/** Tests that the client watches rows of a bookstore. */
export function testWatches(connect: Connect, lacksSockets: boolean): void {
  describe("over event streams", () => {
    watchOver("stream", connect);
  });
  describe.each(lacksSockets ? [] : ["socket"])("over a WebSocket", (prefix) => {
    watchOver(prefix, (as) => connect(as, { watch: webSockets() }));
  });
  test.each(lacksSockets ? ["METHOD_NOT_ALLOWED"] : [])("throws %s for a watch over a WebSocket", async (code) => {
    const changes = connect(undefined, { watch: webSockets() }).tag.watch({ id: "fantasy" });
    await expect(changes.next()).rejects.toMatchObject({ code });
  });
}

/** Tests watches of books whose title starts with a prefix. */
function watchOver(prefix: string, connect: Connect): void {
  test("yields the changes of rows that match, until it is aborted", async () => {
    const { book } = connect("admin");
    const ending = new AbortController();
    const filter = { title: { startsWith: prefix } };
    const seen: unknown[] = [];
    const changes = connect("reader").book.watch({
      initial: true,
      filter,
      select: { title: true },
      signal: ending.signal,
    });
    await book.create({ ...EDEN, title: `${prefix} 1` });
    const first = await changes.next();
    expect(first.value).toEqual({ kind: "current", item: { title: `${prefix} 1` } });
    const created = await book.create({ ...EDEN, title: `${prefix} 2` });
    const { id } = created as { readonly id: string };
    seen.push((await changes.next()).value);
    await book.update(id, { title: "Other" });
    seen.push((await changes.next()).value);
    // The reader can't see a draft.
    await book.create({ ...EDEN, title: `${prefix} draft`, publishedAt: null });
    const last = await book.create({ ...EDEN, title: `${prefix} 3` });
    seen.push((await changes.next()).value);
    expect(seen).toMatchObject([
      { kind: "created", item: { title: `${prefix} 2` } },
      { kind: "left", key: id },
      { kind: "created", item: { title: `${prefix} 3` } },
    ]);
    ending.abort();
    expect(await changes.next()).toEqual({ done: true, value: undefined });

    const { id: after } = seen[1] as { readonly id: string };
    const resumed = connect("reader").book.watch({ filter, select: { title: true }, after });
    expect((await resumed.next()).value).toMatchObject({ kind: "created", item: { title: `${prefix} 3` } });
    await resumed.return?.();
    expect(last).not.toBeNull();
  });

  test("watches one row by its key", async () => {
    const { tag } = connect("admin");
    const changes = connect().tag.watch({ id: "fantasy", initial: true });
    expect((await changes.next()).value).toMatchObject({ kind: "current", item: { slug: "fantasy" } });
    await tag.update("sale", { name: `Sales by ${prefix}` });
    const name = `Fantastic ${prefix}`;
    await tag.update("fantasy", { name });
    expect((await changes.next()).value).toMatchObject({ kind: "updated", item: { slug: "fantasy", name } });
    await changes.return?.();
  });
}
