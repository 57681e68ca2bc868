import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LoneJudge } from "../judge.ts";
import { startProgram, type Started } from "../start-program.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function start(server: string, graphql: string): Promise<Started<"url" | "calledUrl">> {
  const flags = ["--import", path("one-graphql.ts")];
  return startProgram(path("main.ts"), { flags, args: [server], env: { GRAPHQL: graphql } });
}

interface Case {
  readonly query: string;
  readonly variables?: object;
  readonly user?: string;
  readonly data: unknown;
  /** The code of each error, in order of path. */
  readonly codes?: readonly string[];
  /** The expected store calls, in any order. Not checked for mutations. */
  readonly calls?: readonly string[];
}

const THREE_LEVELS = `query ($least: Int!, $more: Boolean!) {
  authors { nodes { id books(first: 2, sort: [TITLE_DESC]) { nodes { ...B reviews(filter: { stars: { gte: $least } }) { totalCount nodes { stars @include(if: $more) } } } } } }
}
fragment B on Book { name: title soldOn }`;

function threeLevels(): unknown {
  const byTitle = (author: number): readonly number[] =>
    [1, 2, 3, 4]
      .map((n) => (author === 1 ? n * 5 : author - 6 + n * 5))
      .toSorted((a, b) => (`Book ${a}` < `Book ${b}` ? 1 : -1))
      .slice(0, 2);
  const reviews = (book: number): readonly number[] =>
    Array.from({ length: 60 }, (_, index) => index + 1).filter((id) => (id % 20) + 1 === book && id % 5 >= 2);
  const nodes = [1, 2, 3, 4, 5].map((author) => ({
    id: String(author),
    books: {
      nodes: byTitle(author).map((book) => ({
        name: `Book ${book}`,
        soldOn: "2026-01-31",
        reviews: { totalCount: reviews(book).length, nodes: reviews(book).map((id) => ({ stars: id % 5 })) },
      })),
    },
  }));
  return { authors: { nodes } };
}

const CASES: Readonly<Record<string, Case>> = {
  "three levels are three store calls": {
    query: THREE_LEVELS,
    variables: { least: 2, more: true },
    data: threeLevels(),
    calls: ["author.list", "book.listPer", "review.listPer"],
  },
  "what nobody may read is null beside FORBIDDEN": {
    query: "{ author(id: 1) { name email } }",
    data: { author: { name: "Author 1", email: null } },
    codes: ["FORBIDDEN"],
    calls: ["author.byKeys"],
  },
  "somebody may read it": {
    query: "{ me author(id: 1) { email } }",
    user: "ann",
    data: { me: "ann", author: { email: "a1@example.com" } },
    calls: ["author.byKeys"],
  },
  "the host's fields stand among ours, and read their rows together": {
    query: "{ me authors { nodes { name best { slug author { name } } } } }",
    data: {
      me: null,
      authors: {
        nodes: [1, 2, 3, 4, 5].map((id) => ({
          name: `Author ${id}`,
          best: { slug: `Book-${id + 4}`, author: { name: `Author ${((id + 4) % 5) + 1}` } },
        })),
      },
    },
    calls: ["author.list", "book.list", "author.byKeys"],
  },
  "nobody writes": {
    query: 'mutation { createAuthor(input: { id: 9, name: "N", email: "n@example.com" }) { id } }',
    data: null,
    codes: ["UNAUTHENTICATED"],
  },
  "an input is checked": {
    query: "mutation ($input: CreateBookInput!) { createBook(input: $input) { id } }",
    variables: { input: { id: 99, title: "", authorId: "1", soldOn: "2026-01-31" } },
    user: "ann",
    data: null,
    codes: ["VALIDATION_FAILED"],
  },
  "a row is made and answered": {
    query: "mutation ($input: CreateBookInput!) { createBook(input: $input) { title slug author { name } } }",
    variables: { input: { id: 99, title: "New one", authorId: "1", soldOn: "2026-01-31" } },
    user: "ann",
    data: { createBook: { title: "New one", slug: "New-one", author: { name: "Author 1" } } },
  },
};

function judge(server: string, graphql: string): LoneJudge {
  return {
    name: `${server} on graphql ${graphql} serves the schema, with every rule and every batch`,
    async run() {
      const { url, calledUrl, stop } = await start(server, graphql);
      try {
        // Run the first cases twice, because a server may compile a document on its second use.
        for (const name of [...Object.keys(CASES).slice(0, 4), ...Object.keys(CASES)]) {
          await check(name, CASES[name] as Case, url, calledUrl);
        }
      } finally {
        stop();
      }
    },
  };
}

async function check(name: string, one: Case, url: string, calledUrl: string): Promise<void> {
  await fetch(calledUrl);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(one.user === undefined ? {} : { "x-user": one.user }) },
    body: JSON.stringify({ query: one.query, variables: one.variables }),
  });
  const { data, errors = [] } = (await response.json()) as {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
  // Some servers send null for each member of `data` instead of null for `data`.
  const found =
    data === undefined || data === null || Object.values(data).every((value) => value === null && one.data === null)
      ? null
      : data;
  assert.deepEqual(
    { data: found, codes: errors.map(({ extensions }) => extensions?.code) },
    { data: one.data, codes: one.codes ?? [] },
    name,
  );
  const calls = (await (await fetch(calledUrl)).json()) as string[];
  if (one.calls !== undefined) assert.deepEqual(calls.toSorted(), [...one.calls].toSorted(), name);
}

/** Apollo Server and Mercurius require graphql 16; Yoga supports both versions. */
export const FOREIGN_SERVERS: readonly LoneJudge[] = [
  judge("yoga", "17"),
  judge("yoga", "16"),
  judge("apollo", "16"),
  judge("mercurius", "16"),
  judge("mercurius-jit", "16"),
];
