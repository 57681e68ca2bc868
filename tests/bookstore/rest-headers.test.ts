import linkHeader from "http-link-header";
import { type BareItem, parseDictionary, parseList, serializeItem, Token } from "structured-headers";
import { describe, expect, test } from "vitest";
import { onEachStore, send } from "./stores.ts";

const AUSTEN = "/authors/a0000000-0000-4000-8000-000000000001";
const BOOK = { title: "Sanditon", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 5 };

onEachStore((base) => {
  describe("Link (RFC 8288), parsed by http-link-header", () => {
    test.each([
      "/books",
      "/books?page[size]=3&sort=-price,title&count=true",
      "/books?page[size]=2&page[offset]=4",
      "/books?filter[title][icontains]=e, %3B%22e&page[size]=1",
      "/books?filter[author.name][startsWith]=J&fields=id,title,author.name&page[size]=1",
      "/authors?page[size]=1&include=books&rel[books][page][size]=1",
      `${AUSTEN}/books?page[size]=1`,
      "/reviews?page[size]=2",
      "/tags?page[size]=1",
    ])("the Link header of %s has the same pages as its JSON:API document", async (path) => {
      const header = (await send(base(), "GET", path)).headers.get("link") ?? "";
      const parsed = linkHeader.parse(header).refs.map(({ rel, uri }) => [rel, decodeURI(uri)]);
      const { body } = await send(base(), "GET", path, { headers: { accept: "application/vnd.api+json" } });
      const { links } = body as { links: Record<string, string> };
      const written = ["first", "prev", "next"].flatMap((rel) => {
        const uri = links[rel];
        return uri === undefined ? [] : [[rel, decodeURI(uri)]];
      });
      expect(parsed).toEqual(written);
    });

    test("following next from page to page returns every book once", async () => {
      const ids: string[] = [];
      for (let url: string | undefined = "/books?page[size]=3&fields=id"; url !== undefined; ) {
        const page = await send(base(), "GET", url, { as: "admin" });
        ids.push(...(page.body as { id: string }[]).map(({ id }) => id));
        const [next] = linkHeader.parse(page.headers.get("link") ?? "").rel("next");
        url = next?.uri;
      }
      const { headers } = await send(base(), "GET", "/books?count=true&page[size]=1", { as: "admin" });
      expect([ids.length, new Set(ids).size]).toEqual(Array(2).fill(Number(headers.get("total-count"))));
    });
  });

  describe("structured fields (RFC 9651), parsed by structured-headers", () => {
    test("Accept-Query is a list of media types (RFC 10008 §3)", async () => {
      const { headers } = await send(base(), "OPTIONS", "/books");
      expect(parseList(headers.get("accept-query") ?? "").map(([item]) => item)).toEqual([
        new Token("application/json"),
      ]);
    });

    test.each<[string, Record<string, BareItem>]>([
      ["/tags", { public: true, "max-age": 60 }],
      ["/books", { private: true, "no-cache": true }],
      ["/books?nothing=1", { "no-store": true }],
    ])("Cache-Control of %s is a dictionary of directives", async (path, expected) => {
      const { headers } = await send(base(), "GET", path);
      const directives = [...parseDictionary(headers.get("cache-control") ?? "")];
      expect(Object.fromEntries(directives.map(([name, [value]]) => [name, value]))).toMatchObject(expected);
    });

    test("Preference-Applied names the applied preferences (RFC 7240 §3)", async () => {
      const options = { as: "editor", body: BOOK, headers: { prefer: "return=minimal, handling=lenient" } } as const;
      const { headers } = await send(base(), "POST", "/books?utm_source=x", options);
      const applied = [...parseDictionary(headers.get("preference-applied") ?? "")];
      expect(applied.map(([name, [value]]) => [name, String(value)])).toEqual([
        ["return", "minimal"],
        ["handling", "lenient"],
      ]);
    });

    test.each(["plain", 'with "quotes" and \\', "spaces, and; commas="])(
      "Idempotency-Key accepts any string of the specification: %s",
      async (key) => {
        const options = { as: "editor", body: BOOK, headers: { "idempotency-key": serializeItem(key) } } as const;
        const first = await send(base(), "POST", "/books", options);
        const again = await send(base(), "POST", "/books", options);
        expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
        expect([again.status, again.headers.get("idempotent-replayed"), again.body]).toEqual([201, "true", first.body]);
      },
    );
  });
});
