import { expect, test } from "vitest";
import { AUSTEN, type Connect, DRAFT, EMMA, LEM, seeded } from "./bookstores.ts";

/** Tests that the client reads rows of a bookstore. The rows are those of the small data set. */
export function testReads(connect: Connect): void {
  const titles = async (query: Parameters<ReturnType<typeof connect>["book"]["list"]>[0]): Promise<string[]> =>
    (await connect().book.list({ ...query, select: { title: true } })).items.map(({ title }) => title);

  test("returns a row with its computed fields", async () => {
    expect(await connect().book.get(EMMA)).toEqual({
      id: EMMA,
      title: "Emma",
      authorId: AUSTEN,
      genre: "novel",
      price: 12.5,
      publishedAt: "1815-12-23",
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      isDraft: false,
      averageStars: 4.5,
      priceInDollars: 13.75,
    });
  });

  test("returns a row with its relations", async () => {
    const select = {
      title: true,
      author: {
        select: {
          name: true,
          bookCount: true,
          books: { sort: ["-price"], page: { size: 1 }, select: { title: true } },
        },
      },
      reviews: { filter: { stars: { gte: 5 } }, select: { stars: true, reviewer: true } },
      tags: { sort: ["slug"], select: { slug: true } },
    } as const;
    expect(await connect().book.get(EMMA, { select })).toEqual({
      title: "Emma",
      author: { name: "Jane Austen", bookCount: 3, books: [{ title: "Emma" }] },
      reviews: [{ stars: 5, reviewer: "reader" }],
      tags: [{ slug: "classic" }, { slug: "satire" }],
    });
  });

  test("omits fields that the caller can't read", async () => {
    expect(await connect().author.get(LEM)).not.toHaveProperty("email");
    expect(await connect("reader").author.get(LEM)).toHaveProperty("email", "stanislaw@example.com");
    expect(await connect("reader").user.get("ben")).not.toHaveProperty("email");
    expect(await connect("reader").user.get("reader")).toHaveProperty("email", "reader@bookstore.example");
  });

  test("returns null for hidden and missing rows", async () => {
    const { book, tag } = connect();
    expect([
      await book.get(DRAFT),
      await book.get(seeded.book(99)),
      await book.get("x"),
      await tag.get("none"),
    ]).toEqual([null, null, null, null]);
    expect(await connect("editor").book.get(DRAFT, { select: { title: true, isDraft: true } })).toEqual({
      title: "Letters from Anarres",
      isDraft: true,
    });
    expect(await connect("author:ursula").book.get(DRAFT, { select: { title: true } })).not.toBeNull();
  });

  test("filters and sorts lists", async () => {
    expect(await titles({ filter: { title: "Emma" } })).toEqual(["Emma"]);
    expect(await titles({ filter: { price: { gte: 14 } }, sort: ["-price"] })).toEqual([
      "Steering the Craft",
      "Odyssey",
      "The Left Hand of Darkness",
    ]);
    expect(await titles({ filter: { genre: { in: ["poem", "essay"] } }, sort: ["title"] })).toEqual([
      "Odyssey",
      "Poems",
      "Steering the Craft",
    ]);
    expect(await titles({ filter: { author: { name: { startsWith: "Mary" } } } })).toEqual(["Frankenstein"]);
    expect(await titles({ filter: { reviews: { some: { stars: { lt: 3 } } } } })).toEqual(["Odyssey"]);
    const either = { or: [{ price: { lt: 8 } }, { tags: { some: { slug: "fantasy" } } }] };
    expect(await titles({ filter: either, sort: ["price"] })).toEqual(["Poems", "A Wizard of Earthsea"]);
    expect(await titles({ filter: { not: { genre: "novel" } }, sort: ["title"], page: { size: 2 } })).toEqual([
      "Odyssey",
      "Poems",
    ]);
    expect(await titles({ filter: { title: { icontains: "PRIDE and" } } })).toEqual(["Pride and Prejudice"]);
    expect(await titles({ sort: ["author.name", "title"], page: { size: 3 } })).toEqual(["Poems", "Odyssey", "Emma"]);
    expect(await titles({ sort: ["title"], page: { offset: 9 } })).toEqual([
      "The Cyberiad",
      "The Left Hand of Darkness",
    ]);
  });

  test("filters and sorts by computed fields", async () => {
    const { items } = await connect().author.list({
      filter: { bookCount: { gte: 2 } },
      sort: ["-bookCount", "name"],
      select: { name: true, bookCount: true },
    });
    expect(items).toEqual([
      { name: "Jane Austen", bookCount: 3 },
      { name: "Ursula K. Le Guin", bookCount: 3 },
      { name: "Stanisław Lem", bookCount: 2 },
    ]);
  });

  test("reads pages in both directions, and counts rows", async () => {
    const { book } = connect();
    const seen: string[] = [];
    let page = await book.list({ sort: ["-price"], page: { size: 4 }, count: true, select: { title: true } });
    for (;;) {
      seen.push(...page.items.map(({ title }) => title));
      expect([page.total, page.totalIsExact]).toEqual([11, true]);
      if (!page.hasNext) break;
      const after = page.endCursor as string;
      page = await book.list({ sort: ["-price"], page: { size: 4, after }, count: true, select: { title: true } });
    }
    expect([seen.length, new Set(seen).size]).toEqual([11, 11]);
    const before = page.startCursor as string;
    const back = await book.list({ sort: ["-price"], page: { size: 4, before }, select: { title: true } });
    expect(back.items.map(({ title }) => title)).toEqual(seen.slice(4, 8));
  });

  test("lists rows by a filter that is longer than a URL", async () => {
    const title = { in: ["Emma", ...Array.from({ length: 150 }, (_, n) => `Missing title ${n}`)] };
    expect(await titles({ filter: { title } })).toEqual(["Emma"]);
  });

  test("rejects with the reason of a signal that aborts", async () => {
    const aborting = new AbortController();
    const reason = new Error("stopped");
    const listed = connect().book.list({ signal: aborting.signal });
    aborting.abort(reason);
    await expect(listed).rejects.toBe(reason);
    expect(await titles({ filter: { title: "Emma" } })).toEqual(["Emma"]);
  });

  test("rejects a cursor of another sort", async () => {
    const { book } = connect();
    const { endCursor } = await book.list({ sort: ["price"], page: { size: 1 } });
    await expect(book.list({ sort: ["title"], page: { after: endCursor as string } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      status: 400,
    });
  });

  test("searches books by title and author", async () => {
    expect((await titles({ search: "austen" })).sort()).toEqual(["Emma", "Persuasion", "Pride and Prejudice"]);
    expect(await titles({ search: "left hand" })).toEqual(["The Left Hand of Darkness"]);
  });

  test("groups rows", async () => {
    const { groups } = await connect().book.aggregate({
      aggregate: ["count", "max.price"],
      group: ["genre"],
      having: { count: { gte: 2 } },
      sort: ["-count"],
    });
    expect(groups).toEqual([
      { group: { genre: "novel" }, count: 8, max: { price: 14 } },
      { group: { genre: "poem" }, count: 2, max: { price: 16 } },
    ]);
    const { groups: stars } = await connect().review.aggregate({
      aggregate: ["avg.stars"],
      filter: { bookId: EMMA },
    });
    expect(stars).toEqual([{ group: {}, avg: { stars: 4.5 } }]);
    const found = await connect().book.aggregate({ aggregate: ["count"], search: "austen" });
    expect(found.groups).toEqual([{ group: {}, count: 3 }]);
  });

  test("calls a query", async () => {
    const { trending } = connect().book.queries;
    expect((await trending({ year: 1961 }, { select: { title: true } })).items).toEqual([{ title: "Solaris" }]);
    await expect(trending({ year: 1 })).rejects.toMatchObject({ code: "VALIDATION_FAILED", status: 422 });
  });

  test("rejects filters by fields that the caller can't read", async () => {
    const filter = { email: { startsWith: "j" } };
    await expect(connect().author.list({ filter })).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
    expect((await connect("reader").author.list({ filter, select: { name: true } })).items).toEqual([
      { name: "Jane Austen" },
    ]);
  });
}
