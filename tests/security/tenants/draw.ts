import fc from "fast-check";
import { cursorsOfBen } from "./cursors-of-ben.ts";
import { idOf, KEYS } from "./shops.ts";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly key?: string;
  /** Default: any type. */
  readonly accept?: string;
}

/** Rows of shop a, rows that only exist in one of the two worlds, new rows of shop a, and rows that exist in none. */
export const id = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => idOf(0, n)) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => idOf(1, n)) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }).map((n) => idOf(2, 5 * n + 1)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((n) => idOf(3, n)) },
);
/** Mostly the deleted row of shop a. */
export const deletedId = fc.oneof(fc.constant(idOf(0, 3)), id);
/** Ids of shelves, which callers choose. A key that another tenant uses has a test of its own. */
export const shelfId = fc.constantFrom(idOf(0, 1), idOf(0, 2), idOf(2, 1), idOf(3, 1));
export const own = fc.integer({ min: 1, max: 2 }).map((n) => idOf(0, n));
export const title = fc.constantFrom("Emma", "Ulysses", "Dune");
export const isbn = fc.integer({ min: 1, max: 6 }).map(String);
export const stars = fc.integer({ min: 1, max: 5 });
export const quantifier = fc.constantFrom("some", "every", "none");
export const order = fc.constantFrom("title", "-title", "-price,title");

export const cursor = fc.constantFrom(...(await cursorsOfBen()));
export const key = fc.constantFrom(...KEYS);

export const get = (url: string): Asked => ({ method: "GET", url });
export const write = (method: string, url: string, body?: object): Asked => ({ method, url, ...(body && { body }) });
export const graphql = (query: string, variables: object = {}): Asked => ({
  method: "POST",
  url: "/graphql",
  body: { query, variables },
});
export const draw = <const T extends readonly fc.Arbitrary<unknown>[]>(
  parts: T,
  to: (...drawn: { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never }) => Asked,
): fc.Arbitrary<Asked> => fc.tuple(...parts).map((drawn) => to(...(drawn as never)));
