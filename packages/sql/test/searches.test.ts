import { allow, belongsTo, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { type ResourceModel, wordsOf } from "@bifocal/core/store";
import { drawSeed } from "@bifocal/test-servers/seed";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { TEXTS } from "./differential/values.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access });
const note = defineResource("note", {
  fields: { id: z.int32(), title: z.string(), text: z.string().nullable(), authorId: z.int32().nullable() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  search: ["title", "author.name", "text"],
});
const openApi = (store: Store) => defineApi({ resources: [author, note], store });
type Api = ReturnType<typeof openApi>;

/** Words in several scripts, forms of accents and cases, and the characters around them. */
const PARTS = [
  "emma",
  "Émma",
  "e\u0301mma",
  "EMMA",
  "emmas",
  "straße",
  "STRASSE",
  "İstanbul",
  "istanbul",
  "ΑΣ",
  "ας",
  "нью",
  "Йорк",
  "йорк",
  "が",
  "か\u3099",
  "한국",
  "\u1112\u1161\u11ab",
  "\u0958",
  "\u0915\u093c",
  "日本",
  "½",
  "²",
  "ﬁ",
  "ſ",
  "K",
  "3d",
  "12",
  "1e5",
  "naïve",
  "o'brien",
  "a-b",
  "x_y",
  "\u0301",
  "ǆ",
  "Ǆ",
  "𐐀",
  "𐐨",
  "ñ",
  "Ångström",
  "\u212Bngström",
  "w".repeat(99),
  "w".repeat(100),
  "w".repeat(101),
  "w".repeat(130),
];
const GAPS = [
  " ",
  " ",
  " ",
  ", ",
  "_",
  "-",
  "\u00a0",
  "\u2014",
  "\u3002",
  "\u037e",
  "\u0387",
  "😀",
  "\n",
  "",
  "\u0301 ",
  "·",
];

const part = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PARTS) }, fc.constantFrom(...TEXTS));
const text = fc
  .array(fc.tuple(part, fc.constantFrom(...GAPS)), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join("").slice(0, 400))
  .filter((one) => one.isWellFormed() && !one.includes("\0"));

const rows = fc.record({
  authors: fc.array(text, { minLength: 1, maxLength: 3 }),
  notes: fc.array(fc.record({ title: text, text: fc.option(text), author: fc.option(fc.nat(2)) }), {
    minLength: 1,
    maxLength: 8,
  }),
});

/** A query from the words of the rows, cut and in another form, or from anywhere. */
const cases = rows.chain((data) => {
  const words = [...data.authors, ...data.notes.flatMap((one) => [one.title, one.text ?? ""])].flatMap(wordsOf);
  const known = words.length === 0 ? part : fc.constantFrom(...words);
  const word = fc
    .tuple(fc.oneof({ weight: 4, arbitrary: known }, part), fc.nat(120), fc.nat(3))
    .map(([one, cut, form]) => {
      const points = Array.from(one);
      if (form === 0) return points.slice(0, Math.max(1, cut % (points.length + 1))).join("");
      return form === 1 ? one.toUpperCase() : form === 2 ? one.normalize("NFD") : one;
    });
  const queries = fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 8 });
  return fc.record({ data: fc.constant(data), queries });
});

/** Texts of one character that fold to several, and searches for their starts. */
const FORMS: readonly (readonly [text: string, search: string, isFound: boolean])[] = [
  ["x \u0958", "\u0915", true],
  ["x \u0958", "\u0915\u093c", true],
  ["x \u0958ab", "\u0915", true],
  ["x \u0958ab", "\u0915 x", false],
  ["\ufb2c", "\u05e9", true],
  ["\ufb2c", "\u05e9\u05bc", true],
  ["\ufb49\u05c1", "\u05e9\u05bc\u05c1", true],
  ["か\u3099", "か", false],
  ["\u1112\u1161\u11ab", "\u1112", false],
  ["\u1112\u1161\u11ab", "\ud558", false],
  ["\u1112\u1161\u11ab", "\ud55c", true],
];

describe.each(servers)("$name", ({ missing, create }) => {
  let database: TestDatabase;
  const opened: Api[] = [];
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  test.skipIf(missing !== undefined)(
    "finds the same rows as memoryStore, in the same order",
    async () => {
      const seed = drawSeed("SEARCH_SEED");
      await database.clear();
      const sql = openApi(sqlStore({ url: database.url, autoCreate: true, foreignKeys: false }));
      opened.push(sql);
      await sql.ready;
      const found = { none: 0, some: 0 };
      await fc.assert(
        fc.asyncProperty(cases, async ({ data, queries }) => {
          const memory = openApi(memoryStore());
          try {
            for (const { local } of [memory, sql]) {
              for (const [id, name] of data.authors.entries()) await local.author.create({ id, name });
              for (const [id, one] of data.notes.entries()) {
                const authorId = one.author === null || one.author >= data.authors.length ? null : one.author;
                await local.note.create({ id, title: one.title, text: one.text, authorId });
              }
            }
            for (const query of queries) {
              const search = query.join(" ");
              if (wordsOf(search).length === 0 || search.length > 200) continue;
              const ids = async ({ local }: Api): Promise<unknown> => {
                const { items, total } = await local.note.list({ search, count: true, page: { size: 3 } });
                return [items.map(({ id }) => id), total];
              };
              const expected = await ids(memory);
              expect(await ids(sql)).toEqual(expected);
              found[(expected as [unknown, number])[1] === 0 ? "none" : "some"] += 1;
            }
          } finally {
            await memory.close();
            for (const { id } of (await sql.local.note.list()).items) await sql.local.note.delete(id);
            for (const { id } of (await sql.local.author.list()).items) await sql.local.author.delete(id);
          }
        }),
        { seed, numRuns: Number(process.env["SEARCH_RUNS"] ?? 40) },
      );
      expect(found.some).toBeGreaterThan(30);
      expect(found.none).toBeGreaterThan(5);
    },
    60_000 + 100 * Number(process.env["SEARCH_RUNS"] ?? 0),
  );

  test.skipIf(missing !== undefined)("checks the words of a row after an update", async () => {
    await database.clear();
    const store = sqlStore({ url: database.url, autoCreate: true });
    const api = openApi(store);
    opened.push(api);
    await api.local.note.create({ id: 1, title: "old", text: null, authorId: null });
    const resource = api.model.resources.get("note") as ResourceModel;
    const update = async (title: string, word: string) => {
      const words = { kind: "compare", field: "title", operator: "hasWord", value: word } as const;
      const check = { kind: "or", filters: [words, { ...words, field: "text" }] } as const;
      return (await store.update({ resource, key: 1, set: { title }, check }, { signal: undefined })).kind;
    };
    expect(await update("new", "old")).toBe("refused");
    expect(await update("new", "new")).toBe("done");
  });

  test.skipIf(missing !== undefined).each(FORMS)("searches %j for %j", async (title, search, isFound) => {
    await database.clear();
    for (const store of [memoryStore(), sqlStore({ url: database.url, autoCreate: true })]) {
      const api = openApi(store);
      opened.push(api);
      await api.local.note.create({ id: 1, title, text: null, authorId: null });
      expect((await api.local.note.list({ search })).items).toHaveLength(isFound ? 1 : 0);
    }
  });
});
