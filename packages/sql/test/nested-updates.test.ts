import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  type Principal,
  silentLog,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const isAnn = ({ principal }: { readonly principal: Principal | null }): boolean => principal?.id === "ann";
const open = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string().min(1) },
  relations: {
    tags: manyToMany("tag", { links: 3 }),
    reviews: hasMany("review", "bookId", { writes: { create: 2, update: 2, delete: 2 } }),
  },
  access: { ...open, relations: { tags: { link: (asked) => isAnn(asked) || { title: { ne: "closed" } } } } },
});
const tag = defineResource("tag", {
  fields: { slug: z.string(), isHidden: z.boolean(), isLocked: z.boolean() },
  key: "slug",
  relations: { books: manyToMany("book") },
  access: {
    ...open,
    read: (asked) => isAnn(asked) || { isHidden: { eq: false } },
    relations: { books: { link: (asked) => isAnn(asked) || { isLocked: { eq: false } } } },
  },
});
const review = defineResource("review", {
  fields: { id: z.int32(), stars: z.int32().min(1), slot: z.int32().nullable(), bookId: z.int32() },
  unique: ["slot"],
  relations: { book: belongsTo("book", "bookId"), words: hasMany("word", "reviewId") },
  access: {
    ...open,
    read: (asked) => isAnn(asked) || { stars: { lt: 9 } },
    update: (asked) => isAnn(asked) || { stars: { lt: 5 } },
    delete: (asked) => isAnn(asked) || { stars: { lt: 5 } },
  },
});
const word = defineResource("word", {
  fields: { id: z.int32(), reviewId: z.int32() },
  relations: { review: belongsTo("review", "reviewId") },
  access: open,
});

function createApi(store: Store) {
  return defineApi({ resources: [book, tag, review, word], store, log: silentLog });
}
type Api = ReturnType<typeof createApi>;
const SYSTEM = asSystem("a test");
const ANN: Principal = { id: "ann" };
const CALLERS = [ANN, ANN, { id: "bob" }, null];

interface Change {
  readonly title?: string;
  readonly tags?: readonly string[] | { readonly add?: readonly string[]; readonly remove?: readonly string[] };
  readonly reviews?: {
    readonly create?: readonly { readonly id: number; readonly stars: number; readonly slot: number | null }[];
    readonly update?: readonly { readonly id: number; readonly stars?: number; readonly slot?: number | null }[];
    readonly delete?: readonly number[];
  };
}

const slugs = fc.uniqueArray(fc.constantFrom("a", "b", "c", "hidden", "locked"), { maxLength: 3 });
/** Most values are valid, so that most changes succeed. */
const usually = <T>(good: readonly T[], ...bad: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
const stars = usually([1, 2, 3, 4], 5, 9, 0);
const slot = usually<number | null>([null, null, 2, 3], 1);
/** Reviews 1, 2 and 3 belong to book 1, and review 4 to book 2. Review 5 doesn't exist. */
const known = usually([1, 2, 3], 4, 5);
const changes: fc.Arbitrary<Change> = fc
  .record(
    {
      title: usually(["new"], "closed", ""),
      tags: fc.oneof(slugs, fc.record({ add: slugs, remove: slugs }, { requiredKeys: [] })),
      created: fc.uniqueArray(fc.record({ id: fc.constantFrom(7, 8), stars, slot }), {
        maxLength: 2,
        selector: ({ id }) => id,
      }),
      updated: fc.uniqueArray(fc.record({ id: known, stars, slot }, { requiredKeys: ["id"] }), {
        maxLength: 2,
        selector: ({ id }) => id,
      }),
      deleted: fc.uniqueArray(usually([1, 1, 3], 2, 4, 5), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  )
  .map(({ title, tags, created, updated, deleted }) => {
    const gone = new Set(deleted);
    const reviews = {
      ...(created === undefined ? {} : { create: created }),
      ...(updated === undefined ? {} : { update: updated.filter(({ id }) => !gone.has(id)) }),
      ...(deleted === undefined ? {} : { delete: deleted }),
    };
    return {
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
      ...(Object.keys(reviews).length === 0 ? {} : { reviews }),
    };
  });

/** Makes the changes with separate requests, as a client would without nested updates. */
async function changeEach(
  api: Api,
  caller: Principal | null,
  { title, tags = {}, reviews = {} }: Change,
): Promise<void> {
  const local = api.as(caller);
  await local.book.update(1, title === undefined ? {} : { title });
  let { add = [], remove = [] } = Array.isArray(tags)
    ? {}
    : (tags as Exclude<Change["tags"], readonly string[] | undefined>);
  if (add.some((slug) => remove.includes(slug))) throw new Error("A tag is named twice.");
  if (add.length + remove.length > 3) throw new Error("There are more than the relation takes.");
  if (Array.isArray(tags)) {
    const found = await local.book.get(1, { select: { tags: { select: { slug: true }, page: { size: 50 } } } });
    const before = (found?.tags ?? []).map((one) => one.slug);
    for (const slug of tags as readonly string[])
      if ((await local.tag.get(slug)) === null) throw new Error("It is hidden.");
    add = (tags as readonly string[]).filter((slug) => !before.includes(slug));
    remove = before.filter((slug) => !(tags as readonly string[]).includes(slug));
  }
  for (const slug of remove) await local.book.unlink(1, "tags", slug);
  for (const slug of add) await local.book.link(1, "tags", slug);
  const requireChild = async (id: number): Promise<void> => {
    if ((await local.review.get(id))?.bookId !== 1) throw new Error("It is no review of this book.");
  };
  for (const id of [...(reviews.delete ?? []), ...(reviews.update ?? []).map((one) => one.id)]) await requireChild(id);
  for (const id of reviews.delete ?? []) await local.review.delete(id);
  for (const { id, ...fields } of reviews.update ?? []) await local.review.update(id, fields);
  for (const one of reviews.create ?? []) await local.review.create({ ...one, bookId: 1 });
}

async function fill(api: Api): Promise<void> {
  const local = api.as(SYSTEM);
  for (const { id } of (await local.word.list()).items) await local.word.delete(id);
  for (const { id } of (await local.review.list()).items) await local.review.delete(id);
  for (const { id } of (await local.book.list()).items) await local.book.delete(id);
  for (const { slug } of (await local.tag.list()).items) await local.tag.delete(slug);
  for (const slug of ["a", "b", "c", "hidden", "locked"]) {
    await local.tag.create({ slug, isHidden: slug === "hidden", isLocked: slug === "locked" });
  }
  await local.book.create({ id: 1, title: "one", tags: ["a", "hidden"] });
  await local.book.create({ id: 2, title: "two", tags: ["a"] });
  for (const [id, one] of [
    [1, 2],
    [2, 4],
    [3, 9],
    [4, 1],
  ] as const) {
    await local.review.create({ id, stars: one, slot: id === 1 ? 1 : null, bookId: id === 4 ? 2 : 1 });
  }
  // A deletion of review 2 is rejected.
  await local.word.create({ id: 1, reviewId: 2 });
}

async function rowsOf(api: Api): Promise<unknown> {
  const local = api.as(SYSTEM);
  const select = { id: true, title: true, tags: { select: { slug: true } } } as const;
  return [(await local.book.list({ select })).items, (await local.review.list()).items];
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers])("$name", ({ missing, create }) => {
  let database: TestDatabase | undefined;
  let api: Api;
  const other = createApi(memoryStore());
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create?.();
    api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true, max: 2 }));
    await api.ready;
  });
  afterAll(async () => {
    if (missing !== undefined) return;
    await api.close();
    await database?.drop();
  });

  test.skipIf(missing !== undefined)(
    `B02, I17: a nested update has the same effect as single writes, all or none${missing === undefined ? "" : ` (${missing})`}`,
    async () => {
      const numRuns = database === undefined ? 120 : 40;
      const done = { links: 0, create: 0, update: 0, delete: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(changes, fc.constantFrom(...CALLERS), async (change, caller) => {
          await fill(api);
          await fill(other);
          const before = await rowsOf(api);
          const attempt = (work: Promise<unknown>): Promise<boolean> =>
            work.then(
              () => true,
              () => false,
            );
          const nested = await attempt(api.as(caller).book.update(1, change));
          const single = await attempt(changeEach(other, caller, change));
          expect(nested).toBe(single);
          expect(await rowsOf(api)).toEqual(nested ? await rowsOf(other) : before);
          if (!nested) done.refused++;
          else {
            if (change.tags !== undefined) done.links++;
            for (const kind of ["create", "update", "delete"] as const)
              if (change.reviews?.[kind]?.length) done[kind]++;
          }
        }),
        { numRuns, seed: drawSeed("NESTED_SEED") },
      );
      expect(Object.entries(done).filter(([, count]) => count < numRuns / 40)).toEqual([]);
    },
    120_000,
  );
});
