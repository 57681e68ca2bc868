import type { Asked, Told } from "./client.ts";
import type { Shelf } from "./shelf.ts";

type Caller = "nobody" | "admin";

/** A query on a shelf, its caller, and the result that the client must return. */
export interface Row {
  readonly as: Caller;
  readonly asked: (shelf: Shelf) => Asked;
  readonly expected: (shelf: Shelf) => Told;
}

/** A subscription. The price of the shelf's first book is set to 11 after its first event. */
export interface SubscriptionRow {
  readonly as: Caller;
  readonly asked: (shelf: Shelf) => Asked;
  readonly expected: readonly Told[];
}

const data = (data: unknown): Told => ({ data, errors: [] });
const NOWHERE = "00000000-0000-4000-8000-000000000000";

export const ROWS: Readonly<Record<string, Row>> = {
  "a query with variables, along a relation": {
    as: "nobody",
    asked: ({ author }) => ({
      document: `query Shelf($id: ID!, $first: Int) {
        author(id: $id) {
          name
          books(first: $first, sort: [TITLE_ASC]) { totalCount nodes { title price } pageInfo { hasNextPage } }
        }
      }`,
      variables: { id: author, first: 1 },
    }),
    expected: () =>
      data({
        author: {
          name: "Writer",
          books: { totalCount: 2, nodes: [{ title: "First", price: 10 }], pageInfo: { hasNextPage: true } },
        },
      }),
  },
  "inputs and lists of enums in variables": {
    as: "nobody",
    asked: ({ author }) => ({
      document: `query Books($filter: BookFilter, $sort: [BookSort!]) {
        books(filter: $filter, sort: $sort) { edges { node { id title } } }
      }`,
      variables: { filter: { authorId: { eq: author }, price: { gte: 5 } }, sort: ["PRICE_DESC"] },
    }),
    expected: ({ books }) =>
      data({
        books: {
          edges: [{ node: { id: books[1], title: "Second" } }, { node: { id: books[0], title: "First" } }],
        },
      }),
  },
  "a row that there is none of": {
    as: "nobody",
    asked: () => ({ document: "query None($id: ID!) { book(id: $id) { title } }", variables: { id: NOWHERE } }),
    expected: () => data({ book: null }),
  },
  "data with an error beside them": {
    as: "nobody",
    asked: ({ author }) => ({
      document: "query Email($id: ID!) { author(id: $id) { name email } }",
      variables: { id: author },
    }),
    expected: () => ({
      data: { author: { name: "Writer", email: null } },
      errors: [{ code: "FORBIDDEN", path: ["author", "email"] }],
    }),
  },
  "a mutation": {
    as: "admin",
    asked: ({ books }) => ({
      document:
        "mutation Rename($id: ID!, $input: UpdateBookInput!) { updateBook(id: $id, input: $input) { id title } }",
      variables: { id: books[1], input: { title: "Second" } },
    }),
    expected: ({ books }) => data({ updateBook: { id: books[1], title: "Second" } }),
  },
  "a mutation by nobody": {
    as: "nobody",
    asked: ({ books }) => ({
      document: "mutation Delete($id: ID!) { deleteBook(id: $id) { deleted } }",
      variables: { id: books[0] },
    }),
    expected: () => ({ data: null, errors: [{ code: "UNAUTHENTICATED", path: ["deleteBook"] }] }),
  },
  "a mutation of what there is none of": {
    as: "admin",
    asked: () => ({
      document: "mutation Delete($id: ID!) { deleteBook(id: $id) { deleted } }",
      variables: { id: NOWHERE },
    }),
    expected: () => ({ data: null, errors: [{ code: "NOT_FOUND", path: ["deleteBook"] }] }),
  },
  "an input that the schema refuses": {
    as: "admin",
    asked: ({ books }) => ({
      document: "mutation Rename($id: ID!, $input: UpdateBookInput!) { updateBook(id: $id, input: $input) { title } }",
      variables: { id: books[1], input: { title: "" } },
    }),
    expected: () => ({
      data: { updateBook: null },
      errors: [{ code: "VALIDATION_FAILED", path: ["updateBook"], issues: [{ code: "too_small", path: ["title"] }] }],
    }),
  },
};

/** A document that is rejected before anything runs. */
export const REFUSED: Row = {
  as: "nobody",
  asked: () => ({ document: "query Wrong { books { nodes { nothing } } }" }),
  expected: () => ({ data: null, errors: [{ code: "BAD_REQUEST" }] }),
};

export const SUBSCRIPTIONS: Readonly<Record<string, SubscriptionRow>> = {
  "a subscription, from the state to the change": {
    as: "nobody",
    asked: ({ books }) => ({
      document: "subscription Price($id: ID) { bookUpdated(id: $id, initial: true) { title price } }",
      variables: { id: books[0] },
    }),
    expected: [
      data({ bookUpdated: { title: "First", price: 10 } }),
      data({ bookUpdated: { title: "First", price: 11 } }),
    ],
  },
  "an event with an error beside its data": {
    as: "nobody",
    asked: ({ author }) => ({
      document: "subscription Email($id: ID) { authorUpdated(id: $id, initial: true) { name email } }",
      variables: { id: author },
    }),
    expected: [
      {
        data: { authorUpdated: { name: "Writer", email: null } },
        errors: [{ code: "FORBIDDEN", path: ["authorUpdated", "email"] }],
      },
    ],
  },
};
