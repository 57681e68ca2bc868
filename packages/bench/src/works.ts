import { EDITION, type EditionRow, REFUSED } from "./editions.ts";
import { books } from "./rows.ts";

export interface Follow {
  readonly method: "PATCH" | "DELETE";
  /** `$N` is replaced by another number in each request. */
  readonly body?: string;
}

/** A piece of work: the same request to every contender, and the response that all of them must return. */
export interface Work {
  readonly name: string;
  /** `$N` is replaced by another id in each request. */
  readonly path: string;
  /** `$N` is replaced by another number in each request. */
  readonly body?: string;
  /**
   * A request on the row of an earlier response, with its `ETag` in `If-Match` if it has a body. `body` then only creates
   * rows: 64 at the start, and a new one for each that was deleted.
   */
  readonly follow?: Follow;
  /** Additional headers. `$N` is replaced by another number in each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces `body` for contenders with other names in their schemas. */
  readonly bodies?: Readonly<Record<string, string>>;
  /** Bodies that every contender must reject: REST with a status of 400 to 499, GraphQL with errors and without data. */
  readonly refused?: readonly string[];
  /** A list that is requested before the load, so that the store has an order to keep. Servers may lack it. */
  readonly listed?: string;
  /** Number of rows in a response, for the time per row. */
  readonly rows?: number;
  /** Default: 64. */
  readonly connections?: number;
  /** Whether the same response is requested again. */
  readonly isKnown?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** Returns the processor time in microseconds that the database of a contender's process has used. */
  readonly databaseUsed?: (pid: number) => Promise<number>;
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
/** Contenders that update and delete rows. */
const writers = ["bifocal-fastify", "bifocal-node-http", "fastify-by-hand"];
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

const createEdition = `mutation ($input: CreateEditionInput!) {
  createEdition(input: $input) { title authorId year price inStock isbn tags }
}`;

function editionOf(change: Record<string, unknown>): string {
  return text(createEdition, { input: { ...EDITION, ...change } });
}

/** Fastify drops unknown members of a body, and the others reject them. */
const refusedInRest = REFUSED.filter((change) => !("unknown" in change));

function authorsWith(books: string): string {
  return text(`{ authors(first: 50) { nodes { id name ${books} } } }`);
}

const createEditionInRest = {
  path: "/editions",
  body: JSON.stringify(EDITION),
  status: 201,
  pick: (row: EditionRow) => ({ ...row, id: null }),
} as const;

const createNoteInRest = {
  path: "/notes",
  body: JSON.stringify({ title: "A note of some length, to be written", year: 2026, price: 12.5 }),
  status: 201,
  pick: ({ title, year, price }: { title: string; year: number; price: number }) => ({ title, year, price }),
} as const;

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
  { ...createNoteInRest, name: "REST create", contenders: rest },
  {
    ...createNoteInRest,
    name: "REST create after a list, 500,000 rows",
    listed: "/notes?page[size]=50",
    contenders: writers.map((name) => `${name} 500000`),
  },
  {
    ...createEditionInRest,
    name: "REST create, 8 fields",
    contenders: rest,
    refused: refusedInRest.map((change) => JSON.stringify({ ...EDITION, ...change })),
  },
  {
    ...createEditionInRest,
    name: "REST update, 8 fields",
    contenders: writers,
    follow: { method: "PATCH", body: '{"price":$N}' },
  },
  {
    ...createEditionInRest,
    name: "REST create and delete, 8 fields",
    contenders: writers,
    follow: { method: "DELETE" },
  },
  {
    ...graphqlWork("GraphQL item, 3 fields", text(`{ book(id: "${one}") { id title year } }`)),
    contenders: [...graphql, "node-http-limit"],
  },
  {
    ...graphqlWork("GraphQL 50 books with authors", text(books50), { rows: 100 }),
    contenders: [...graphql, "node-http-limit"],
  },
  graphqlWork("GraphQL create", noteOf({}), {
    refused: [{ title: "" }, { title: "x".repeat(201) }, { year: 2026.5 }, { price: -1 }].map(noteOf),
  }),
  graphqlWork("GraphQL create, 8 fields", editionOf({}), { refused: REFUSED.map(editionOf) }),
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
