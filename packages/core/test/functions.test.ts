import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  belongsTo,
  defineApi,
  defineResource,
  functionStore,
  manyToMany,
  memoryStore,
  type Store,
} from "../src/index.ts";
import { access, author } from "./author.ts";
import { ask, send } from "./request.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["title"],
  sortable: ["title"],
});

interface Author {
  readonly id: number;
  readonly name: string;
  readonly born: Date | null;
}

/** Authors come from a service of the application, books from a store. */
function start(howAuthorsCome: "all" | "many" | "one" = "many") {
  const rows: Author[] = [
    { id: 1, name: "Jane", born: new Date("1775-12-16T00:00:00Z") },
    { id: 2, name: "Leo", born: null },
  ];
  const calls: string[] = [];
  const service = functionStore({
    author: {
      list: () => {
        calls.push("list");
        return rows;
      },
      ...(howAuthorsCome === "many"
        ? {
            getMany: (ids: readonly unknown[]) => {
              calls.push(`getMany ${ids.join()}`);
              return rows.filter(({ id }) => ids.includes(id));
            },
          }
        : {}),
      ...(howAuthorsCome === "one"
        ? {
            get: (id: unknown) => {
              calls.push(`get ${String(id)}`);
              return Promise.resolve(rows.find((row) => row.id === id));
            },
          }
        : {}),
      create: (row) => {
        rows.push(row as unknown as Author);
        return row;
      },
      update: (id, changes) => {
        const index = rows.findIndex((row) => row.id === id);
        rows[index] = { ...(rows[index] as Author), ...changes };
        return { ...rows[index] };
      },
    },
  });
  const books = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Book ${id}`, authorId: (id % 2) + 1 }));
  const api = defineApi({
    resources: [author, book],
    store: memoryStore({ data: { book: books } }),
    stores: { author: service },
  });
  return { api, rows, calls };
}

describe("relations between stores", () => {
  test.each<["all" | "many" | "one", readonly string[]]>([
    ["all", ["list"]],
    ["many", ["getMany 2,1"]],
    ["one", ["get 2", "get 1"]],
  ])("to one, if the service returns %s", async (how, expected) => {
    const { api, calls } = start(how);
    const { data } = await ask(api, "{ books(sort: [TITLE_ASC]) { nodes { title author { name born } } } }");
    const { nodes } = (data as { books: { nodes: unknown[] } }).books;
    expect(nodes.slice(0, 2)).toEqual([
      { title: "Book 1", author: { name: "Leo", born: null } },
      { title: "Book 2", author: { name: "Jane", born: "1775-12-16T00:00:00.000Z" } },
    ]);
    expect(calls).toEqual(expected);
  });

  test("to many", async () => {
    const { api } = start();
    expect((await send(api, "GET", "/authors?include=books&rel[books][page][size]=2&sort=-name")).body).toEqual([
      { id: 2, name: "Leo", born: null, books: [1, 3].map((id) => ({ id, title: `Book ${id}`, authorId: 2 })) },
      {
        id: 1,
        name: "Jane",
        born: "1775-12-16T00:00:00.000Z",
        books: [2, 4].map((id) => ({ id, title: `Book ${id}`, authorId: 1 })),
      },
    ]);
  });

  test.each([
    ["/books?filter[author.name]=Leo&fields=id", [1, 3, 5]],
    ["/books?filter[author.born][lt]=1800-01-01T00:00:00Z&fields=id", [2, 4]],
    ["/authors?filter[books][some][title]=Book 4&fields=id", [1]],
    ["/authors?filter[books][none][title]=Book 4&fields=id", [2]],
    ["/authors?filter[books][every][title][ne]=Book 4&fields=id", [2]],
  ])("filters: %s", async (url, ids) => {
    const { api } = start();
    const { status, body } = await send(api, "GET", url);
    expect({ status, ids: (body as { id: number }[]).map(({ id }) => id) }).toEqual({ status: 200, ids });
  });

  test("rejects a sort along a relation to another store", async () => {
    const { api } = start();
    const { status, body } = await send(api, "GET", "/books?sort=author.name");
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { detail: "'book' can't be sorted by 'author.name': its store doesn't support sorting by relations." },
    });
  });

  test("checks references in other stores", async () => {
    const { api } = start();
    const bad = await send(api, "POST", "/books", { body: { id: 9, title: "x", authorId: 77 } });
    expect(bad).toMatchObject({ status: 422, body: { errors: [{ path: ["authorId"] }] } });
    expect((await send(api, "POST", "/books", { body: { id: 9, title: "x", authorId: 2 } })).status).toBe(201);
  });
});

test("calls the functions with decoded values", async () => {
  const { api, rows } = start();
  const body = { id: 3, name: "Mary", born: "1797-08-30T00:00:00.000Z" };
  expect(await send(api, "POST", "/authors", { body })).toMatchObject({ status: 201, body });
  expect(rows[2]).toEqual({ id: 3, name: "Mary", born: new Date(body.born) });
  const changed = await send(api, "PATCH", "/authors/3", { body: { name: "Mary S." } });
  expect(changed).toMatchObject({ status: 200, body: { name: "Mary S.", born: body.born } });
});

test("rejects operations without a function", async () => {
  const { api } = start();
  // Jane has books, which would prevent her deletion for another reason.
  await send(api, "POST", "/authors", { body: { id: 3, name: "Mary", born: null } });
  expect(await send(api, "DELETE", "/authors/3")).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
});

describe("invalid definitions are rejected at start", () => {
  const left = defineResource("left", {
    fields: { id: z.int32() },
    access,
    relations: { rights: manyToMany("right") },
  });
  const right = defineResource("right", { fields: { id: z.int32() }, access });
  const none = () => functionStore({ left: { list: () => [] }, right: { list: () => [] } });

  const unread = (): Store => {
    const store = memoryStore();
    return { ...store, capabilities: { ...store.capabilities, listPer: false } };
  };

  test.each<[string, object, string]>([
    [
      "links in a store without links",
      { store: none() },
      "The store of this resource doesn't support many-to-many relations.",
    ],
    ["links in a store that cannot read them", { store: unread() }, "lacks 'listPer'"],
    [
      "links between two stores",
      { stores: { right: none() } },
      "The two resources of the relation, 'left' and 'right', are in different stores.",
    ],
    ["a store for an unknown resource", { stores: { rihgt: none() } }, "stores.rihgt: Unknown resource 'rihgt'."],
  ])("%s", (_, stores, problem) => {
    expect(() => defineApi({ resources: [left, right], ...stores })).toThrow(problem);
  });

  test("a resource without the function that reads its rows", () => {
    expect(() => functionStore({ right: {} } as never)).toThrow(
      "functionStore() needs a function 'list' for each resource: { right: { list: () => rows } }.",
    );
  });

  test("a resource without functions", () => {
    expect(() => defineApi({ resources: [right], store: functionStore({}) })).toThrow(
      "functionStore: no functions are defined for 'right'.",
    );
  });
});
