import { startBookstore } from "@bifocal/example-bookstore/start";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS, type Role } from "./stores.ts";

const AUTHOR = "a0000000-0000-4000-8000-000000000003";
const BOOK = "b0000000-0000-4000-8000-000000000007";

/** Reads of every kind, by each of these callers. */
const PATHS: readonly string[] = [
  "/",
  "/authors?count=true",
  `/authors/${AUTHOR}`,
  `/authors/${AUTHOR}?include=books&rel[books][sort]=-price,title&rel[books][page][size]=3`,
  `/authors/${AUTHOR}/books?sort=-publishedAt&count=true`,
  "/authors?sort=-born,name&page[size]=5",
  "/authors?filter[name][icontains]=é&sort=name",
  "/authors?filter[books][some][genre]=poem&include=books",
  "/authors?filter[bookCount][gte]=3&sort=-bookCount,name&fields=name,bookCount&include=books",
  "/authors?filter[books][none][price][gt]=40",
  "/books?page[size]=100",
  "/books?sort=-price,author.name&fields=id,title,author.name&include=author,reviews",
  "/books?sort=author.born,-title&page[size]=7&page[offset]=5",
  "/books?filter[or][0][price][lt]=10&filter[or][1][tags][some][slug]=sale&count=true",
  "/books?filter[not][genre][in]=novel&filter[not][genre][in]=poem&sort=genre",
  "/books?filter[publishedAt][between]=1980-01-01&filter[publishedAt][between]=2000-12-31",
  "/books?filter[title][startsWith]=The%20S&filter[author][born][isNull]=true",
  "/books?filter[reviews][some][stars][gte]=4&include=reviews,tags&rel[reviews][sort]=-stars",
  `/books/${BOOK}?include=author,reviews,tags`,
  `/books/${BOOK}/tags`,
  `/books/${BOOK}/author`,
  "/books/b0000000-0000-4000-8000-999999999999",
  "/books?filter[cost]=1",
  "/reviews?sort=-createdAt&page[size]=30",
  "/reviews?filter[reviewer]=reader-1&sort=stars,-createdAt",
  "/tags?include=books&rel[books][page][size]=2&sort=-name",
  "/tags/classic/books?sort=title&count=true",
  "/sales?sort=-total,createdAt&include=book,shop&page[size]=20&count=true",
  "/sales?aggregate=count,sum.quantity,sum.total,max.total&group=book.genre&sort=-sum.total",
  "/shops?fields=slug,revenue&sort=name",
];

const DOCUMENTS: readonly string[] = [
  "{ authors(first: 50, sort: [NAME_ASC]) { totalCount nodes { id name born books(first: 3, sort: [PRICE_DESC]) { totalCount nodes { title price author { name } } pageInfo { hasNextPage endCursor } } } } }",
  "{ books(last: 5, sort: [PUBLISHED_AT_DESC]) { edges { cursor node { id title publishedAt tags { nodes { slug name } } } } pageInfo { startCursor hasPreviousPage } } }",
  '{ books(filter: { author: { name: { contains: "a" } }, not: { genre: { eq: novel } } }, first: 9) { nodes { title genre price createdAt reviews(first: 2) { nodes { stars text } } } } }',
  `{ book(id: "${BOOK}") { title author { name email } reviews { nodes { reviewer stars } } } }`,
];

const CALLERS: readonly (Role | undefined)[] = [undefined, "admin"];

interface Bookstore {
  readonly name: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function start(name: string, url: string | undefined): Promise<Bookstore> {
  const store = url === undefined ? undefined : sqlStore({ url, autoCreate: true, max: 4 });
  const started = await startBookstore({
    adapter: "node-http",
    port: 0,
    keys: KEYS,
    seed: "60x15",
    secret: "s",
    store,
  });
  return { name, url: started.url, close: started.close };
}

async function bytesOf(base: string, path: string, as: Role | undefined, query: string | undefined): Promise<string> {
  const response = await fetch(base + path, {
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${KEYS[as]}` }),
      ...(query === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(query === undefined ? {} : { method: "POST", body: JSON.stringify({ query }) }),
  });
  const headers = ["etag", "link", "total-count", "cache-control", "content-type", "vary"]
    .map((name) => `${name}: ${response.headers.get(name) ?? ""}`)
    .join("\n");
  // Only their addresses differ.
  return `${response.status}\n${headers}\n${await response.text()}`.replaceAll(base, "BASE");
}

const ETAG = /etag: .*/;

function withoutTags(answers: readonly string[]): readonly string[] {
  return answers.map((answer) => answer.replace(ETAG, ""));
}

describe("every store returns the same bytes", () => {
  const databases: TestDatabase[] = [];
  let memory: Bookstore;
  let others: readonly Bookstore[] = [];
  beforeAll(async () => {
    memory = await start("memory", undefined);
    others = await Promise.all(
      servers
        .filter(({ missing }) => missing === undefined)
        .map(async ({ name, create }) => {
          const database = await create();
          databases.push(database);
          return start(name, database.url);
        }),
    );
  }, 60_000);
  afterAll(async () => {
    for (const one of [memory, ...others]) await one?.close();
    for (const one of databases) await one.drop();
  });

  const asked = [
    ...PATHS.map((path) => [path, undefined] as const),
    ...DOCUMENTS.map((text) => ["/graphql", text] as const),
  ];
  for (const as of CALLERS) {
    test.each(asked)(`${as ?? "anonymous"}: %s %s`, async (path, query) => {
      const expected = await bytesOf(memory.url, path, as, query);
      expect(expected).not.toMatch(/^5/);
      const said = await Promise.all(others.map(async ({ url }) => bytesOf(url, path, as, query)));
      for (const [at, { name }] of others.entries()) {
        // The version of a complete list uses the stored texts of its rows, which only the memory store has.
        expect({ name, said: said[at]?.replace(ETAG, "") }).toEqual({ name, said: expected.replace(ETAG, "") });
        expect({ name, tag: ETAG.exec(said[at] ?? "")?.[0] }).toEqual({ name, tag: ETAG.exec(said[0] ?? "")?.[0] });
      }
    });
  }

  test("pages to the end and back", async () => {
    const walk = async (base: string): Promise<readonly string[]> => {
      const pages: string[] = [];
      let path = "/books?sort=author.name,-price&page[size]=9&include=author";
      for (const way of ["next", "prev"]) {
        for (;;) {
          pages.push(await bytesOf(base, path, "admin", undefined));
          const link = new RegExp(`<(?:https?://[^/>]+)?([^>]+)>; rel="?${way}"?`).exec(pages.at(-1) ?? "")?.[1];
          if (link === undefined) break;
          path = link.replace("BASE", "");
        }
      }
      return pages;
    };
    const expected = await walk(memory.url);
    expect(expected.length).toBeGreaterThan(12);
    for (const { name, url } of others) {
      expect({ name, said: withoutTags(await walk(url)) }).toEqual({ name, said: withoutTags(expected) });
    }
  });
});
