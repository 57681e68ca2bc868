import { expect, test } from "vitest";
import { AUSTEN, type Connect, EDEN, EMMA, LEM, seeded } from "./bookstores.ts";

/** Tests that the client writes rows of a bookstore. */
export function testWrites(connect: Connect): void {
  const createBook = async (input: Partial<typeof EDEN> | object = {}): Promise<string> => {
    const row = await connect("admin").book.create({ ...EDEN, ...input }, { select: { id: true } });
    return (row as { readonly id: string }).id;
  };

  test("creates, reads, replaces, updates and deletes", async () => {
    const { book } = connect("admin");
    const created = await book.create(EDEN);
    expect(created).toMatchObject(EDEN);
    const { id } = created as { readonly id: string };
    expect(await book.get(id)).toEqual(created);
    expect(await book.replace(id, { ...EDEN, price: 10 })).toMatchObject({ title: "Eden", price: 10 });
    expect(await book.update(id, { title: "Eden!" }, { select: { title: true, price: true } })).toEqual({
      title: "Eden!",
      price: 10,
    });
    await book.delete(id);
    expect(await book.get(id)).toBeNull();
    await expect(book.delete(id)).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  test("writes an author and books in one transaction", async () => {
    const { author } = connect("editor");
    const { authorId: _, ...eden } = EDEN;
    const select = { id: true, name: true, books: { sort: ["title"], select: { id: true, title: true } } } as const;
    const ann = { name: "Ann", email: null, bio: null, born: null };
    const created = await author.create({ ...ann, books: [eden, { ...eden, title: "Solaris" }] }, { select });
    expect(created).toMatchObject({ name: "Ann", books: [{ title: "Eden" }, { title: "Solaris" }] });
    const { id, books } = created as { id: string; books: { id: string }[] };
    const changed = await connect("admin").author.update(
      id,
      {
        books: {
          create: [{ ...eden, title: "Fiasco" }],
          update: [{ id: (books[0] as { id: string }).id, title: "Aden" }],
          delete: [(books[1] as { id: string }).id],
        },
      },
      { select: { books: { sort: ["title"], select: { title: true } } } },
    );
    expect(changed).toEqual({ books: [{ title: "Aden" }, { title: "Fiasco" }] });
    const wrong = author.create({ ...ann, name: "Cid", books: [eden, { ...eden, price: -1 }] });
    await expect(wrong).rejects.toMatchObject({ code: "VALIDATION_FAILED", issues: [{ code: "too_small" }] });
    expect((await author.list({ filter: { name: "Cid" }, count: true })).total).toBe(0);
  });

  test("lists every issue of an input", async () => {
    const input = { title: "", authorId: LEM, genre: "novel", price: -1, publishedAt: "soon" } as const;
    await expect(connect("editor").book.create(input)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      status: 422,
      issues: expect.arrayContaining([
        expect.objectContaining({ code: "too_small" }),
        expect.objectContaining({ code: "invalid_format" }),
      ]) as unknown,
    });
    const missing = connect("editor").book.create({ ...EDEN, authorId: seeded.author(99) });
    await expect(missing).rejects.toMatchObject({ code: "VALIDATION_FAILED", issues: [{ code: "unknown_reference" }] });
  });

  test("writes many rows", async () => {
    const { book } = connect("admin");
    const inputs = ["Bulk 1", "Bulk 2", "Bulk 3"].map((title) => ({ ...EDEN, title }));
    const made = await book.createMany(inputs, { select: { id: true, title: true } });
    expect(made.map((row) => row?.title)).toEqual(["Bulk 1", "Bulk 2", "Bulk 3"]);
    const filter = { title: { startsWith: "Bulk" } };
    const ids = made.map((row) => String(row?.id)).sort();
    expect((await book.updateMany(filter, { price: 3 })).sort()).toEqual(ids);
    expect((await book.list({ filter, select: { price: true } })).items.map(({ price }) => price)).toEqual([3, 3, 3]);
    expect((await book.updateMany({}, { price: 4 }, { search: "bulk 2" })).map(String)).toEqual([made[1]?.id]);
    expect(await book.deleteMany({ price: 3 }, { search: "bulk 2" })).toEqual([]);
    expect((await book.deleteMany(filter)).sort()).toEqual(ids);
    expect((await book.list({ filter })).items).toEqual([]);
  });

  test("links and unlinks rows", async () => {
    const { book } = connect("editor");
    const id = await createBook();
    const select = { tags: { sort: ["slug"], select: { slug: true } } } as const;
    const slugs = async () => (await book.get(id, { select }))?.tags.map(({ slug }) => slug);
    await book.link(id, "tags", "sale");
    await book.link(id, "tags", "sale");
    expect(await slugs()).toEqual(["sale"]);
    await expect(book.link(id, "tags", "none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(connect("reader").book.link(id, "tags", "satire")).rejects.toMatchObject({ code: "FORBIDDEN" });
    await book.unlink(id, "tags", "sale");
    expect(await slugs()).toEqual([]);
    expect(await book.update(id, { tags: ["classic", "sale"] }, { select })).toEqual({
      tags: [{ slug: "classic" }, { slug: "sale" }],
    });
    expect(await book.update(id, { tags: { add: ["satire"], remove: ["sale"] } }, { select })).toEqual({
      tags: [{ slug: "classic" }, { slug: "satire" }],
    });
  });

  test("creates a tag with a slug of the caller, which is unique", async () => {
    const { tag } = connect("admin");
    expect(await tag.create({ slug: "gift", name: "Gift" })).toEqual({ slug: "gift", name: "Gift" });
    await expect(tag.create({ slug: "gift", name: "Other" })).rejects.toMatchObject({ code: "CONFLICT", status: 409 });
    await expect(tag.create({ slug: "gift-2", name: "Gift" })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await tag.replace("gift", { slug: "gift", name: "Gifts" })).toEqual({ slug: "gift", name: "Gifts" });
    expect(await tag.replace("signed", { slug: "signed", name: "Signed" })).toEqual({ slug: "signed", name: "Signed" });
    await tag.delete("gift");
  });

  test("calls actions", async () => {
    const id = await createBook({ publishedAt: null });
    expect(await connect().book.get(id)).toBeNull();
    const at = "2026-02-03";
    await expect(connect().book.actions.publish(id, { at })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(connect("editor").book.actions.publish(id, { at: "never" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await connect("editor").book.actions.publish(id, { at })).toMatchObject({ publishedAt: at, isDraft: false });
    expect(await connect("admin").book.actions.discount({ genre: "drama", percent: 10 })).toEqual({ changed: 0 });
    const { token } = await connect("reader").user.actions.token("reader");
    const signedIn = connect(undefined, { headers: { authorization: `Bearer ${token}` } });
    expect(await signedIn.author.get(AUSTEN, { select: { email: true } })).toEqual({ email: "jane@example.com" });
  });

  test("deletes and restores reviews", async () => {
    const { review } = connect("reader");
    const input = { bookId: seeded.book(3), reviewer: "reader", stars: 3, text: null };
    const created = await review.create(input);
    await expect(review.create(input)).rejects.toMatchObject({ code: "CONFLICT" });
    await review.delete(created.id);
    expect(await review.get(created.id)).toBeNull();
    const deleted = await connect("admin").review.list({ deleted: "only", filter: { bookId: input.bookId } });
    expect(deleted.items).toEqual([created]);
    await expect(review.list({ deleted: "only" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await review.restore(created.id)).toEqual(created);
    expect(await review.get(created.id)).toEqual(created);
  });

  test("deletes reviews with their book, but no author who has books", async () => {
    const bookId = await createBook();
    const { id } = await connect("reader").review.create({ bookId, reviewer: "reader", stars: 4, text: null });
    await expect(connect("admin").author.delete(LEM)).rejects.toMatchObject({ code: "CONFLICT" });
    await connect("admin").book.delete(bookId);
    expect(await connect("reader").review.get(id)).toBeNull();
  });

  test("applies the rules of a row and of a field to each write", async () => {
    const ursula = connect("author:ursula").book;
    const own = seeded.book(4);
    expect(await ursula.update(own, { title: "The Left Hand of Darkness" })).toMatchObject({ id: own });
    for (const write of [
      () => ursula.update(own, { price: 1 }),
      () => ursula.update(EMMA, { title: "Mine" }),
      () => ursula.create(EDEN),
      () => ursula.link(own, "tags", "sale"),
      () => ursula.actions.publish(own, { at: "2026-01-01" }),
      () => connect("reader").review.update(seeded.review(2), { stars: 1 }),
      () => connect("reader").review.create({ bookId: EMMA, reviewer: "editor", stars: 1, text: null }),
      () => connect("reader").user.update("reader", { role: "admin" }),
      () => connect("editor").user.create({ id: "new", name: "New", email: null }),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
    }
    await expect(connect().book.create(EDEN)).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    expect(await connect("reader").user.update("reader", { name: "Rob" }, { select: { name: true } })).toEqual({
      name: "Rob",
    });
  });

  test("rejects an unknown credential", async () => {
    const wrong = connect(undefined, { headers: { authorization: "Bearer wrong" } });
    await expect(wrong.book.list()).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  });
}
