import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askGraphql, askRest, rowsBefore } from "./ask.ts";
import { CALLERS, createLibrary } from "./library.ts";
import { question } from "./question.ts";
import { KINDS, type Recorded } from "./stores.ts";

/** Reads in all stores together, by each caller. */
const RUNS = Number(process.env["EQUIVALENCE_RUNS"] ?? 1000);

describe.each(KINDS)("on $name", ({ missing, share, create }) => {
  let recorded: Recorded;
  let library: ReturnType<typeof createLibrary>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    recorded = await create();
    library = createLibrary({ store: recorded.store, sales: true });
    await library.fill();
  }, 60_000);
  afterAll(async () => {
    await library?.api.close();
    await recorded?.drop();
  });

  test.skipIf(missing !== undefined).each(CALLERS)(
    "a URL and a document with the same meaning lower to the same operation for $name",
    async ({ principal }) => {
      const { api } = library;
      const numRuns = Math.ceil(RUNS * share);
      let answered = 0;
      let found = 0;
      /** Reads along references of several fields, or to a unique field. */
      let along = 0;
      /** Reads with the total of a relation. */
      let counted = 0;
      /** Reads of decimals, and lists that are filtered or sorted by them. */
      const decimals = { read: 0, by: 0 };
      /** Lists of queries. */
      let queried = 0;
      /** Reads with computed fields of each kind, and lists that are filtered or sorted by such fields. */
      const computed = { get: 0, load: 0, related: 0, by: 0 };
      await fc.assert(
        fc.asyncProperty(question, async (asked) => {
          const rest = await askRest(api, principal, asked);
          const graphql = await askGraphql(api, principal, asked);
          expect(rest.operations).not.toBe("");
          expect(graphql.operations).toBe(rest.operations);
          // REST rejects a URL that names an unreadable field. GraphQL reports it in each row, so without rows it reports
          // nothing.
          const isSilent = rest.denied !== undefined && graphql.codes.length === 0;
          expect(isSilent ? rowsBefore(graphql.data, rest.denied ?? "") : graphql.codes).toEqual(
            isSilent ? [] : rest.codes,
          );
          expect(rest.codes.length === 0 ? graphql.data : null).toEqual(rest.data);
          const hasRows = rest.codes.length === 0 && [rest.data].flat().length > 0;
          if (hasRows) answered += 1;
          if (hasRows && asked.id === undefined && asked.search !== undefined) found += 1;
          const isAlong = asked.want.relations.some(({ name }) => ["shelf", "shelves", "copies"].includes(name));
          if (hasRows && isAlong) along += 1;
          if (hasRows && asked.query !== undefined) queried += 1;
          const text = hasRows ? JSON.stringify(rest.data) : "";
          if (text.includes('@count":')) counted += 1;
          if (/"(initial|isCheap)":/.test(text)) computed.get += 1;
          if (text.includes('"domain":')) computed.load += 1;
          if (/"(bookCount|dearest|reviewCount|goodReviews|stars)":/.test(text)) computed.related += 1;
          const by = JSON.stringify([asked.id === undefined ? asked.filter : undefined, asked.sort]);
          if (/"(amount|fee|revenue|average|least|largest)":"/.test(text)) decimals.read += 1;
          if (hasRows && /"-?(amount|fee|revenue|average|least|largest)"/.test(by)) decimals.by += 1;
          if (rest.codes.length === 0 && /"-?(bookCount|dearest|goodReviews)"/.test(by)) computed.by += 1;
        }),
        { numRuns, seed: drawSeed("EQUIVALENCE_SEED") },
      );
      // Only admins read memos, and anonymous callers read no addresses: measured over 1,800 reads, 0.27 of the answers to
      // anonymous callers have rows, and 0.58 of those to admins.
      expect(answered / numRuns).toBeGreaterThan(principal?.roles?.includes("admin") ? 0.35 : 0.1);
      // Few reads run on databases, so that none of them may be a search with results. Anonymous callers receive fewer rows.
      expect(found).toBeGreaterThan(numRuns / 200 - (principal === null ? 4 : 2));
      expect(along).toBeGreaterThan(numRuns * 0.03 - 2);
      expect(counted).toBeGreaterThan(numRuns * 0.03 - 2);
      expect(queried).toBeGreaterThan(numRuns / 100 - (principal === null ? 4 : 2));
      expect(Math.min(computed.get, computed.related)).toBeGreaterThan(numRuns / 100 - 2);
      // Anonymous callers can't read addresses.
      expect(principal === null ? computed.load : 0).toBe(0);
      expect(principal === null ? numRuns : computed.load).toBeGreaterThan(numRuns / 200 - 2);
      expect(computed.by).toBeGreaterThan(numRuns / 200 - 2);
      expect(decimals.read).toBeGreaterThan(numRuns / (principal === null ? 100 : 50) - 3);
      expect(decimals.by).toBeGreaterThan(numRuns / 100 - 3);
    },
    3_600_000,
  );
});
