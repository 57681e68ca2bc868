import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  allow,
  allOf,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  hasScope,
  owner,
  silentLog,
} from "../../src/index.ts";
import type { ApiOptions } from "../../src/api/api-types.ts";
import { accessPrincipals, accessTable } from "../../src/explain/explain.ts";
import { csv } from "../../src/rest/formats/csv.ts";
import { describeAccess } from "../../src/model/access/describe-access.ts";
import { request } from "../request.ts";

const KEY = "k".repeat(24);
const author = defineResource("author", {
  description: "A person who writes.",
  fields: { id: z.int32(), name: z.string().min(1).max(200) },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string().min(1).max(300),
    genre: z.enum(["novel", "essay"]),
    price: z.number().nonnegative().nullable().meta({ description: "In euros." }),
    authorId: z.int32(),
    ownerId: z.string(),
    languages: z.array(z.string()).max(5).default([]),
    margin: z.number().nullable(),
  },
  internal: ["margin"],
  relations: { author: belongsTo("author", "authorId") },
  filterable: ["title"],
  access: {
    read: allow,
    create: hasRole("editor", "admin"),
    update: allOf(hasScope("books:write"), owner("ownerId")),
    delete: hasRole("admin"),
    fields: { price: { read: hasRole("editor") } },
  },
  actions: {
    publish: { on: "item", input: z.object({ at: z.iso.date() }), access: hasRole("editor"), run: () => {} },
    burn: { on: "item", access: deny, run: () => {} },
  },
  queries: {
    cheap: { on: "collection", input: z.object({ below: z.number() }), access: allow, run: () => ({}) },
  },
});
const secret = defineResource("secret", {
  fields: { id: z.int32() },
  access: { read: deny, create: deny, update: deny, delete: deny },
});

type Options = Partial<Omit<ApiOptions<readonly [typeof author, typeof book, typeof secret]>, "resources">>;

function start(options: Options = {}) {
  return defineApi({
    resources: [author, book, secret],
    auth: apiKeys({ [KEY]: { id: "ann", roles: ["editor"] } }),
    log: silentLog,
    ...options,
  });
}

async function get(api: ReturnType<typeof start>, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await api.handle(request("GET", path, { headers: { accept: "text/html", ...headers } }));
  const { status = 404, headers: own = {}, body = null } = response ?? {};
  return { status, headers: own, text: typeof body === "string" ? body : "" };
}

/** The text of a page, with a space in the place of each tag. */
function textOf(html: string): string {
  return html
    .replaceAll(/<wbr>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the pages of the schema", () => {
  test("list the resources with their name in each style", async () => {
    const { status, text } = await get(start({ explain: false }), "/-/schema");
    expect(status).toBe(200);
    expect(text).toContain('<a href="/-/schema/books">Books</a>');
    expect(textOf(text)).toContain("Authors /authors Author A person who writes. 2 fields, 1 relation: Book");
    expect(textOf(text)).not.toMatch(/secret/i);
  });

  test.each([
    ["a field, with its type in each style", "title required filter string String! 1 to 300 characters"],
    ["a reference", "authorId required integer ID! References Author ."],
    ["values, and a field that can be null or hidden", 'genre required "novel" | "essay" BookGenre!'],
    ["a description and a limit", "price nullable number | null Float In euros. At least 0"],
    ["a default", "languages string[] [String!]! At most 5 items Default: []"],
    [
      "a relation",
      "author one: Author by authorId GET /books?include=author GET /books/{id}/author → Author author : Author",
    ],
    [
      "an operation",
      "Create POST /books CreateBook → Book createBook (input: CreateBookInput!, idempotencyKey) : Book",
    ],
    ["parameters", "List GET /books ?filter&fields&include&page&count → Book[] books (filter: BookFilter, first,"],
    [
      "an action",
      "Publish POST /books/{id}/publish { at: string (date) } → Book publishBook (id: ID!, input: PublishBookInput!,",
    ],
    ["a query", "Cheap GET /books/cheap ?below → Book[] cheapBooks (below: Float!, filter: BookFilter,"],
    ["the types", "GraphQL Book BookConnection BookFilter CreateBookInput UpdateBookInput ReplaceBookInput"],
  ])("show %s", async (_, words) => {
    expect(textOf((await get(start(), "/-/schema/books")).text)).toContain(words);
  });

  test("leave out what neither style offers", async () => {
    const api = start({ explain: false });
    const { text } = await get(api, "/-/schema/books");
    expect(textOf(text)).not.toMatch(/margin|burn|hasRole|Access/);
    expect((await get(api, "/-/schema/secrets")).status).toBe(404);
    expect(textOf((await get(api, "/-/schema/authors")).text)).not.toMatch(
      /CreateAuthorInput|DELETE|PATCH|UpdateAuthor|required/,
    );
  });

  test("show fields that the application added to GraphQL", async () => {
    const typeDefs = "extend type Book { rank: Int } extend type Query { motto: String! }";
    const api = start({
      graphql: {
        extend: {
          typeDefs,
          resolvers: { Query: { motto: () => "read" } },
          fields: { book: { rank: { resolve: () => 1 } } },
        },
      },
    });
    expect(textOf((await get(api, "/-/schema")).text)).toContain("Only in GraphQL motto : String!");
    expect(textOf((await get(api, "/-/schema/books")).text)).toContain("rank – Int");
  });

  test("are in the rail of each page, and mark themselves", async () => {
    const link = '<a href="/-/schema">Schema and access</a>';
    const api = start();
    for (const path of ["/", "/books", "/books/1/nothing", "/-/errors/conflict"])
      expect([path, (await get(api, path)).text]).toEqual([path, expect.stringContaining(link)]);
    expect((await get(api, "/-/schema/books")).text).toContain('<a href="/-/schema" aria-current="page">');
    expect((await get(start({ explain: false }), "/")).text).toContain('<a href="/-/schema">Schema</a>');
  });

  test.each<[environment: string, options: Options, schema: boolean, access: boolean]>([
    ["development", {}, true, true],
    ["development", { explain: false }, true, false],
    ["development", { introspection: false }, false, false],
    ["development", { developerPages: false }, false, false],
    ["development", { formats: [csv] }, false, false],
    ["production", {}, false, false],
    ["production", { introspection: true }, false, false],
    ["production", { developerPages: true }, false, false],
    ["production", { introspection: true, developerPages: true }, true, false],
    ["production", { introspection: true, developerPages: true, explain: true }, true, true],
  ])("in %s with %o: schema %s, access %s", async (environment, options, schema, access) => {
    vi.stubEnv("NODE_ENV", environment);
    // Other tests of this process may block its event loop for longer than the default of production.
    const api = start({ ...options, limits: { http: { eventLoopDelay: Infinity } } });
    for (const path of ["/-/schema", "/-/schema/books"]) {
      const { status, text } = await get(api, path);
      expect([path, status, text.includes('id="access"')]).toEqual([path, schema ? 200 : 404, access]);
      expect(text.includes("hasRole")).toBe(access && path.endsWith("books"));
    }
    expect((await get(api, "/")).text.includes("/-/schema")).toBe(schema);
    expect(api.routes.some(({ path }) => path.startsWith("/-/schema"))).toBe(schema);
  });

  test("respond only to reads", async () => {
    const api = start();
    const send = (method: string, path: string) => api.handle(request(method, path));
    expect(await send("POST", "/-/schema")).toMatchObject({ status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
    expect(await send("OPTIONS", "/-/schema/books")).toMatchObject({ status: 204 });
    expect(await send("HEAD", "/-/schema")).toMatchObject({ status: 200, body: null });
    const { headers } = await get(api, "/-/schema");
    const tagged = { "if-none-match": headers["ETag"] ?? "" };
    expect(await get(api, "/-/schema", tagged)).toMatchObject({ status: 304, text: "" });
  });

  test("stay out of shared caches, and have the policy of the other pages", async () => {
    const api = start();
    const { headers } = await get(api, "/-/schema/books");
    expect(headers).toMatchObject({
      "Cache-Control": "private, no-cache",
      Vary: expect.stringContaining("Authorization") as string,
      "Content-Security-Policy": (await get(api, "/")).headers["Content-Security-Policy"],
    });
  });
});

describe("the access rules of a page", () => {
  test("have a column for each role and scope that the rules name", async () => {
    const { text } = await get(start(), "/-/schema");
    expect(textOf(text)).toContain("Permission anonymous signed in editor admin books:write read author");
    expect(textOf(text)).toContain("npx bifocal access --role editor --role admin --scope books:write");
  });

  test("have a column for the caller", async () => {
    const { text } = await get(start(), "/-/schema/books", { authorization: `Bearer ${KEY}` });
    expect(textOf(text)).toContain("books:write ann (you) read book");
    expect(textOf(text)).toContain("create book book.access.create no no yes yes no yes");
    expect(textOf(text)).toContain('[1] ownerId eq "caller"');
  });

  test("are those of the access table, in its words", async () => {
    const api = start();
    const table = await accessTable(api, accessPrincipals({ roles: ["editor", "admin"], scopes: ["books:write"] }));
    for (const [path, resource] of [
      ["/-/schema/books", "book"],
      ["/-/schema/authors", "author"],
    ] as const) {
      const {
        lines,
        notes,
        inherited = "",
      } = describeAccess({
        rows: table.rows.filter((row) => row.resource === resource),
      });
      const text = textOf((await get(api, path)).text);
      expect(lines.length).toBeGreaterThan(3);
      for (const { right, cells, row } of lines) {
        const names = row.rules.map((rule) => rule.split(" = ")[0]);
        expect(text).toContain(` ${[right, ...names, ...cells].join(" ")} `);
        for (const rule of row.rules) expect(text).toContain(rule);
      }
      for (const note of notes) expect(text).toContain(note);
      expect(text).toContain(inherited);
    }
  });
});
