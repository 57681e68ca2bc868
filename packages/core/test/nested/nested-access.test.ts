import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  type Principal,
  type RuleContext,
  sequence,
  silentLog,
} from "../../src/index.ts";
import { rateLimit } from "../../src/limits/rate-limit/rate-limit.ts";
import { send } from "../request.ts";

const ran: string[] = [];
const is =
  (role: string) =>
  ({ principal }: Pick<RuleContext, "principal">) =>
    principal?.roles?.includes(role) ?? false;
const isAdmin = is("admin");

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), ownerId: z.string(), isOpen: z.boolean() },
  generated: { id: sequence() },
  relations: {
    tags: manyToMany("tag", { links: 100 }),
    reviews: hasMany("review", "bookId", { creates: 2, writes: { create: 2, update: 2, delete: 2 } }),
    notes: hasMany("note", "bookId", { creates: 1, writes: { create: 0, update: 1, delete: 0 } }),
  },
  hooks: { update: { before: () => void ran.push("book") } },
  access: {
    read: (asked) => !is("blind")(asked),
    create: allow,
    update: (asked) => isAdmin(asked) || is("blind")(asked) || { ownerId: { eq: asked.principal?.id ?? "" } },
    delete: allow,
    relations: {
      reviews: { read: (asked) => !is("guest")(asked) && (isAdmin(asked) || { isOpen: { eq: true } }) },
      tags: {
        read: (asked) => !is("guest")(asked),
        link: (asked) => isAdmin(asked) || { isOpen: { eq: true } },
      },
    },
  },
});

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string(), bookId: z.int32() },
  generated: { id: sequence() },
  requirePrecondition: true,
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const tag = defineResource("tag", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const review = defineResource("review", {
  fields: { id: z.int32(), stars: z.int32().max(5), bookId: z.int32() },
  generated: { id: sequence() },
  access: {
    read: allow,
    create: (asked) => isAdmin(asked) || { stars: { gt: 1 } },
    update: (asked) => isAdmin(asked) || { stars: { lt: 5 } },
    delete: (asked) => isAdmin(asked) || { stars: { lt: 3 } },
  },
});

const OPEN = "/books/1";
const CLOSED = "/books/2";
const CALLERS: Readonly<Record<string, Principal>> = {
  ann: { id: "ann" },
  admin: { id: "root", roles: ["admin"] },
  guest: { id: "ann", roles: ["guest"] },
  blind: { id: "ann", roles: ["blind"] },
};

/** Three books: an open and a closed one of Ann, and an open one of Bob, with two reviews and a tag each. */
async function createClub(cascade = 3) {
  const api = defineApi({
    resources: [book, tag, review, note],
    store: memoryStore(),
    log: silentLog,
    limits: { query: { cascade } },
    rateLimit: rateLimit({ points: 10_000 }),
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => CALLERS[String(headers["authorization"])] ?? null,
    },
  });
  const system = api.as(asSystem("a test"));
  for (let id = 1; id <= 9; id++) await system.tag.create({ id });
  for (const [ownerId, isOpen] of [
    ["ann", true],
    ["ann", false],
    ["bob", true],
  ] as const) {
    await system.book.create({
      title: "Emma",
      ownerId,
      isOpen,
      tags: [1],
      reviews: [{ stars: 2 }, { stars: 5 }],
      notes: [{ text: "?" }],
    });
  }
  ran.length = 0;
  return api;
}

let api: Awaited<ReturnType<typeof createClub>>;
beforeEach(async () => {
  api = await createClub();
});

async function patch(caller: string, path: string, body: object) {
  const answer = await send(api, "PATCH", path, { headers: { authorization: caller }, body });
  const { errors = [] } = answer.body as { readonly errors?: readonly { path: readonly unknown[]; code: string }[] };
  return [answer.status, ...errors.map(({ path: at, code }) => `${at.join(".")} ${code}`)];
}
const reviewsOf = async (path: string): Promise<unknown> =>
  (await send(api, "GET", `${path}/reviews?fields=id,stars`, { headers: { authorization: "admin" } })).body;
const tagsOf = async (path: string): Promise<unknown> =>
  (await send(api, "GET", `${path}/tags`, { headers: { authorization: "admin" } })).body;
const UPDATE = { reviews: { update: [{ id: 1, stars: 3 }] } };

describe("the rules of a nested update", () => {
  test("a relation that a caller can never read is rejected before the row is read", async () => {
    for (const path of [OPEN, CLOSED, "/books/99"]) {
      expect(await patch("guest", path, UPDATE)).toEqual([403, "reviews FORBIDDEN"]);
      expect(await patch("guest", path, { reviews: { delete: [1] } })).toEqual([403, "reviews FORBIDDEN"]);
      expect(await patch("guest", path, { tags: [1] })).toEqual([403, "tags FORBIDDEN"]);
    }
    // These results don't depend on the related rows.
    expect(await patch("guest", OPEN, { reviews: { create: [{ stars: 3 }] } })).toEqual([200]);
    expect(await patch("guest", OPEN, { tags: { add: [2] } })).toEqual([200]);
  });

  test("a relation that a caller can read for some rows is rejected for the others", async () => {
    const change = { reviews: { update: [{ id: 3, stars: 3 }] } };
    expect(await patch("ann", CLOSED, change)).toEqual([403, "reviews FORBIDDEN"]);
    // A row that doesn't exist looks the same.
    expect(await patch("ann", CLOSED, { reviews: { delete: [99] } })).toEqual([403, "reviews FORBIDDEN"]);
    expect(await patch("admin", CLOSED, change)).toEqual([200]);
    expect(await patch("ann", OPEN, UPDATE)).toEqual([200]);
  });

  test("related rows are updated and deleted by their own rules, as they were before", async () => {
    const raise = { reviews: { update: [{ id: 2, stars: 1 }] } };
    expect(await patch("ann", OPEN, raise)).toEqual([403, "reviews.update.0 FORBIDDEN"]);
    expect(await patch("ann", OPEN, { reviews: { delete: [2] } })).toEqual([403, "reviews.delete.0 FORBIDDEN"]);
    expect(await reviewsOf(OPEN)).toEqual([
      { id: 1, stars: 2 },
      { id: 2, stars: 5 },
    ]);
    expect(ran).toEqual([]);
    expect(await patch("ann", OPEN, { reviews: { delete: [1] } })).toEqual([200]);
    expect(await patch("admin", OPEN, raise)).toEqual([200]);
    expect(await reviewsOf(OPEN)).toEqual([{ id: 2, stars: 1 }]);
  });

  test("a related row must be named with its version if its resource requires it", async () => {
    const change = { notes: { update: [{ id: 1, text: "!" }] } };
    expect(await patch("ann", OPEN, change)).toEqual([428, "notes.update.0 PRECONDITION_REQUIRED"]);
    expect(await patch("ann", OPEN, { notes: { update: [{ id: 1, text: "!", ifMatch: "*" }] } })).toEqual([200]);
  });

  test("the row itself is changed by its rule, even if only related rows change", async () => {
    const change = { reviews: { create: [{ stars: 3 }] } };
    expect(await patch("ann", "/books/3", change)).toEqual([403]);
    expect(await patch("ann", "/books/3", { tags: { add: [2] } })).toEqual([403]);
    // The change would make Ann the owner.
    expect(await patch("ann", "/books/3", { ownerId: "ann", ...change })).toEqual([403]);
    expect(await reviewsOf("/books/3")).toHaveLength(2);
  });

  test("a caller who can't read the resource gets an error that explains it", async () => {
    for (const path of [OPEN, "/books/99"]) expect(await patch("blind", path, { tags: { add: [2] } })).toEqual([403]);
    expect(await tagsOf(OPEN)).toHaveLength(1);
  });

  test("links are changed by the rule of the row", async () => {
    expect(await patch("ann", CLOSED, { tags: { add: [2] } })).toEqual([403, "tags FORBIDDEN"]);
    expect(await patch("ann", CLOSED, { tags: [] })).toEqual([403, "tags FORBIDDEN"]);
    expect(await tagsOf(CLOSED)).toEqual([{ id: 1 }]);
  });

  test("rows are created by their rules, which are decided before the first hook", async () => {
    expect(await patch("ann", OPEN, { title: "New", reviews: { create: [{ stars: 1 }] } })).toEqual([
      403,
      "reviews.create.0 FORBIDDEN",
    ]);
    expect(ran).toEqual([]);
    expect(await patch("ann", OPEN, { title: "New", reviews: { create: [{ stars: 2 }] } })).toEqual([200]);
    expect(ran).toEqual(["book"]);
  });
});

describe("limits of links", () => {
  test("a list can't set more links than the limit of a cascade", async () => {
    const set = async (...tags: readonly number[]) => patch("ann", OPEN, { tags });
    expect(await set(1, 2, 3)).toEqual([200]);
    expect(await set(1, 2)).toEqual([200]);
    expect(await patch("ann", OPEN, { tags: { add: [3, 4] } })).toEqual([200]);
    expect(await set(1)).toEqual([409, "tags CONFLICT"]);
    expect(await tagsOf(OPEN)).toHaveLength(4);
  });

  test("a point is charged for each 50 links that a list removes", async () => {
    api = await createClub(1_000);
    const system = api.as(asSystem("a test"));
    const ids = Array.from({ length: 100 }, (_, index) => 100 + index);
    for (const id of ids) await system.tag.create({ id });
    const remaining = async (): Promise<number> => {
      const { headers } = await send(api, "GET", "/tags?page[size]=1", { headers: { authorization: "ann" } });
      return Number(/r=(\d+)/.exec(String(headers["RateLimit"]))?.[1]);
    };
    const pointsOf = async (tags: readonly number[]): Promise<number> => {
      const before = await remaining();
      expect(await patch("ann", OPEN, { tags })).toEqual([200]);
      return before - (await remaining());
    };
    await pointsOf(ids);
    const points = await pointsOf([]);
    expect(points - (await pointsOf([]))).toBe(2);
  });
});
