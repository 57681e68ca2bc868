import { allow, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { drawSeed } from "@bifocal/test-servers/seed";
import { type TestDatabase } from "@bifocal/test-servers";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string().nullable() },
  access: { read: allow, create: allow, update: allow, delete: allow },

  filterable: ["id", "text"],
});
const openApi = (store: Store) => defineApi({ resources: [note], store });
type Api = ReturnType<typeof openApi>;

/** Letters whose case depends on their position, changes their length, or maps to several letters. */
const LETTERS = [
  ...Array.from("iIİıkK\u212AσςΣßẞåÅ\u212BωΩ\u2126θϴǆǅǄаАяЯⰀⰰᎠꭰაᲐ𐐀𐐨ԱաﬃⅣⅳ %_!'*?[]\\-^."),
  "i\u0307",
  "\u0307",
];
/** Enough letters with case that a needle contains more of them than a statement replaces individually. */
const CASED = Array.from({ length: 0x600 }, (_, at) => String.fromCharCode(at)).filter(
  (letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter,
);

const textOf = (maxLength: number, letters: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((parts) => parts.join(""));

/** A text, and either a part of it in another case or an independent needle. */
const cases = fc
  .array(fc.oneof(textOf(12, LETTERS), textOf(400, CASED)), { minLength: 1, maxLength: 6 })
  .chain((texts) =>
    fc.record({
      texts: fc.constant(texts),
      operator: fc.constantFrom("icontains", "istartsWith", "iendsWith"),
      needle: fc.oneof(
        { weight: 1, arbitrary: textOf(3, LETTERS) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(fc.constantFrom(...texts), fc.nat(400), fc.oneof(fc.nat(4), fc.nat(400)), fc.constantFrom(0, 1, 2))
            .map(([text, from, length, form]) => {
              const points = Array.from(text);
              const start = from % (points.length + 1);
              const part = points.slice(start, start + length).join("");
              return form === 0 ? part : form === 1 ? part.toUpperCase() : part.toLowerCase();
            }),
        },
      ),
    }),
  );

/** The store's own connections, and those of an application, whose SQLite lacks the store's SQL functions. */
const WAYS = hosts.flatMap(({ name, server, dialect }) => [
  { name, server, source: (url: string) => ({ url }) },
  ...(name === "sqlite"
    ? [{ name: "sqlite of the application", server, source: (url: string) => ({ dialect: dialect(url) }) }]
    : []),
]);

describe.each(WAYS)("$name", ({ server: { missing, create }, source }) => {
  let database: TestDatabase;
  const opened: Api[] = [];
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined)(
    "ignores the case of any text like memoryStore",
    async () => {
      const memory = openApi(memoryStore());
      const api = openApi(sqlStore({ ...source(database.url), autoCreate: true }));
      opened.push(memory, api);
      let [id, matches, others] = [0, 0, 0];
      const property = fc.asyncProperty(cases, async ({ texts, operator, needle }) => {
        const first = id;
        for (const text of [...texts, null]) {
          for (const own of [memory, api]) await own.local.note.create({ id, text });
          id++;
        }
        const filter = { id: { gte: first }, text: { [operator]: needle } };
        const ids = async (own: Api) => (await own.local.note.list({ filter })).items.map((row) => row.id - first);
        const expected = await ids(memory);
        expect(await ids(api)).toEqual(expected);
        matches += expected.length;
        others += texts.length - expected.length;
      });
      await fc.assert(property, { numRuns: 150, seed: drawSeed("CASE_SEED") });
      expect(matches).toBeGreaterThan(50);
      expect(others).toBeGreaterThan(50);
    },
    60_000,
  );
});
