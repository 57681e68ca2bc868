import { books } from "./rows.ts";

/** A piece of work: the same request to every contender, and the response that all of them must return. */
export interface Work {
  readonly name: string;
  /** `$N` is replaced by another id in each request. */
  readonly path: string;
  /** `$N` is replaced by another number in each request. */
  readonly body?: string;
  /** Replaces `body` for contenders with other names in their schemas. */
  readonly bodies?: Readonly<Record<string, string>>;
  /** Bodies that every contender must reject with errors and without data. */
  readonly refused?: readonly string[];
  /** Number of rows in a response, for the time per row. */
  readonly rows?: number;
  /** Default: 64. */
  readonly connections?: number;
  /** Whether the same response is requested again. */
  readonly isKnown?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** Contenders by the name of their file in `servers/`, with arguments. The first is Bifocal. */
  readonly contenders: readonly string[];
  /** Returns the part of the response that must be equal for all contenders. */
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
  "node-http-limit contract",
];
const graphql = [
  "bifocal-fastify",
  "bifocal-node-http",
  "mercurius jit",
  "mercurius",
  "apollo",
  "yoga jit",
  "yoga",
  "graphql-http",
  "graphql-jit",
];

function text(query: string, variables?: Record<string, unknown>): string {
  return JSON.stringify({ query, variables });
}

/** Creates a work whose responses must have the same data and no errors. */
function graphqlWork(name: string, body: string, more?: Pick<Work, "refused" | "rows">): Work {
  return {
    name,
    path: "/graphql",
    body,
    contenders: graphql,
    pick: ({ data, errors }: { data: unknown; errors?: unknown }) => ({ data, errors }),
    ...more,
  };
}

const books50 = "{ books(first: 50) { nodes { id title author { name } } } }";
const createNote = "mutation ($input: CreateNoteInput!) { createNote(input: $input) { title year price } }";

function noteOf(change: Record<string, unknown>): string {
  const input = { title: "A note of some length, to be written", year: 2026, price: 12.5, ...change };
  return text(createNote, { input });
}

function authorsWith(books: string): string {
  return text(`{ authors(first: 50) { nodes { id name ${books} } } }`);
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
    ...graphqlWork("GraphQL item, 3 fields", text(`{ book(id: "${one}") { id title year } }`)),
    contenders: [...graphql, "node-http-limit"],
  },
  graphqlWork("GraphQL 50 books with authors", text(books50), { rows: 100 }),
  graphqlWork("GraphQL create", noteOf({}), {
    refused: [{ title: "" }, { title: "x".repeat(201) }, { year: 2026.5 }, { price: -1 }].map(noteOf),
  }),
  graphqlWork("GraphQL 50 books with authors, every document new", text(`query Books$N ${books50}`)),
  graphqlWork("GraphQL 50 rows", authorsWith(""), { rows: 50 }),
  graphqlWork("GraphQL 50 × 20 rows", authorsWith("books(first: 20) { nodes { id title } }"), { rows: 1_050 }),
  {
    ...graphqlWork(
      "GraphQL 50 × 20 × 10 rows",
      authorsWith("books(first: 20) { nodes { id title reviews(first: 10) { nodes { id stars } } } }"),
      { rows: 11_050 },
    ),
    // A response has nearly a megabyte. With more connections, responses would wait for each other.
    connections: 8,
  },
];
