import { describe, expect, test } from "vitest";
import type { StatusCodes } from "../../src/graphql-extension.ts";
import { get, post, send, start } from "./notes.ts";

const RESPONSE = "application/graphql-response+json";
const JSON_TYPE = "application/json";

interface Case {
  /** The status in the working draft of August 2026, "Status Codes". */
  readonly draft: string;
  readonly body?: unknown;
  readonly text?: string;
  /** The status in `classic` for the newer media type, for `application/json`, and in `draft-2026`. */
  readonly expected: readonly [classic: number, json: number, draft: number];
}

const CASES: Readonly<Record<string, Case>> = {
  "data alone": {
    draft: "contains the data entry and does not contain the errors entry: SHOULD 200",
    body: { query: "{ book(id: 1) { title } }" },
    expected: [200, 200, 200],
  },
  "data and errors": {
    draft: "contains both the data entry (even if it is null) and the errors entry: SHOULD 294",
    body: { query: "{ author(id: 1) { name email } }" },
    expected: [200, 200, 294],
  },
  "data that is null": {
    draft: "(even if it is null): SHOULD 294",
    body: { query: "{ books(first: -1) { nodes { id } } }" },
    expected: [200, 200, 294],
  },
  "JSON that is none": {
    draft: "If the JSON body of the request could not be parsed, 400",
    text: "NONSENSE",
    expected: [400, 400, 400],
  },
  "half of a JSON": {
    draft: 'a POST request body of NONSENSE or {"query": SHOULD 400',
    text: '{"query":',
    expected: [400, 400, 400],
  },
  "no query": {
    draft: 'not a well-formed GraphQL-over-HTTP request: 422; {"qeury": "{__typename}"}',
    body: { qeury: "{__typename}" },
    expected: [400, 400, 422],
  },
  "variables of the wrong shape": {
    draft: 'not a well-formed GraphQL-over-HTTP request: 422; "variables": [7]',
    body: { query: "query Q ($id: ID!) { book(id: $id) { title } }", variables: [7] },
    expected: [400, 400, 422],
  },
  "a list": {
    draft: "not a well-formed GraphQL-over-HTTP request: 422",
    body: [{ query: "{ __typename }" }],
    expected: [400, 400, 422],
  },
  "a document that cannot be parsed": {
    draft: 'If the GraphQL document in the request cannot be parsed, 400; {"query": "{"}',
    body: { query: "{" },
    expected: [400, 200, 400],
  },
  "a document with too many tokens": {
    draft: "it cannot be parsed: 400",
    body: { query: `{ ${"a ".repeat(3_000)}}` },
    expected: [400, 200, 400],
  },
  "a document that is not valid": {
    draft: "If the request does not pass GraphQL validation, 422",
    body: { query: "{ nothing }" },
    expected: [400, 200, 422],
  },
  "a document that is too deep": {
    draft: "The server MAY apply additional validation rules, for example a depth limit: 422",
    body: { query: `${"{ a ".repeat(30)}${"}".repeat(30)}` },
    expected: [400, 200, 422],
  },
  "an operation that is not there": {
    draft: "If the operation to execute cannot be unambiguously determined, 422",
    body: { query: "query A { __typename }", operationName: "B" },
    expected: [400, 200, 422],
  },
  "two operations and no name": {
    draft: "If the operation to execute cannot be unambiguously determined, 422",
    body: { query: "query A { __typename } query B { __typename }" },
    expected: [400, 200, 422],
  },
  "a variable that cannot be coerced": {
    draft: "If the variable values cannot be coerced, 422",
    body: { query: "query ($id: ID!) { book(id: $id) { title } }", variables: {} },
    expected: [400, 200, 422],
  },
};

const rows = Object.entries(CASES);

describe.each<[StatusCodes, type: string, column: 0 | 1 | 2]>([
  ["classic", RESPONSE, 0],
  ["classic", JSON_TYPE, 1],
  ["draft-2026", RESPONSE, 2],
  ["draft-2026", JSON_TYPE, 2],
])("%s, %s", (codes, type, column) => {
  test.each(rows)("%s", async (_, { body, text, expected }) => {
    const { api } = start({ status: codes });
    const parts = text === undefined ? { body } : { text };
    const { status, headers } = await send(api, "POST", "/graphql", { ...parts, headers: { accept: type } });
    expect(status).toBe(expected[column]);
    // "any response that produces a 2xx status code should replace the Content-Type": other responses have the
    // requested type.
    const sent = codes === "draft-2026" && status >= 300 ? RESPONSE : type;
    expect(headers["Content-Type"]).toBe(`${sent}; charset=utf-8`);
  });
});

describe.each<StatusCodes>(["classic", "draft-2026"])("%s, for any Accept header", (codes) => {
  const { api } = start({ status: codes });
  const query = "{ __typename }";

  test("a mutation via GET: 405 with Allow", async () => {
    const { status, headers } = await get(api, { query: "mutation { deleteBook(id: 1) { deleted } }" });
    expect([status, headers["Allow"]]).toEqual([405, "POST"]);
  });

  test("an unsupported method: 405 with Allow", async () => {
    const { status, headers } = await send(api, "PATCH", "/graphql");
    expect([status, headers["Allow"]]).toEqual([405, "GET, HEAD, POST, PUT, DELETE, OPTIONS"]);
  });

  test("returns 415 for an unsupported content type", async () => {
    expect((await post(api, { query }, { "content-type": "application/graphql" })).status).toBe(415);
  });

  test("returns 406 if no accepted type is available", async () => {
    expect((await post(api, { query }, { accept: "text/csv" })).status).toBe(406);
  });
});
