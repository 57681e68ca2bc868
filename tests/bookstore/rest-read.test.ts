import { describe, expect, test } from "vitest";
import { onEachStore, send } from "./stores.ts";

const AUSTEN = "/authors/a0000000-0000-4000-8000-000000000001";
const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const DRAFT = "/books/b0000000-0000-4000-8000-000000000012";

onEachStore((base, host) => {
  const titles = async (query: string): Promise<string[]> => {
    const { status, body } = await send(base(), "GET", `/books?${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body as { title: string }[]).map(({ title }) => title);
  };

  test("lists the collections in the index", async () => {
    const { body } = await send(base(), "GET", "/");
    expect(body).toMatchObject({ title: "Bookstore", collections: { books: "/books", tags: "/tags" } });
  });

  test("returns an item with an ETag, and 304 for a matching If-None-Match", async () => {
    const { status, body, headers } = await send(base(), "GET", EMMA);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: "b0000000-0000-4000-8000-000000000001",
      title: "Emma",
      authorId: "a0000000-0000-4000-8000-000000000001",
      genre: "novel",
      price: 12.5,
      publishedAt: "1815-12-23",
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      isDraft: false,
      averageStars: 4.5,
      priceInDollars: 13.75,
    });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toBe(`${host?.vary ?? ""}Accept, Authorization, X-API-Key`);
    const tag = headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{27}\.[\w-]{27}"$/);
    const again = await send(base(), "GET", EMMA, { headers: { "if-none-match": `"other", W/${tag}` } });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, tag]);
  });

  test("omits a field that the caller cannot read, and shows it to a caller who can", async () => {
    expect((await send(base(), "GET", AUSTEN)).body).not.toHaveProperty("email");
    expect((await send(base(), "GET", AUSTEN, { as: "reader" })).body).toHaveProperty("email", "jane@example.com");
    const named = await send(base(), "GET", `${AUSTEN}?fields=name,email`);
    expect(named).toMatchObject({ status: 403, body: { code: "FORBIDDEN", errors: [{ path: ["fields", "email"] }] } });
  });

  test("returns the same 404 for a hidden row as for a missing one", async () => {
    const hidden = await send(base(), "GET", DRAFT);
    const absent = await send(base(), "GET", DRAFT.replace("12", "99"));
    expect(hidden.status).toBe(404);
    expect({ ...(hidden.body as object), instance: "" }).toEqual({ ...(absent.body as object), instance: "" });
    expect((await send(base(), "GET", DRAFT, { as: "editor" })).status).toBe(200);
    expect((await send(base(), "GET", "/books/no-uuid")).status).toBe(404);
  });

  describe("lists", () => {
    test.each([
      ["filter[title]=Emma", ["Emma"]],
      ["filter[price][gte]=14&sort=-price", ["Steering the Craft", "Odyssey", "The Left Hand of Darkness"]],
      ["filter[genre][in]=poem&filter[genre][in]=essay&sort=title", ["Odyssey", "Poems", "Steering the Craft"]],
      ["filter[author.name][startsWith]=Mary", ["Frankenstein"]],
      ["filter[author][name][startsWith]=Mary", ["Frankenstein"]],
      ["filter[reviews][some][stars][lt]=3", ["Odyssey"]],
      [
        "filter[or][0][price][lt]=8&filter[or][1][tags][some][slug]=fantasy&sort=price",
        ["Poems", "A Wizard of Earthsea"],
      ],
      ["filter[not][genre]=novel&sort=title&page[size]=2", ["Odyssey", "Poems"]],
      ["filter[title][icontains]=PRIDE+and", ["Pride and Prejudice"]],
      ["sort=author.name,title&page[size]=3", ["Poems", "Odyssey", "Emma"]],
      ["sort=publishedAt&page[size]=1", ["Odyssey"]],
    ])("?%s", async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    test("links pages in both directions, and counts them", async () => {
      const seen: string[] = [];
      let next: string | undefined = "/books?sort=-price&page[size]=4&count=true";
      let previous: string | undefined;
      for (let page = 0; next !== undefined && page < 9; page++) {
        const { body, headers } = await send(base(), "GET", next);
        seen.push(...(body as { title: string }[]).map(({ title }) => title));
        expect(headers.get("total-count")).toBe("11");
        const link = headers.get("link") ?? "";
        previous = /<([^>]*)>; rel="prev"/.exec(link)?.[1];
        next = /<([^>]*)>; rel="next"/.exec(link)?.[1];
      }
      expect(seen).toHaveLength(11);
      expect(new Set(seen).size).toBe(11);
      const { body } = await send(base(), "GET", previous ?? "");
      expect((body as { title: string }[]).map(({ title }) => title)).toEqual(seen.slice(4, 8));
    });

    test("pages by offset", async () => {
      expect(await titles("sort=title&page[offset]=9")).toEqual(["The Cyberiad", "The Left Hand of Darkness"]);
    });

    test("shapes rows by fields, include and rel", async () => {
      const query =
        "fields=title,author.name&include=reviews&rel[reviews][filter][stars][gte]=5&rel[reviews][page][size]=1";
      const { body } = await send(base(), "GET", `/books?filter[title]=Emma&${query}`);
      expect(body).toMatchObject([
        { title: "Emma", author: { name: "Jane Austen" }, reviews: [{ stars: 5, reviewer: "reader" }] },
      ]);
      expect(Object.keys((body as object[])[0] ?? {}).sort()).toEqual(["author", "reviews", "title"]);
    });

    test("accepts the same parameters for nested collections", async () => {
      const { body, headers } = await send(
        base(),
        "GET",
        `${AUSTEN}/books?sort=price&page[size]=2&count=true&fields=title`,
      );
      expect(body).toEqual([{ title: "Pride and Prejudice" }, { title: "Persuasion" }]);
      expect(headers.get("total-count")).toBe("3");
      const next = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      expect((await send(base(), "GET", next)).body).toEqual([{ title: "Emma" }]);
      expect((await send(base(), "GET", `${EMMA}/author`)).body).toMatchObject({ name: "Jane Austen" });
      expect((await send(base(), "GET", `${EMMA}/tags`)).body).toHaveLength(2);
    });

    test("sends the declared cache settings", async () => {
      expect((await send(base(), "GET", "/tags")).headers.get("cache-control")).toBe("public, max-age=60");
      expect((await send(base(), "GET", "/books")).headers.get("cache-control")).toBe("private, no-cache");
    });
  });

  test("responds to HEAD and OPTIONS", async () => {
    const got = await send(base(), "GET", "/books");
    const head = await send(base(), "HEAD", "/books");
    expect([head.status, head.body]).toEqual([200, undefined]);
    const length = host?.lacksLength === true ? [] : ["content-length"];
    for (const name of ["etag", "content-type", "link", ...length]) {
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    const options = await send(base(), "OPTIONS", EMMA);
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]);
    expect(options.headers.get("accept-patch")).toBe(
      "application/merge-patch+json, application/json-patch+json, application/json, application/vnd.api+json",
    );
  });
});
