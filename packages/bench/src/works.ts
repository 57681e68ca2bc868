import { books } from "./rows.ts";

/** One piece of work: the same request to every contender, and what all of them must answer. */
export interface Work {
  readonly name: string;
  readonly path: string;
  readonly body?: string;
  /** Whether the answer that the server gave before is asked for again. */
  readonly isKnown?: boolean;
  /** Default 200. */
  readonly status?: number;
  /** Contenders by the name of their file in `servers/`, with arguments; the first is ours. */
  readonly contenders: readonly string[];
  /** The part of the answer that all contenders must agree on. */
  readonly pick: (answer: never) => unknown;
}

const one = books[42]?.id as string;
const rest = [
  "bifocal-fastify",
  "bifocal-node-http",
  "bifocal-express",
  "fastify-by-hand",
  "express-by-hand",
  "node-http-limit",
];
const graphql = ["bifocal-fastify", "bifocal-node-http", "mercurius jit", "mercurius"];

function document(query: string): { path: string; body: string } {
  return { path: "/graphql", body: JSON.stringify({ query }) };
}

export const works: readonly Work[] = [
  { name: "REST item", path: `/books/${one}`, contenders: rest, pick: (row) => row },
  { name: "REST list of 50", path: "/books?page[size]=50", contenders: rest, pick: (rows) => rows },
  {
    name: "REST list of 50, known already",
    path: "/books?page[size]=50",
    isKnown: true,
    status: 304,
    contenders: ["bifocal-fastify", "bifocal-node-http", "bifocal-express"],
    pick: (nothing) => nothing,
  },
  {
    name: "REST item, known already",
    path: `/books/${one}`,
    isKnown: true,
    status: 304,
    contenders: ["bifocal-fastify", "bifocal-node-http", "bifocal-express"],
    pick: (nothing) => nothing,
  },
  {
    name: "REST create",
    path: "/notes",
    body: JSON.stringify({ title: "A note of some length, to be written", year: 2026, price: 12.5 }),
    status: 201,
    contenders: rest,
    pick: ({ title, year, price }: { title: string; year: number; price: number }) => ({ title, year, price }),
  },
  {
    name: "GraphQL item, 3 fields",
    ...document(`{ book(id: "${one}") { id title year } }`),
    contenders: graphql,
    pick: ({ data }: { data: unknown }) => data,
  },
  {
    name: "GraphQL 50 books with authors",
    ...document("{ books(first: 50) { nodes { id title author { name } } } }"),
    contenders: graphql,
    pick: ({ data }: { data: unknown }) => data,
  },
];
