import { expect, test } from "vitest";
import { EDEN, onEachStore } from "./bookstores.ts";

onEachStore((connect) => {
  test("yields the changes of rows that match, until it is aborted", async () => {
    const { book } = connect("admin");
    const ending = new AbortController();
    const filter = { title: { startsWith: "Live" } };
    const seen: unknown[] = [];
    const changes = connect("reader").book.watch({
      initial: true,
      filter,
      select: { title: true },
      signal: ending.signal,
    });
    await book.create({ ...EDEN, title: "Live 1" });
    const first = await changes.next();
    expect(first.value).toEqual({ kind: "current", item: { title: "Live 1" } });
    const created = await book.create({ ...EDEN, title: "Live 2" });
    const { id } = created as { readonly id: string };
    seen.push((await changes.next()).value);
    await book.update(id, { title: "Other" });
    seen.push((await changes.next()).value);
    // The reader can't see a draft.
    await book.create({ ...EDEN, title: "Live draft", publishedAt: null });
    const last = await book.create({ ...EDEN, title: "Live 3" });
    seen.push((await changes.next()).value);
    expect(seen).toMatchObject([
      { kind: "created", item: { title: "Live 2" } },
      { kind: "left", key: id },
      { kind: "created", item: { title: "Live 3" } },
    ]);
    ending.abort();
    expect(await changes.next()).toEqual({ done: true, value: undefined });

    const { id: after } = seen[1] as { readonly id: string };
    const resumed = connect("reader").book.watch({ filter, select: { title: true }, after });
    expect((await resumed.next()).value).toMatchObject({ kind: "created", item: { title: "Live 3" } });
    await resumed.return?.();
    expect(last).not.toBeNull();
  });

  test("watches one row by its key", async () => {
    const { tag } = connect("admin");
    const changes = connect().tag.watch({ id: "fantasy", initial: true });
    expect((await changes.next()).value).toEqual({ kind: "current", item: { slug: "fantasy", name: "Fantasy" } });
    await tag.update("sale", { name: "Sales" });
    await tag.update("fantasy", { name: "Fantastic" });
    expect((await changes.next()).value).toMatchObject({ kind: "updated", item: { name: "Fantastic" } });
    await changes.return?.();
  });
});
