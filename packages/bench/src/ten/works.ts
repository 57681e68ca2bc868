import type { Work } from "../works.ts";
import { idOf, inputOf, type Row } from "./rows.ts";

export const TEN_CONTENDERS = ["ten-bifocal-node-http", "ten-bifocal-fastify", "ten-mercurius"];

const query = `query ($id: ID!) {
  book(id: $id) { id title year next { id title } }
  shops(first: 10) { nodes { id title previous(first: 5) { nodes { id title } } } }
}`;
const mutation = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) { title year price inStock code tags nextId }
}`;
const contenders = TEN_CONTENDERS;
const data = (answer: unknown): unknown => answer;

/** One request of each kind. */
export const tenWorks: readonly Work[] = [
  { name: "item", path: `/books/${idOf("book", 7)}`, contenders, pick: data },
  { name: "list", path: "/reviews?page[size]=20", contenders, pick: data },
  {
    name: "create",
    path: "/customers",
    body: JSON.stringify(inputOf("customer", 4711)),
    status: 201,
    contenders,
    pick: (row: Row) => ({ ...row, id: null }),
  },
  {
    name: "GraphQL query",
    path: "/graphql",
    body: JSON.stringify({ query, variables: { id: idOf("book", 7) } }),
    contenders,
    pick: data,
  },
  {
    name: "mutation",
    path: "/graphql",
    body: JSON.stringify({ query: mutation, variables: { input: inputOf("order", 4711) } }),
    contenders,
    pick: data,
  },
];
