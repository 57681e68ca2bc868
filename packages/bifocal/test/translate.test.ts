import { expect, test } from "vitest";
import { createWorkplace, FIXTURE } from "./run-bifocal.ts";

const API = ["--api", FIXTURE];
const DOCUMENT = `query ($filter: BookFilter) {
  books(filter: $filter) {
    nodes {
      title
    }
  }
}`;

test("translate prints a URL as a document and as a call", async () => {
  using place = createWorkplace();
  const { code, out } = await place.run(["translate", ...API, "GET /books?filter[title]=Emma&fields=title"]);
  expect(code).toBe(0);
  expect(out).toBe(`REST
GET /books?filter[title]=Emma&fields=title

GraphQL
${DOCUMENT}

{
  "filter": {
    "title": {
      "eq": "Emma"
    }
  }
}

TypeScript
client.book.list({ filter: { title: "Emma" }, select: { title: true } })
`);
});

test("translate writes each style in its color on terminals", async () => {
  using place = createWorkplace();
  const { out } = await place.run(["translate", ...API, "GET /books?fields=title"], { FORCE_COLOR: "1" });
  expect(out).toContain("\u001B[36mREST\u001B[39m\nGET /books?fields=title");
  expect(out).toContain("\u001B[35mGraphQL\u001B[39m\n{");
});

test("translate prints a document with its variables as a URL", async () => {
  using place = createWorkplace();
  const variables = JSON.stringify({ filter: { title: { eq: "Emma" } } });
  const { out } = await place.run(["translate", ...API, DOCUMENT, "--variables", variables, "--json"]);
  expect(JSON.parse(out)).toMatchObject([{ rest: { method: "GET", url: "/books?filter[title]=Emma&fields=title" } }]);
});

test("translate reports why a style has no such request", async () => {
  using place = createWorkplace();
  const { out } = await place.run(["translate", ...API, "{ books(last: 2) { nodes { id } } }"]);
  expect(out).toContain("REST\nnot available: Only GraphQL can request the last rows without a cursor.");
});

test("translate reports that each root field needs its own request in REST", async () => {
  using place = createWorkplace();
  const { out } = await place.run([
    "translate",
    ...API,
    "{ books { nodes { id } } one: books(first: 1) { nodes { title } } }",
  ]);
  expect(out).toMatch(/^This document has 2 operations\. REST and the client need a request for each\.\n\n1 of 2\n/);
  expect(out).toContain("2 of 2\n\nREST\nGET /books?page[size]=1&fields=title");
});

test("translate prints the rules that decide", async () => {
  using place = createWorkplace();
  const request = 'POST /books { "title": "Emma" }';
  const { out } = await place.run(["translate", ...API, request, "--access", "--as", 'ann={"id":"ann"}']);
  expect(out).toContain("POST /books\nContent-Type: application/json");
  expect(out).toMatch(/\nAccess\nann: create book\n {2}create book: yes\n/);
});

test("translate prints the statements of a read with their times", async () => {
  using place = createWorkplace();
  const { code, out } = await place.run(["translate", ...API, "{ books { nodes { title } } }", "--sql"]);
  expect(code).toBe(0);
  expect(out).toMatch(/\nSQL\n1\. select .*"title".* from "books"[^]*\n {3}0 rows in \d+\.\d\d ms\n/);
  expect(out).not.toContain("rolled back");
});

test("translate runs a write and rolls it back", async () => {
  using place = createWorkplace();
  const create = ["translate", ...API, 'POST /authors { "name": "Ann" }', "--sql", "--json"];
  const { out } = await place.run(create);
  const [{ sql }] = JSON.parse(out) as [{ sql: { text: string; statements: { sql: string; rows: number }[] } }];
  expect(sql.statements).toContainEqual(
    expect.objectContaining({ sql: expect.stringMatching(/^insert into "authors"/) as string, rows: 1 }),
  );
  expect(sql.text).toMatch(/The transaction was rolled back\.$/);
  const { out: after } = await place.run(["translate", ...API, "/authors", "--sql"]);
  expect(after).toMatch(/0 rows in/);
});

test("translate reports that an operation with --sql failed", async () => {
  using place = createWorkplace();
  const document = 'mutation { deleteBook(id: "8f3d3c1e-7d0b-4d0c-9a5e-1c2b3a4d5e6f") { id } }';
  const { code, out } = await place.run(["translate", ...API, document, "--sql"]);
  expect(code).toBe(0);
  expect(out).toMatch(/The operation failed: NOT_FOUND: .*\nThe transaction was rolled back\.\n$/);
});
