import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "../../src/index.ts";
import { ask } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const shelf = defineResource("shelf", {
  fields: { id: z.int32() },
  plural: "shelves",
  relations: { books: hasMany("book", "shelfId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), shelfId: z.int32() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access,
});
const COUNT = 7;
const all = Array.from({ length: COUNT }, (_, index) => index + 1);
const data = { shelf: [{ id: 1 }], book: all.map((id) => ({ id, shelfId: 1 })) };
const api = defineApi({ resources: [shelf, book], store: memoryStore({ data }) });

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: Readonly<Record<string, unknown>>;
  readonly totalCount: number;
}

const FIELDS =
  "totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const PLACES = {
  root: {
    query: (args: string) => `{ books${args} { ${FIELDS} } }`,
    read: (found: unknown) => (found as { books: Connection }).books,
  },
  nested: {
    query: (args: string) => `{ shelf(id: 1) { books${args} { ${FIELDS} } } }`,
    read: (found: unknown) => (found as { shelf: { books: Connection } }).shelf.books,
  },
};

async function page(place: keyof typeof PLACES, args: object): Promise<Connection> {
  const text = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const { query, read } = PLACES[place];
  const { data: found, errors } = await ask(api, query(text.length === 0 ? "" : `(${text.join(", ")})`));
  expect(errors).toBeUndefined();
  return read(found);
}

interface Range {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

/** Pagination as Relay's Cursor Connections specification defines it (§4.3 and §4.4). */
function specified({ after, before, first, last }: Range) {
  const within = all.filter((id) => (after === undefined || id > after) && (before === undefined || id < before));
  let ids = within;
  if (first !== undefined) ids = ids.slice(0, first);
  if (last !== undefined) ids = last === 0 ? [] : ids.slice(-last);
  const hasNextPage = first === undefined ? before !== undefined : within.length > first;
  const hasPreviousPage = last === undefined ? after !== undefined : within.length > last;
  return { ids: ids.map(String), hasNextPage, hasPreviousPage };
}

const end = fc.option(fc.integer({ min: 1, max: COUNT }), { nil: undefined });
const range = fc.record({
  after: end,
  before: end,
  size: fc.integer({ min: 0, max: COUNT + 1 }),
  word: fc.constantFrom("first" as const, "last" as const),
});

test.each(["root", "nested"] as const)("returns every range of a %s list as Relay specifies", async (place) => {
  const { edges } = await page(place, { first: COUNT });
  const cursorOf = (id: number | undefined): string | undefined => edges[(id ?? 0) - 1]?.cursor;
  await fc.assert(
    fc.asyncProperty(range, async ({ after, before, size, word }) => {
      const args = { after: cursorOf(after), before: cursorOf(before), [word]: size };
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
      const found = await page(place, given);
      const { ids, hasNextPage, hasPreviousPage } = specified({ after, before, [word]: size });
      expect(found.edges.map(({ node }) => node.id)).toEqual(ids);
      expect(found.nodes.map(({ id }) => id)).toEqual(ids);
      expect(found.pageInfo).toEqual({
        hasNextPage,
        hasPreviousPage,
        startCursor: found.edges[0]?.cursor ?? null,
        endCursor: found.edges.at(-1)?.cursor ?? null,
      });
      expect(found.totalCount).toBe(COUNT);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["first and last", "first: 1, last: 1", "'first' and 'last' can't be combined."],
  ["a negative page size", "first: -1", "'first' must be a whole number from 0 to 100."],
  ["a negative page size from the end", "last: -1", "'last' must be a whole number from 0 to 100."],
  ["more than the maximum", "first: 101", "'first' must be a whole number from 0 to 100."],
  [
    "an invalid cursor",
    'after: "x"',
    "The cursor in 'after' belongs to a different list, sort or filter. Start again without a cursor.",
  ],
])("rejects %s with an explanation", async (_, args, message) => {
  const { data: found, errors } = await ask(api, `{ books(${args}) { totalCount } }`);
  expect(found).toBeNull();
  expect(errors).toMatchObject([{ message, extensions: { code: "BAD_REQUEST" } }]);
});
