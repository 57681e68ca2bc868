import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  functionStore,
  hasMany,
  type Json,
  memoryStore,
} from "../../src/index.ts";
import { request, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const METHODS = ["GET", "QUERY", "POST", "PUT", "PATCH", "DELETE"];

const FUNCTIONS = {
  list: () => [{ id: 1, rackId: 1 }],
  create: (row: object) => row,
  update: (_: unknown, changes: object) => ({ id: 1, rackId: 1, ...changes }),
  delete: () => {},
};

/** Books backed by some of these functions, in racks that are writable. */
function startWith(functions: readonly (keyof typeof FUNCTIONS)[], upsert = false) {
  const book = defineResource("book", {
    fields: { id: z.int32(), rackId: z.int32() },
    relations: { rack: belongsTo("rack", "rackId") },
    actions: { read: { on: "item", access: allow, run: () => null } },
    access,
    upsert,
  });
  const rack = defineResource("rack", {
    fields: { id: z.int32() },
    relations: { books: hasMany("book", "rackId") },
    access,
  });
  const { list, ...writes } = FUNCTIONS;
  const own = Object.fromEntries(Object.entries(writes).filter(([name]) => functions.includes(name as "list")));
  return defineApi({
    resources: [book, rack],
    store: memoryStore({ data: { rack: [{ id: 1 }] } }),
    // Functions of other resources in the same store make no difference.
    stores: { book: functionStore({ book: { list, ...own }, pen: FUNCTIONS }) },
  });
}

describe.each<
  [what: string, functions: readonly (keyof typeof FUNCTIONS)[], collection: string, item: string, nested: string]
>([
  ["only reads", ["list"], "GET, QUERY", "GET", "GET"],
  ["creates", ["list", "create"], "GET, QUERY, POST", "GET", "GET, POST"],
  ["updates", ["list", "update"], "GET, QUERY", "GET, PUT, PATCH", "GET"],
  ["deletes", ["list", "delete"], "GET, QUERY", "GET, DELETE", "GET"],
  [
    "implements everything",
    ["list", "create", "update", "delete"],
    "GET, QUERY, POST",
    "GET, PUT, PATCH, DELETE",
    "GET, POST",
  ],
])("a service that %s", (_, functions, collection, item, nested) => {
  const api = startWith(functions);
  const { paths } = api.openapi("", "3.2", "all") as { readonly paths: Readonly<Record<string, Json & object>> };

  test.each([
    ["/books", "/books", collection],
    ["/books/{id}", "/books/1", item],
    ["/books/{id}/read", "/books/1/read", "POST"],
    ["/books/{id}/relationships/rack", "/books/1/relationships/rack", item.includes("PATCH") ? "GET, PATCH" : "GET"],
    ["/racks/{id}/books", "/racks/1/books", nested],
    ["/racks/{id}", "/racks/1", "GET, PUT, PATCH, DELETE"],
  ])("OPTIONS, the document and 405 list the same methods for %s", async (template, url, expected) => {
    const described = METHODS.filter((method) => method.toLowerCase() in (paths[template] as object));
    expect(described.join(", ")).toBe(expected);
    const allowed = (headers: Readonly<Record<string, string>> | undefined): readonly string[] | undefined =>
      headers?.["Allow"]?.split(", ").filter((method) => METHODS.includes(method));
    expect(allowed((await api.handle(request("OPTIONS", url)))?.headers)).toEqual(described);
    expect(api.routes.find(({ path }) => path === template)?.methods).toEqual(expect.arrayContaining(described));
    const refused: unknown[] = [];
    for (const method of METHODS.filter((one) => !described.includes(one))) {
      const { status, headers } = await send(api, method, url, { body: { rackId: 1 } });
      // Relationships respond with 403 instead (JSON:API 1.1 §9.2).
      if (status !== 403) refused.push([status, allowed(headers)]);
    }
    expect(refused).toEqual(refused.map(() => [405, described]));
    expect(refused).not.toHaveLength(0);
  });
});

test("keeps PUT if it can create a row and the row doesn't have to exist", async () => {
  const api = startWith(["list", "create"], true);
  const row = { id: 2, rackId: 1 };
  expect(await send(api, "PUT", "/books/2", { body: row })).toMatchObject({ status: 201, body: row });
});
