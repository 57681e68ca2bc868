// The text of a list is cached when the same document reads the same rows again.
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore } from "../../src/index.ts";
import { answerText } from "../answer.ts";

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

const PAGES = [
  "books(first: 5) { nodes { id title } }",
  "books(first: 5) { nodes { id author { name } } }",
  "books(first: 50) { nodes { author { name publisher { name } } title } }",
  "books(first: 3, sort: [TITLE_DESC]) { nodes { title author { publisher { id name } id } } }",
  "books(first: $first) { nodes { title author { name } again: author { id publisher { name } } } }",
];
const CALLERS = [undefined, "ann"];
/** The first two executions fill the caches. */
const REPEATS = 4;

/** Returns the whole responses. A document with a name of its own has no cached lists. */
async function read(api: Api, name: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const page of PAGES) {
    for (const user of CALLERS) {
      const headers = user === undefined ? {} : { authorization: user };
      const variables = { first: 6 };
      const query = `query ${name}${page.includes("$first") ? "($first: Int)" : ""} { ${page} }`;
      texts.push((await answerText(api, "POST", "/graphql", { body: { query, variables }, headers })).text);
    }
  }
  return texts;
}

const name = fc.string({ minLength: 1, maxLength: 3 });
const authorId = fc.option(fc.integer({ min: 0, max: AUTHORS - 1 }));
const bookId = fc.integer({ min: 0, max: BOOKS + 2 });
const write = fc.oneof(
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

/** Returns whether the write changed anything: rows may be missing, or exist already. */
async function apply(api: Api, { kind, id, input }: { kind: string; id: number; input: object }): Promise<boolean> {
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

test("repeated documents return what new documents return, after each write", async () => {
  let writes = 0;
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 8 }), async (all) => {
      const api = createApi();
      cases += 1;
      for (const [n, one] of [undefined, ...all].entries()) {
        if (one !== undefined && (await apply(api, one))) writes += 1;
        const expected = await read(api, `New${n}`);
        for (let repeat = 0; repeat < REPEATS; repeat++) expect(await read(api, "Same")).toEqual(expected);
      }
    }),
    { numRuns: 12 },
  );
  // Most writes take effect.
  expect(writes).toBeGreaterThan(2 * cases);
});
