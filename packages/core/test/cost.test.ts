import { describe, expect, test } from "vitest";
import { asSystem } from "../src/index.ts";
import { createCaller } from "../src/operation/create-caller.ts";
import { post, request, send, start, stream } from "./graphql/notes.ts";

const most = { query: { cost: 500 } };
const refusal = {
  message: "The request costs 2,100 points, most of it for 'books'. The maximum is 500. Request less data.",
  issues: [{ path: ["books"], message: expect.any(String), code: "too_costly" }],
};
const wide = { page: { size: 100 }, select: { books: { page: { size: 20 } } } } as const;

describe("an operation has the same cost in all three styles, and nothing is read if it is too high", () => {
  test("REST", async () => {
    const { api, calls } = start({}, most);
    expect((await send(api, "GET", "/authors?include=books&page[size]=23")).status).toBe(200);
    calls.length = 0;
    expect(await send(api, "GET", "/authors?include=books&page[size]=100")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", detail: refusal.message, errors: refusal.issues },
    });
    expect(calls).toEqual([]);
  });

  test("GraphQL", async () => {
    const { api, calls } = start({}, most);
    expect(
      (await post(api, { query: "{ authors(first: 100) { nodes { books { nodes { id } } } } }" })).body,
    ).toMatchObject({
      errors: [{ message: refusal.message, extensions: { code: "BAD_REQUEST", errors: refusal.issues } }],
    });
    expect(calls).toEqual([]);
  });

  test("local calls, including those of the system", async () => {
    const { api, calls } = start({}, most);
    await expect(api.local.author.list(wide)).rejects.toMatchObject({ code: "BAD_REQUEST", ...refusal });
    await expect(api.as(asSystem("test")).author.list(wide)).rejects.toMatchObject({ code: "BAD_REQUEST", ...refusal });
    expect(calls).toEqual([]);
  });
});

test("an application's own front end can't pass a lower cost", async () => {
  const { api, calls } = start({}, { query: { cost: 10 } });
  const selection = { fields: ["id"], relations: [] };
  const list = { kind: "list", resource: "book", sort: [], page: { size: 20 }, selection } as const;
  const outcome = await api.run(list, createCaller(null, undefined), 1);
  expect(outcome).toMatchObject({ kind: "failure", error: { code: "BAD_REQUEST" } });
  expect(calls).toEqual([]);
});

describe("a write whose result costs too much writes nothing", () => {
  const rest = { id: 2, name: "Ann", email: "ann@example.com" };

  test("one row", async () => {
    const { api } = start({}, { query: { cost: 25 } });
    expect((await send(api, "POST", "/authors?include=books", { body: rest })).status).toBe(400);
    expect(await api.local.author.get(2)).toBeNull();
    expect((await send(api, "POST", "/authors", { body: rest })).status).toBe(201);
  });

  test("many rows: as many as one operation of the resource can write", async () => {
    const { api } = start({}, { query: { cost: 59 } });
    const query = 'mutation { deleteBooks(filter: { title: { eq: "Emma" } }) { count } }';
    expect((await post(api, { query })).body).toMatchObject({
      errors: [{ message: "The request costs 70 points. The maximum is 59. Request less data." }],
    });
    expect(await api.local.book.get(1)).not.toBeNull();
    const books = Array.from({ length: 50 }, (_, n) => ({
      id: n + 2,
      authorId: 1,
      title: "x",
      genre: "poem" as const,
    }));
    await expect(api.local.book.createMany(books)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect((await api.local.book.createMany(books.slice(0, 49))).length).toBe(49);
  });
});

describe("the costs of GraphQL root fields are added", () => {
  const roots = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, n) => `a${n}: books(first: 100) { nodes { id } }`).join(" ")} }`;

  test("accepts a total within the limit, and rejects one over it", async () => {
    const { api } = start({}, most);
    expect((await post(api, { query: roots(5) })).body).not.toHaveProperty("errors");
    expect((await post(api, { query: roots(6) })).body).toMatchObject({
      errors: [{ message: "The request costs 600 points. The maximum is 500. Request less data." }],
    });
  });

  test("rejects all mutations before the first one writes", async () => {
    const { api, calls } = start({}, { query: { cost: 15 } });
    const query = "mutation { a: deleteBook(id: 1) { deleted } b: deleteBook(id: 2) { deleted } }";
    expect((await post(api, { query })).body).toMatchObject({
      errors: [{ message: "The request costs 20 points. The maximum is 15. Request less data." }],
    });
    expect(calls).toEqual([]);
    expect(await api.local.book.get(1)).not.toBeNull();
  });

  test("doesn't count one request for the next", async () => {
    const { api } = start({}, most);
    for (let n = 0; n < 3; n++) expect((await post(api, { query: roots(5) })).body).not.toHaveProperty("errors");
  });
});

describe("extensions.cost", () => {
  const query = "{ authors { nodes { books(first: 10) { totalCount nodes { id } } } } book(id: 1) { title } }";

  test("is omitted by default", async () => {
    expect((await post(start().api, { query })).body).not.toHaveProperty("extensions");
  });

  test("is added by an option, over HTTP and in event streams", async () => {
    const { api } = start({ cost: true });
    const extensions = { cost: 20 + 20 * (10 + 10) + 1 };
    expect((await post(api, { query })).body).toMatchObject({ data: {}, extensions });
    const headers = { accept: "text/event-stream" };
    expect(await stream(api, request("POST", "/graphql", { body: { query }, headers }))).toMatchObject([
      { extensions },
    ]);
    expect((await post(api, { query: "{ nothing }" })).body).not.toHaveProperty("extensions");
  });
});
