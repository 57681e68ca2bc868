import { describe, expect, test } from "vitest";
import { send } from "../request.ts";
import { ask } from "./json-api.ts";
import { AS_ANN, createLibrary } from "./library.ts";

interface Resource {
  readonly attributes?: object;
  readonly relationships?: object;
}

function shown({ attributes = {}, relationships = {} }: Resource): readonly string[] {
  return [...Object.keys(attributes), ...Object.keys(relationships)];
}

describe("fields by type (JSON:API 1.1 §8.3)", () => {
  test.each<[query: string, books: readonly string[], authors: readonly string[]]>([
    ["fields[books]=title", ["title"], []],
    ["fields[books]=title,price&include=author", ["title", "price"], ["name", "books"]],
    ["fields[books]=author&include=author&fields[authors]=name", ["author"], ["name"]],
    [
      "fields[authors]=books&include=author",
      ["title", "isbn", "price", "words", "size", "revision", "author", "tags"],
      ["books"],
    ],
    ["fields[books]=tags", ["tags"], []],
    ["fields[books]=", [], []],
    ["fields[tags]=name", ["title", "isbn", "price", "words", "size", "revision", "author", "tags"], []],
  ])("?%s", async (query, books, authors) => {
    for (const path of ["/books/1", "/books?sort=id&page[size]=1", "/authors/1/books?sort=id&page[size]=1"]) {
      const { status, body } = await ask(createLibrary(), "GET", `${path}${path.includes("?") ? "&" : "?"}${query}`);
      expect([path, status]).toEqual([path, 200]);
      const { data, included = [] } = body as { data: Resource | Resource[]; included?: Resource[] };
      expect(shown([data].flat()[0] as Resource)).toEqual(books);
      expect(included.map(shown)).toEqual(authors.length === 0 ? [] : [authors]);
    }
  });

  test("includes the linkage of a selected relationship", async () => {
    const { body } = await ask(createLibrary(), "GET", "/books/1?fields[books]=author");
    expect(body).toMatchObject({ data: { relationships: { author: { data: { type: "authors", id: "1" } } } } });
  });

  test("?fields applies to responses of writes too", async () => {
    const data = { type: "books", id: "9", attributes: { title: "x", price: 1 } };
    const { status, body } = await ask(createLibrary(), "POST", "/books?fields[books]=title", { data });
    expect([status, shown((body as { data: Resource }).data)]).toEqual([201, ["title"]]);
  });

  test.each([
    ["fields[book]=title", "fields[book]", "books"],
    ["fields[books]=titel", "fields[books]", "title"],
    ["fields[books]=id", "fields[books]", "id"],
    ["fields[books]=authorId", "fields[books]", "relationship"],
    ["fields[books]=title,,price", "fields[books]", "empty"],
  ])("rejects ?%s by name", async (query, parameter, said) => {
    const { status, body } = await ask(createLibrary(), "GET", `/books?${query}`);
    const { errors } = body as { errors: { detail: string; source: object }[] };
    expect([status, errors[0]?.source]).toEqual([400, { parameter }]);
    expect(errors[0]?.detail).toContain(said);
  });

  test("rejects an unreadable field that is named, only for callers who cannot read it", async () => {
    const query = "/books/1?include=author&fields[authors]=email";
    expect((await ask(createLibrary(), "GET", query)).status).toBe(403);
    expect((await ask(createLibrary(), "GET", query, undefined, AS_ANN)).body).toMatchObject({
      included: [{ attributes: { email: "jane@example.com" } }],
    });
  });

  test("other formats take one list of fields, and JSON:API accepts it too", async () => {
    expect((await send(createLibrary(), "GET", "/books?fields[books]=title")).status).toBe(400);
    const { body } = await ask(createLibrary(), "GET", "/books/1?fields=title");
    expect((body as { data: Resource }).data.attributes).toEqual({ title: "Emma" });
  });
});
