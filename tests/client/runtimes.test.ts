import { isBifocalError } from "@bifocal/client";
import { expect, test } from "vitest";
import { DRAFT, EDEN, EMMA, LEM, onEachRuntime } from "./bookstores.ts";

onEachRuntime((connect) => {
  test("reads rows, pages and groups", async () => {
    const { book } = connect();
    const select = { title: true, author: { select: { name: true } }, tags: { select: { slug: true } } } as const;
    expect(await book.get(EMMA, { select })).toEqual({
      title: "Emma",
      author: { name: "Jane Austen" },
      tags: [{ slug: "classic" }, { slug: "satire" }],
    });
    const page = await book.list({ sort: ["-price"], page: { size: 2 }, count: true, select: { price: true } });
    expect(page).toMatchObject({ items: [{ price: 18 }, { price: 16 }], total: 11, hasNext: true, hasPrevious: false });
    const { groups } = await book.aggregate({ aggregate: ["count"], group: ["genre"], sort: ["-count"] });
    expect(groups[0]).toEqual({ group: { genre: "novel" }, count: 8 });
    // Longer than a URL, so REST sends it with the method QUERY.
    const title = { in: ["Emma", ...Array.from({ length: 150 }, (_, n) => `Missing title ${n}`)] };
    expect((await book.list({ filter: { title }, select: { title: true } })).items).toEqual([{ title: "Emma" }]);
    expect(await book.get(DRAFT)).toBeNull();
  });

  test("writes rows and calls actions", async () => {
    const { book } = connect("admin");
    const created = await book.create({ ...EDEN, publishedAt: null });
    const { id } = created as { readonly id: string };
    expect(await book.update(id, { price: 8 }, { select: { price: true } })).toEqual({ price: 8 });
    await book.link(id, "tags", "sale");
    expect(await book.actions.publish(id, { at: "2026-01-01" })).toMatchObject({ isDraft: false });
    await book.delete(id);
    expect(await book.get(id)).toBeNull();
  });

  test("throws errors with their code, status and issues", async () => {
    const { book } = connect("editor");
    const error: unknown = await book.create({ ...EDEN, title: "" }).catch((thrown: unknown) => thrown);
    expect(isBifocalError(error)).toBe(true);
    expect(error).toMatchObject({ code: "VALIDATION_FAILED", status: 422, issues: [{ code: "too_small" }] });
    await expect(connect().book.create(EDEN)).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    await expect(book.delete(LEM)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
  });

  test("watches rows until it is aborted", async () => {
    const ending = new AbortController();
    const changes = connect().tag.watch({ id: "fantasy", initial: true, signal: ending.signal });
    expect((await changes.next()).value).toMatchObject({ kind: "current", item: { slug: "fantasy" } });
    const next = changes.next();
    await connect("admin").tag.update("fantasy", { name: "Fantastic" });
    expect((await next).value).toMatchObject({ kind: "updated", item: { name: "Fantastic" } });
    const last = changes.next();
    ending.abort();
    expect(await last).toEqual({ done: true, value: undefined });
  });
});
