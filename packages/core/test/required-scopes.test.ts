import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  allOf,
  apiKeys,
  type Authenticator,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  hasScope,
  manyToMany,
  unless,
  anyOf,
  owner,
  type Rule,
  signedIn,
  through,
} from "../src/index.ts";

const [read, write, admin] = [hasScope("read"), hasScope("write"), hasScope("admin")];
const keys = apiKeys({ ["k".repeat(22)]: { id: "ann" } });
const endpoints = { authorizationUrl: "https://id.example.com/auth", tokenUrl: "https://id.example.com/token" };
const tokens: Authenticator = {
  authenticate: () => null,
  challenge: "Bearer",
  schemes: { oauth: { type: "oauth2", flows: { authorizationCode: { ...endpoints, scopes: { read: "Read." } } } } },
};

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
}

/** The scopes of each operation in a document, by path and method. */
function securities({ paths }: Described): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item))
      if (operation.security !== undefined) found[`${method} ${path}`] = operation.security;
  }
  return found;
}

describe("the scopes of a rule", () => {
  const alternatives = (rule: Rule): unknown => {
    const note = defineResource("note", {
      fields: { id: z.int32(), ownerId: z.string(), bookId: z.int32() },
      relations: { book: belongsTo("note", "bookId") },
      access: { read: allow, create: rule, update: deny, delete: deny },
    });
    const api = defineApi({ resources: [note], auth: tokens });
    const security = securities(api.openapi() as unknown as Described)["post /notes"];
    return (security as readonly { readonly oauth: unknown }[] | undefined)?.map(({ oauth: scopes }) => scopes);
  };

  test.each<[name: string, rule: Rule, expected: unknown]>([
    ["a scope", write, [["write"]]],
    ["two", allOf(read, write), [["read", "write"]]],
    ["the same scope twice", allOf(write, allOf(write, signedIn)), [["write"]]],
    ["a scope and something else", allOf(write, hasRole("editor")), [["write"]]],
    ["one of two", anyOf(write, admin), [["write"], ["admin"]]],
    [
      "one of two, and a third",
      allOf(read, anyOf(write, admin)),
      [
        ["read", "write"],
        ["read", "admin"],
      ],
    ],
    ["a scope along a relation", through("book", write), [["write"]]],
    ["a way without", anyOf(write, owner("ownerId") as unknown as Rule), [[]]],
    ["the opposite", unless(write), undefined],
    ["no scope", signedIn, [[]]],
    ["everybody", allow, undefined],
    ["nobody", deny, undefined],
    ["a function that checks scopes itself", (context) => write(context), undefined],
  ])("%s", (_, rule, expected) => {
    expect(alternatives(rule)).toEqual(expected);
  });

  test("omits scopes if a rule has too many alternatives", () => {
    const any = (n: number): Rule => anyOf(hasScope(`a${n}`), hasScope(`b${n}`));
    expect(alternatives(allOf(any(1), any(2), any(3), any(4)))).toHaveLength(16);
    expect(alternatives(allOf(any(1), any(2), any(3), any(4), any(5)))).toEqual([[]]);
  });
});

describe("credentials of operations without scopes", () => {
  const [required, optional, none] = [[{ oauth: [] }], undefined, []];
  const describeNote = (access: Partial<Record<"read" | "create", Rule>>, title: Rule = allow) => {
    const note = defineResource("note", {
      fields: { id: z.int32(), ownerId: z.string(), bookId: z.int32(), title: z.string() },
      relations: { book: belongsTo("note", "bookId") },
      access: { read: allow, create: allow, update: deny, delete: deny, ...access, fields: { title: { read: title } } },
    });
    return securities(defineApi({ resources: [note], auth: tokens }).openapi() as unknown as Described);
  };
  const own = owner("ownerId") as unknown as Rule;

  test.each<[name: string, rule: Rule, expected: unknown]>([
    ["everyone", allow, none],
    ["signed-in callers", signedIn, required],
    ["a role", hasRole("editor"), required],
    ["the owner", own, required],
    ["a role or the owner", anyOf(hasRole("editor"), own), required],
    ["a role, and a function", allOf(hasRole("editor"), () => true), required],
    ["the owner along a relation", through("book", own), required],
    ["a role or a function", anyOf(hasRole("editor"), () => true), optional],
    ["callers who are not signed in", unless(signedIn), optional],
    ["a function", () => false, optional],
  ])("a list for %s", (_, read, expected) => {
    expect(describeNote({ read })["get /notes"]).toEqual(expected);
  });

  test("are optional for a public list with a field that not everyone can read", () => {
    expect(describeNote({}, hasRole("editor"))["get /notes"]).toBe(optional);
  });

  test("are required for a create by signed-in callers, and not for public documents", () => {
    const described = describeNote({ create: signedIn });
    expect([described["post /notes"], described["get /openapi.json"]]).toEqual([required, none]);
  });
});

test("lists the scopes of every operation for each scheme, and all of them for OAuth", () => {
  const access = { read, create: write, update: write, delete: admin };
  const book = defineResource("book", {
    fields: { id: z.int32(), authorId: z.int32() },
    relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
    access: { ...access, relations: { tags: { link: admin } } },
    bulk: { update: 5, delete: 5 },
    actions: {
      publish: { on: "item", access: admin, run: () => undefined },
      sync: { on: "collection", access: write, run: () => undefined },
    },
  });
  const author = defineResource("author", {
    fields: { id: z.int32() },
    relations: { books: hasMany("book", "authorId") },
    access: { read: allow, create: deny, update: deny, delete: deny },
  });
  const tag = defineResource("tag", { fields: { id: z.int32() }, access: { ...access, read: allow } });
  const api = defineApi({ resources: [book, author, tag], auth: [tokens, keys] });
  const document = api.openapi("", "3.2", "all") as unknown as Described;
  const by = (...scopes: readonly string[]) => ["oauth", "bearer", "apiKey"].map((scheme) => ({ [scheme]: scopes }));
  expect(securities(document)).toMatchObject({
    "get /books": by("read"),
    "query /books": by("read"),
    "post /books": by("write"),
    "patch /books": by("read", "write"),
    "delete /books": by("read", "admin"),
    "get /books/{id}": by("read"),
    "put /books/{id}": by("read", "write"),
    "patch /books/{id}": by("read", "write"),
    "delete /books/{id}": by("read", "admin"),
    "post /books/{id}/publish": by("read", "admin"),
    "post /books/sync": by("write"),
    "get /books/{id}/author": by("read"),
    "put /books/{id}/tags/{tagId}": by("read", "admin"),
    "delete /books/{id}/tags/{tagId}": by("read", "admin"),
    "get /authors/{id}/books": by("read"),
    "post /authors/{id}/books": by("write"),
    "patch /books/{id}/relationships/author": by("read", "write"),
    "post /books/{id}/relationships/tags": by("read", "admin"),
  });
  // Its relation leads to books, which not everyone can read.
  expect(securities(document)["get /authors"]).toBeUndefined();
  expect(document.components.securitySchemes["oauth"]).toMatchObject({
    flows: { authorizationCode: { scopes: { read: "Read.", write: "write", admin: "admin" } } },
  });
});
