import { expect, test } from "vitest";
import { post, start } from "./notes.ts";

const query = "{ book(id: 1) { title } }";
const answer = { data: { book: { title: "Emma" } } };

test("is rejected by default, with an explanation", async () => {
  const { api, calls } = start();
  const { status, body } = await post(api, [{ query }, { query }]);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [
      { message: "Batches are not supported here. Send one request at a time.", extensions: { code: "BAD_REQUEST" } },
    ],
  });
  expect(calls).toEqual([]);
});

test("returns each result at its index, or its own error", async () => {
  const { api } = start({ batching: true });
  const { status, headers, body } = await post(api, [
    { query },
    { query: "{ nothing }" },
    { qeury: query },
    { query: "query ($id: ID!) { book(id: $id) { title } }", variables: { id: 1 } },
    { query: "subscription { bookCreated { title } }" },
    { query: 'mutation { updateBook(id: 1, input: { title: "Persuasion" }) { title } }' },
    { query },
    [{ query }],
  ]);
  expect([status, headers["Content-Type"], headers["Cache-Control"]]).toEqual([
    200,
    "application/json; charset=utf-8",
    "no-store",
  ]);
  expect(body).toMatchObject([
    answer,
    { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
    { errors: [{ message: "'query' is required." }] },
    answer,
    { errors: [{ extensions: { code: "NOT_ACCEPTABLE" } }] },
    { data: { updateBook: { title: "Persuasion" } } },
    { data: { book: { title: "Persuasion" } } },
    { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
  ]);
});

test.each([
  [0, 400],
  [1, 200],
  [10, 200],
  [11, 400],
  [1_000, 400],
])("E05: %i requests: %i", async (count, expected) => {
  const { api, calls } = start({ batching: true });
  const { status } = await post(
    api,
    Array.from({ length: count }, () => ({ query })),
  );
  expect(status).toBe(expected);
  expect(calls).toHaveLength(expected === 200 ? count : 0);
});

test("adds the costs of a batch", async () => {
  const { api, calls } = start({ batching: true, cost: true }, { query: { cost: 250 } });
  const list = { query: "{ books(first: 100) { nodes { id } } }" };
  const { body } = await post(api, [list, list, list, { query }]);
  expect(body).toMatchObject([
    { extensions: { cost: 100 } },
    { extensions: { cost: 200 } },
    {
      errors: [
        {
          message: "The request costs 300 points. The maximum is 250. Request less data.",
          extensions: { code: "BAD_REQUEST" },
        },
      ],
    },
    { data: { book: { title: "Emma" } }, extensions: { cost: 201 } },
  ]);
  expect(calls).toEqual(["book.list", "book.list", "book.byKeys(1)"]);
});
