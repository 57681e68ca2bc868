import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
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
  sequence,
  silentLog,
} from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const tenant = {
  field: "orgId",
  of: (principal: Principal | null) => principal?.claims?.["org"] as string | undefined,
} as const;
const org = { orgId: z.string() };

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), ...org },
  generated: { id: sequence() },
  tenant,
  relations: {
    tags: manyToMany("tag", { links: 5 }),
    reviews: hasMany("review", "bookId", { writes: { create: 2, update: 2, delete: 2 } }),
  },
  access,
});
const tag = defineResource("tag", {
  fields: { id: z.int32(), slug: z.string(), ...org, deletedAt: z.iso.datetime().nullable() },
  generated: { id: sequence() },
  tenant,
  softDelete: "deletedAt",
  access,
});
const review = defineResource("review", {
  fields: { id: z.int32(), stars: z.int32(), bookId: z.int32(), ...org, deletedAt: z.iso.datetime().nullable() },
  generated: { id: sequence() },
  tenant,
  softDelete: "deletedAt",
  relations: { book: belongsTo("book", "bookId") },
  access,
});

const ANN = { id: "ann", claims: { org: "a" } };
const BEN = { id: "ben", claims: { org: "b" } };
/** The ids of tags: of each tenant, and of a deleted one. */
const [MINE, THEIRS, GONE] = [1, 2, 3];
const create = () => defineApi({ resources: [book, tag, review], store: memoryStore(), log: silentLog });
let api: ReturnType<typeof create>;

beforeEach(async () => {
  api = create();
  for (const [caller, slug, tagId] of [
    [ANN, "mine", MINE],
    [BEN, "theirs", THEIRS],
  ] as const) {
    const local = api.as(caller);
    await local.tag.create({ slug });
    const { id } = await local.book.create({ title: slug, tags: [tagId] });
    await local.review.create({ stars: 1, bookId: id });
  }
  await api.as(ANN).tag.create({ slug: "gone" });
  await api.as(ANN).book.link(1, "tags", GONE);
  await api.as(ANN).tag.delete(GONE);
});

const unknown = (...path: readonly (string | number)[]) => ({
  code: "VALIDATION_FAILED",
  issues: [{ path, code: "unknown_reference" }],
});

test("a nested write can't reach rows of another tenant", async () => {
  const { book: books } = api.as(ANN);
  await expect(books.update(1, { tags: { add: [THEIRS] } })).rejects.toMatchObject(unknown("tags", "add", 0));
  await expect(books.update(1, { tags: [THEIRS] })).rejects.toMatchObject(unknown("tags", 0));
  await expect(books.create({ title: "x", tags: [THEIRS] })).rejects.toMatchObject(unknown("tags", 0));
  const stolen = { reviews: { update: [{ id: 2, stars: 5 }] } };
  await expect(books.update(1, stolen)).rejects.toMatchObject(unknown("reviews", "update", 0, "id"));
  await expect(books.update(1, { reviews: { delete: [2] } })).rejects.toMatchObject(unknown("reviews", "delete", 0));
  await expect(books.update(2, { reviews: { create: [{ stars: 5 }] } })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await books.update(1, { tags: [], reviews: { create: [{ stars: 3 }] } });
  const starsOf = async (caller: Principal) => (await api.as(caller).review.list()).items.map(({ stars }) => stars);
  expect([await starsOf(ANN), await starsOf(BEN)]).toEqual([[1, 3], [1]]);
  expect(await api.as(BEN).book.get(2, { select: { tags: { select: { slug: true } } } })).toEqual({
    tags: [{ slug: "theirs" }],
  });
});

test("a nested write can't reach deleted rows, and deletes softly", async () => {
  const { book: books, review: reviews, tag: tags } = api.as(ANN);
  await expect(books.update(1, { tags: { add: [GONE] } })).rejects.toMatchObject(unknown("tags", "add", 0));
  await books.update(1, { reviews: { delete: [1] } });
  expect(await reviews.get(1)).toBeNull();
  const again = books.update(1, { reviews: { update: [{ id: 1, stars: 2 }] } });
  await expect(again).rejects.toMatchObject(unknown("reviews", "update", 0, "id"));
  await api.as(asSystem("a test")).review.restore(1);
  expect(await reviews.get(1)).toMatchObject({ stars: 1 });
  // A list doesn't remove links to deleted rows, so a restored row is linked again.
  await books.update(1, { tags: [] });
  await tags.restore(GONE);
  expect(await books.get(1, { select: { tags: { select: { slug: true } } } })).toEqual({ tags: [{ slug: "gone" }] });
});
