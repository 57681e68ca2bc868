import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  functionStore,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  type OperationName,
  type Rule,
  silentLog,
  type StyleOperations,
} from "@bifocal/core";
import { hal, htmlPages, jsonApi } from "@bifocal/core/formats";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, request, send } from "./request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const text = async (
  api: { handle: ReturnType<typeof shop>["handle"] },
  url: string,
  accept: string,
): Promise<string> => {
  const response = await api.handle(request("GET", url, { headers: { accept } }));
  return response?.body as string;
};

interface Options {
  readonly operations?: readonly OperationName[] | StyleOperations | undefined;
  readonly access?: Partial<Record<"read" | "create" | "update" | "delete", Rule>>;
  readonly publish?: Rule;
  readonly link?: Rule;
  readonly globalIds?: boolean;
}

/** Authors and tags offer everything; books what the test says. */
function shop({ operations, access = {}, publish = allow, link = allow, globalIds = false }: Options = {}) {
  const author = defineResource("author", {
    fields: { id: z.int32(), name: z.string() },
    relations: { books: hasMany("book", "authorId", { creates: 5 }) },
    access: open,
    filterable: ["name"],
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
    relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
    access: { ...open, ...access, relations: { tags: { link } } },
    ...(operations === undefined ? {} : { operations }),
    actions: { publish: { on: "item", access: publish, run: () => undefined } },
    bulk: { create: 5, update: 5, delete: 5 },
    filterable: ["title"],
    sortable: ["title"],
  });
  const tag = defineResource("tag", { fields: { id: z.int32() }, access: open });
  const data = {
    author: [{ id: 1, name: "Ann" }],
    book: [{ id: 1, title: "Emma", authorId: 1 }],
    tag: [{ id: 1 }],
    book_tag: [],
  };
  return defineApi({
    resources: [author, book, tag],
    store: memoryStore({ data }),
    formats: [htmlPages, hal, jsonApi],
    graphql: { globalIds },
    log: silentLog,
    warnings: false,
  });
}

const REQUESTS: readonly (readonly [OperationName, string, string])[] = [
  ["get", "GET", "/books/1"],
  ["list", "GET", "/books"],
  ["list", "QUERY", "/books"],
  ["create", "POST", "/books"],
  ["create", "POST", "/authors/1/books"],
  ["replace", "PUT", "/books/1"],
  ["update", "PATCH", "/books/1"],
  ["delete", "DELETE", "/books/1"],
  ["updateMany", "PATCH", "/books"],
  ["deleteMany", "DELETE", "/books"],
  ["link", "PUT", "/books/1/tags/1"],
  ["unlink", "DELETE", "/books/1/tags/1"],
];
const FIELDS: readonly (readonly [OperationName, RegExp])[] = [
  ["get", /^ {2}book\(/m],
  ["list", /^ {2}books\([^}]*\): BookConnection!/m],
  ["create", /^ {2}createBook\(/m],
  ["createMany", /^ {2}createBooks\(/m],
  ["replace", /^ {2}replaceBook\(/m],
  ["update", /^ {2}updateBook\(/m],
  ["updateMany", /^ {2}updateBooks\(/m],
  ["delete", /^ {2}deleteBook\(/m],
  ["deleteMany", /^ {2}deleteBooks\(/m],
  ["link", /^ {2}linkBookTag\(/m],
  ["unlink", /^ {2}unlinkBookTag\(/m],
  ["watch", /^ {2}bookCreated\(/m],
];
const ALL = [...new Set(FIELDS.map(([name]) => name))];

/** The names of the operations that each style offers. `create` and `createMany` share one REST route. */
async function offered(api: ReturnType<typeof shop>): Promise<{ rest: string[]; graphql: string[] }> {
  const rest = new Set<string>();
  for (const [name, method, url] of REQUESTS) {
    const { headers } = await send(api, "OPTIONS", url);
    if (headers["Allow"]?.split(", ").includes(method)) rest.add(name);
  }
  const sdl = api.graphql.sdl();
  // A root field: the list of an author's books is one of its relations.
  const roots = /^type Query \{[^]*?^\}|^type Mutation \{[^]*?^\}|^type Subscription \{[^]*?^\}/gm;
  const fields = (sdl.match(roots) ?? []).join("\n").replaceAll(/^ *"""[^]*?"""\n/gm, "");
  return { rest: [...rest], graphql: FIELDS.flatMap(([name, pattern]) => (pattern.test(fields) ? [name] : [])) };
}
const ofRest = (names: readonly string[]): string[] =>
  [...new Set(REQUESTS.map(([name]) => name))].filter((name) => names.includes(name));

test("every operation is offered by default", async () => {
  expect(await offered(shop())).toEqual({ rest: ofRest(ALL), graphql: ALL });
});

test.each<[what: string, operations: Options["operations"], rest: readonly string[], graphql: readonly string[]]>([
  ["one list for both styles", ["get", "list", "create"], ["get", "list", "create"], ["get", "list", "create"]],
  ["a list for each style", { rest: ["get"], graphql: ["list", "watch"] }, ["get"], ["list", "watch"]],
  ["a list for one style", { graphql: ["list"] }, ofRest(ALL), ["list"]],
  ["an empty list", [], [], []],
  [
    "writes of single rows",
    ["update", "delete", "replace"],
    ["replace", "update", "delete"],
    ["replace", "update", "delete"],
  ],
  ["bulk writes", ["updateMany", "deleteMany"], ["updateMany", "deleteMany"], ["updateMany", "deleteMany"]],
  ["one direction of links", ["get", "unlink"], ["get", "unlink"], ["get", "unlink"]],
])("offers %s", async (_what, operations, rest, graphql) => {
  expect(await offered(shop({ operations }))).toEqual({ rest, graphql });
});

test.each<[rule: string, options: Options, without: readonly OperationName[]]>([
  ["create", { access: { create: deny } }, ["create", "createMany"]],
  ["update", { access: { update: deny } }, ["replace", "update", "updateMany"]],
  ["delete", { access: { delete: deny } }, ["delete", "deleteMany"]],
  ["link of a relation", { link: deny }, ["link", "unlink"]],
  [
    "read",
    { access: { read: deny } },
    ["get", "list", "watch", "replace", "update", "updateMany", "delete", "deleteMany", "link", "unlink"],
  ],
])("a %s rule that is `deny` removes its operations", async (_rule, options, without) => {
  const rest = ALL.filter((name) => !without.includes(name));
  expect(await offered(shop(options))).toEqual({ rest: ofRest(rest), graphql: rest });
});

test("a rule that could allow keeps its operations", async () => {
  const never = (): boolean => false;
  const api = shop({ access: { create: never, update: hasRole("nobody") } });
  expect(await offered(api)).toEqual({ rest: ofRest(ALL), graphql: ALL });
  expect(await send(api, "POST", "/books", { body: { id: 2, title: "A", authorId: 1 } })).toMatchObject({
    status: 401,
  });
});

describe("REST", () => {
  test("returns 405 with the methods that are left, and 404 if there is none", async () => {
    const api = shop({ operations: ["list", "update"] });
    expect(await send(api, "POST", "/books", { body: {} })).toMatchObject({
      status: 405,
      headers: { Allow: "GET, HEAD, QUERY, OPTIONS" },
    });
    expect(await send(api, "GET", "/books/1")).toMatchObject({ status: 405, headers: { Allow: "PATCH, OPTIONS" } });
    expect(await send(api, "OPTIONS", "/books/1")).toMatchObject({
      headers: { Allow: "PATCH, OPTIONS", "Accept-Patch": expect.stringContaining("json-patch") as string },
    });
    const rest = shop({ operations: ["list"] });
    for (const method of ["GET", "PATCH", "OPTIONS"]) {
      expect(await send(rest, method, "/books/1", { body: {} })).toMatchObject({ status: 404 });
    }
    const { body } = await send(rest, "GET", "/books/1");
    expect(body).toMatchObject({ detail: expect.stringContaining("Available: /books, /books/{id}/author") as string });
  });

  test("a resource without any operation looks like a path that never was", async () => {
    const hidden = defineResource("secret", { fields: { id: z.int32() }, access: open, operations: [] });
    const seen = defineResource("seen", { fields: { id: z.int32() }, access: open });
    const api = defineApi({ resources: [hidden, seen], store: memoryStore({ data: { secret: [{ id: 1 }] } }) });
    expect(await api.handle(request("GET", "/secrets"))).toBeNull();
    expect(await api.handle(request("GET", "/secrets/1"))).toBeNull();
    expect(api.routes.some(({ path }) => path.includes("secret"))).toBe(false);
    expect(JSON.stringify(api.openapi("", "3.2", "all"))).not.toMatch(/secret/i);
    expect(api.graphql.sdl()).not.toMatch(/secret/i);
    expect(await api.local.secret.get(1)).toEqual({ id: 1 });
    await api.local.secret.create({ id: 2 });
    expect((await api.local.secret.list()).items).toHaveLength(2);
  });

  test("a list of new rows needs `createMany`, and a single one `create`", async () => {
    const row = (id: number): object => ({ id, title: "A", authorId: 1 });
    const many = shop({ operations: ["list", "createMany"] });
    expect(await send(many, "POST", "/books", { body: [row(2), row(3)] })).toMatchObject({ status: 201 });
    expect(await send(many, "POST", "/books", { body: row(4) })).toMatchObject({ status: 422 });
    expect(await send(many, "POST", "/authors/1/books", { body: [{ id: 5, title: "B" }] })).toMatchObject({
      status: 201,
    });
    const one = shop({ operations: ["list", "create"] });
    expect(await send(one, "POST", "/books", { body: [row(2)] })).toMatchObject({ status: 422 });
    const created = await send(one, "POST", "/books", { body: row(2) });
    expect(created).toMatchObject({ status: 201 });
    // The new row has no URL.
    expect(created.headers).not.toHaveProperty("Location");
    expect((await send(shop(), "POST", "/books", { body: row(2) })).headers).toMatchObject({ Location: "/books/2" });
  });

  test("reads along relations don't depend on the operations of their target", async () => {
    const api = shop({ operations: [] });
    expect(await send(api, "GET", "/authors/1/books")).toMatchObject({ body: [{ title: "Emma" }] });
    expect(await send(api, "GET", "/authors/1?include=books")).toMatchObject({ body: { books: [{ title: "Emma" }] } });
    expect(await send(api, "POST", "/authors/1/books", { body: { id: 9, title: "B" } })).toMatchObject({ status: 405 });
    const denied = shop({ access: { read: deny } });
    expect(await send(denied, "GET", "/authors/1/books")).toMatchObject({
      status: 405,
      headers: { Allow: "POST, OPTIONS" },
    });
  });

  test("event streams need `watch`", async () => {
    const api = shop({ operations: ["get", "list"] });
    const accept = "text/event-stream";
    expect(await send(api, "GET", "/books", { headers: { accept } })).toMatchObject({ status: 406 });
    expect(await send(api, "GET", "/books/1", { headers: { accept } })).toMatchObject({ status: 406 });
  });

  test("actions are kept unless their rule is `deny`", async () => {
    expect((await send(shop({ operations: [] }), "POST", "/books/1/publish")).status).toBe(200);
    expect((await send(shop({ publish: deny }), "POST", "/books/1/publish")).status).toBe(404);
    expect(shop({ publish: deny }).graphql.sdl()).not.toContain("publishBook");
    // Without a visible row, an item action can't run.
    expect(shop({ access: { read: deny } }).graphql.sdl()).not.toContain("publishBook");
  });

  test("OpenAPI and the index describe only what is left", async () => {
    const api = shop({ operations: ["get", "create"], publish: deny });
    const { paths, components } = api.openapi("", "3.1", "all") as {
      paths: Record<string, object>;
      components: { schemas: object };
    };
    expect(Object.keys(paths["/books"] ?? {})).toEqual(["post"]);
    expect(Object.keys(paths["/books/{id}"] ?? {})).toEqual(["parameters", "get"]);
    expect(paths).not.toHaveProperty(["/books/{id}/tags/{tagId}"]);
    expect(paths).not.toHaveProperty(["/books/{id}/publish"]);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(["Book", "CreateBook", "UpdateAuthor"]));
    expect(components.schemas).not.toHaveProperty("UpdateBook");
    expect(components.schemas).not.toHaveProperty("ReplaceBook");
    expect(JSON.stringify(paths["/books/{id}"])).not.toContain("text/event-stream");
    expect((await send(api, "GET", "/")).body).toMatchObject({ collections: { authors: "/authors", tags: "/tags" } });
    expect(JSON.stringify((await send(api, "GET", "/")).body)).not.toContain("books");
  });

  test("the documents link only to readable resources", async () => {
    const listed = shop({ operations: ["list"] });
    const page = await text(listed, "/books", "text/html");
    expect(page).not.toMatch(/href="\/books\/1"|data-events|<form class="write" id="create"/);
    expect(page).toContain('href="/books/1/tags"');
    expect(await text(listed, "/authors/1?include=books", "text/html")).not.toContain('href="/books/1"');
    expect(await text(shop(), "/books", "text/html")).toMatch(/href="\/books\/1"[^]*id="create"[^]*data-events/);
    const item = await text(shop({ operations: ["get"] }), "/books/1", "text/html");
    expect(item).not.toMatch(/href="\/books"|data-events|id="update"|id="delete"/);
    const unlisted = await text(shop({ operations: ["get", "delete"] }), "/books/1", "text/html");
    expect(unlisted).toMatch(/id="delete"[^>]*data-next="\/"/);
    expect(JSON.parse(await text(listed, "/books", "application/hal+json"))).toMatchObject({
      _embedded: { books: [{ _links: { author: { href: "/books/1/author" } } }] },
    });
    expect(await text(listed, "/books", "application/hal+json")).not.toContain('"/books/1"');
    expect(await text(listed, "/books", "application/vnd.api+json")).not.toContain('"/books/1"');
    const denied = shop({ access: { read: deny } });
    expect(await text(denied, "/authors/1", "application/vnd.api+json")).not.toContain("/authors/1/books");
    expect(await text(denied, "/authors/1", "application/hal+json")).not.toContain("/authors/1/books");
  });

  test("the relationships of JSON:API follow `link`, `unlink` and `update`", async () => {
    const headers = { "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" };
    const body = { data: [{ type: "tags", id: "1" }] };
    const path = "/books/1/relationships/tags";
    expect((await send(shop(), "POST", path, { headers, body })).status).toBe(204);
    const api = shop({ operations: ["get", "unlink"] });
    expect((await send(api, "POST", path, { headers, body })).status).toBe(403);
    expect((await send(api, "DELETE", path, { headers, body })).status).toBe(204);
    const author = { data: { type: "authors", id: "1" } };
    expect((await send(api, "PATCH", "/books/1/relationships/author", { headers, body: author })).status).toBe(403);
  });
});

describe("GraphQL", () => {
  const typeOf = (sdl: string, name: string): string =>
    new RegExp(`^(type|input) ${name} [^]*?^}`, "m").exec(sdl)?.[0] ?? "";

  test("`node(id)` finds rows of resources that offer `get`", async () => {
    const id = Buffer.from("Book:1").toString("base64url");
    const query = `{ node(id: "${id}") { id } }`;
    expect(await ask(shop({ globalIds: true }), query)).toEqual({ data: { node: { id } } });
    expect(await ask(shop({ operations: ["list"], globalIds: true }), query)).toEqual({ data: { node: null } });
    expect(typeOf(shop({ operations: ["list"], globalIds: true }).graphql.sdl(), "Book")).toMatch(/^type Book \{/);
  });

  test("has no types without a use, and no root type without a field", () => {
    const sdl = shop({ operations: ["get"], publish: deny }).graphql.sdl();
    expect(sdl).not.toMatch(/\b(Update|Replace|Deleted)Book/);
    const note = defineResource("note", { fields: { id: z.int32() }, access: open, operations: ["list"] });
    const { graphql } = defineApi({ resources: [note], store: memoryStore() });
    expect(graphql.sdl()).not.toMatch(/Mutation|Subscription|input/);
    expect(graphql.schema.getMutationType()).toBeFalsy();
  });

  test("a host can add mutations to an API that has none", async () => {
    const note = defineResource("note", { fields: { id: z.int32() }, access: open, operations: ["list"] });
    const extend = {
      typeDefs: "extend type Mutation { ping: String! }",
      resolvers: { Mutation: { ping: () => "pong" } },
    };
    const api = defineApi({ resources: [note], store: memoryStore(), graphql: { extend } });
    expect(api.graphql.schema.getSubscriptionType()).toBeFalsy();
    expect(await ask(api, "mutation { ping }")).toEqual({ data: { ping: "pong" } });
  });

  test("keeps nested creates, unless the target's create rule is `deny`", async () => {
    const nested = `mutation { createAuthor(input: { id: 2, name: "B", books: [{ id: 7, title: "N" }] }) { name } }`;
    expect(await ask(shop({ operations: [] }), nested)).toEqual({ data: { createAuthor: { name: "B" } } });
    const denied = shop({ access: { create: deny } });
    expect(typeOf(denied.graphql.sdl(), "CreateAuthorInput")).not.toContain("books");
    expect(JSON.stringify(denied.openapi())).not.toContain("CreateAuthor_books");
  });

  test("has no relation, filter or sort to rows that are denied to everyone", () => {
    const sdl = shop({ access: { read: deny } }).graphql.sdl();
    expect(typeOf(sdl, "Author")).not.toContain("books");
    expect(typeOf(sdl, "AuthorFilter")).not.toContain("books");
    expect(typeOf(sdl, "AuthorFilter")).toContain("name");
  });

  test("needs a query", () => {
    const only = (access: Partial<typeof open>, operations?: readonly OperationName[]) => () =>
      defineApi({
        resources: [
          defineResource("note", {
            fields: { id: z.int32() },
            access: { ...open, ...access },
            ...(operations === undefined ? {} : { operations }),
          }),
        ],
      });
    expect(only({ read: deny as never })).toThrow(/GraphQL needs at least one query/);
    expect(only({}, ["create", "watch"])).toThrow(/Add one to 'operations'/);
  });
});

describe("local calls", () => {
  test("have every operation", async () => {
    const api = shop({ operations: [], access: { create: deny, update: deny, delete: deny } });
    const { book } = api.as(asSystem("a test"));
    await book.create({ id: 2, title: "B", authorId: 1 });
    await book.update(2, { title: "C" });
    await book.createMany([{ id: 3, title: "D", authorId: 1 }]);
    await book.link(2, "tags", 1);
    expect((await book.list({ sort: ["-title"] })).items.map(({ title }) => title)).toEqual(["Emma", "D", "C"]);
    await book.delete(2);
  });
});

test("warns about rows that callers can change but not read", () => {
  const codes = (options: Options, extra: readonly OperationName[] = []) => {
    const note = defineResource("note", {
      fields: { id: z.int32() },
      access: { ...open, ...options.access },
      operations: options.operations as readonly OperationName[],
    });
    const seen = defineResource("seen", { fields: { id: z.int32() }, access: open, operations: ["list", ...extra] });
    return defineApi({ resources: [note, seen], warnings: false })
      .warnings()
      .filter(({ code }) => code === "unreadable")
      .map(({ message }) => message);
  };
  expect(codes({ operations: ["create"] })).toEqual([
    'Callers can change note, but no operation reads them. Add "get" or "list" to `operations`, or set `read: deny`.',
  ]);
  expect(codes({ operations: ["create"], access: { read: deny } })).toEqual([]);
  expect(codes({ operations: ["create", "watch"] })).toEqual([]);
  expect(codes({ operations: [] })).toEqual([]);
  expect(
    shop({ operations: ["create"] })
      .warnings()
      .map(({ code }) => code),
  ).not.toContain("unreadable");
});

test("neither style has writes that the store doesn't support", () => {
  const user = defineResource("user", {
    fields: { id: z.int32(), name: z.string() },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  const mutationsWith = (functions: object): readonly string[] => {
    const api = defineApi({
      resources: [user],
      store: functionStore({ user: { list: () => [], ...functions } }),
      warnings: false,
    });
    return Object.keys(api.graphql.schema.getMutationType()?.getFields() ?? {});
  };
  expect(mutationsWith({})).toEqual([]);
  expect(mutationsWith({ update: () => null })).toEqual(["replaceUser", "updateUser"]);
  expect(mutationsWith({ create: (row: object) => row })).toEqual(["createUser"]);
  expect(mutationsWith({ delete: () => null })).toEqual(["deleteUser"]);
});
