// The text of a list is cached when the same request reads the same rows again.
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore } from "../src/index.ts";
import { answerText } from "./answer.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const publisher = defineResource("publisher", { fields: { id: z.int32(), name: z.string() }, access });
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), isHidden: z.boolean(), publisherId: z.int32().nullable() },
  relations: { publisher: belongsTo("publisher", "publisherId") },
  access: { ...access, read: ({ principal }) => (principal === null ? { isHidden: { eq: false } } : true) },
  filterable: ["isHidden"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32().nullable() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  sortable: ["title"],
});

const PUBLISHERS = 2;
const AUTHORS = 4;
const BOOKS = 8;

function createApi() {
  const numbers = (length: number): readonly number[] => Array.from({ length }, (_, id) => id);
  return defineApi({
    resources: [publisher, author, book],
    auth: {
      challenge: "Bearer",
      schemes: {},
      authenticate: ({ headers }) => (headers["authorization"] === "ann" ? { id: "ann" } : null),
    },
    store: memoryStore({
      data: {
        publisher: numbers(PUBLISHERS).map((id) => ({ id, name: `publisher ${id}` })),
        author: numbers(AUTHORS).map((id) => ({ id, name: `author ${id}`, isHidden: id === 0, publisherId: id % 2 })),
        book: numbers(BOOKS).map((id) => ({ id, title: `book ${id}`, authorId: id % AUTHORS })),
      },
    }),
  });
}

type Api = ReturnType<typeof createApi>;

const DOCUMENTS = [
  "books(first: 5) { nodes { id title } }",
  "books(first: 5) { nodes { id author { name } } }",
  "books(first: 50) { nodes { author { name publisher { name } } title } }",
  "books(first: 3, sort: [TITLE_DESC]) { nodes { title author { publisher { id name } id } } }",
  "books(first: $first) { nodes { title author { name } again: author { id publisher { name } } } }",
];
const QUERIES = [
  "/books?fields=id,title&page[size]=5",
  "/books?include=author&page[size]=5",
  "/books?fields=title,author.name&sort=-title",
  "/books?include=author.publisher&page[size]=3",
  "/books/3?include=author",
  "/books/3?fields=id,author.publisher",
  "/authors?fields=name,publisher.name",
];
/** Both in turns, or one of them alone. */
const CALLERS = [[undefined, "ann"], [undefined], ["ann"]];
/** The first two executions fill the caches. */
const REPEATS = 4;

/** Spells a query string in another way for each number below 64, so that nothing is cached for it. */
function spell(url: string, n: number): string {
  return url.replace(/fields|includ/, (name) =>
    Array.from(name, (one, at) => ((n >> at) & 1 ? `%${one.charCodeAt(0).toString(16)}` : one)).join(""),
  );
}

/** Reads everything as one caller. Without a number, each request is the same as before. */
async function read(api: Api, user: string | undefined, n?: number): Promise<readonly unknown[]> {
  const headers = user === undefined ? {} : { authorization: user };
  const all: unknown[] = [];
  for (const document of DOCUMENTS) {
    const parameters = document.includes("$first") ? "($first: Int)" : "";
    const query = `query ${n === undefined ? "Same" : `New${n}`}${parameters} { ${document} }`;
    const body = { query, variables: { first: 6 } };
    all.push((await answerText(api, "POST", "/graphql", { body, headers })).text);
  }
  for (const url of QUERIES) {
    const { status, text, headers: got } = await answerText(api, "GET", spell(url, n ?? 0), { headers });
    all.push([status, got["ETag"], decodeURIComponent(got["Link"] ?? ""), text]);
  }
  return all;
}

const name = fc.string({ minLength: 1, maxLength: 3 });
const authorId = fc.option(fc.integer({ min: 0, max: AUTHORS - 1 }));
const bookId = fc.integer({ min: 0, max: BOOKS + 2 });
interface Write {
  readonly kind: string;
  readonly id: number;
  readonly input: object;
}

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    kind: fc.constant("publisher"),
    id: fc.integer({ min: 0, max: PUBLISHERS - 1 }),
    input: fc.record({ name }),
  }),
  fc.record({
    kind: fc.constant("author"),
    id: fc.integer({ min: 0, max: AUTHORS - 1 }),
    input: fc.record(
      { name, isHidden: fc.boolean(), publisherId: fc.option(fc.integer({ min: 0, max: PUBLISHERS - 1 })) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    kind: fc.constant("book"),
    id: bookId,
    input: fc.record({ title: name, authorId }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant("create"), id: bookId, input: fc.record({ title: name, authorId }) }),
  fc.record({ kind: fc.constant("delete"), id: bookId, input: fc.constant({}) }),
);

const EACH_KIND: Write[] = [
  ...["publisher", "author"].flatMap((kind) =>
    [0, 1, 2, 3].map((id) => ({ kind, id, input: { name: `new ${kind}` } })),
  ),
  { kind: "author", id: 1, input: { isHidden: true } },
  { kind: "author", id: 2, input: { publisherId: null } },
  { kind: "book", id: 2, input: { authorId: 3 } },
  { kind: "book", id: 3, input: { title: "new book" } },
  { kind: "delete", id: 1, input: {} },
  { kind: "create", id: 1, input: { title: "again", authorId: 2 } },
];

/** Returns whether the write changed anything: rows may be missing, or exist already. */
async function apply(api: Api, { kind, id, input }: Write): Promise<boolean> {
  const { publisher, author, book } = api.as({ id: "ann" });
  try {
    if (kind === "publisher") await publisher.update(id, input);
    else if (kind === "author") await author.update(id, input);
    else if (kind === "book") await book.update(id, input);
    else if (kind === "create") await book.create({ id, title: "", authorId: null, ...input });
    else await book.delete(id);
    return true;
  } catch {
    return false;
  }
}

test("repeated requests return what new requests return, after each write", async () => {
  const first = await read(createApi(), "ann");
  expect(new Set(first.map(String)).size).toBe(DOCUMENTS.length + QUERIES.length);
  expect(JSON.stringify(first)).not.toMatch(/error|[45]00/);
  let writes = 0;
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CALLERS),
      fc.array(write, { minLength: 1, maxLength: 8 }),
      async (users, all) => {
        const api = createApi();
        cases += 1;
        for (const [n, one] of [undefined, ...all].entries()) {
          if (one !== undefined && (await apply(api, one))) writes += 1;
          for (const user of users) {
            const expected = await read(api, user, n + 1);
            for (let repeat = 0; repeat < REPEATS; repeat++) expect(await read(api, user)).toEqual(expected);
          }
        }
      },
    ),
    { numRuns: 20, examples: CALLERS.map((users) => [users, EACH_KIND]) },
  );
  // Most writes take effect.
  expect(writes).toBeGreaterThan(2 * cases);
});
