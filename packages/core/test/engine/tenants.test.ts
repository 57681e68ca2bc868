import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  manyToMany,
  memoryStore,
  type Principal,
  uuid,
} from "../../src/index.ts";
import { ask as answer, send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const of = ({ claims }: Principal): string | undefined => claims?.["org"] as string | undefined;
const tenant = { field: "orgId", of } as const;
const ada = { id: "ada", claims: { org: "a" } };
const ben = { id: "ben", claims: { org: "b" } };
const nobody = { id: "cleo" };

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

/** Two shops with one book each, and a country that both see. */
function shops() {
  const book = defineResource("book", {
    fields: { id: z.uuid(), orgId: z.string(), isbn: z.string(), title: z.string(), country: z.string().nullable() },
    generated: { id: uuid() },
    tenant,
    unique: ["isbn"],
    relations: {
      reviews: hasMany("review", "bookId"),
      tags: manyToMany("tag"),
      home: belongsTo("country", "country"),
    },
    access: open,
    filterable: ["title", "isbn"],
    sortable: ["title"],
    groupable: ["title"],
    bulk: { create: 5, update: 5, delete: 5 },
    cache: { public: true, maxAge: 60 },
    actions: {
      copy: {
        on: "collection",
        access: allow,
        input: z.object({ id: z.string() }),
        output: z.array(z.string()),
        run: async ({ store, input }) => {
          const found = await store.list({});
          const other = await store.get(input.id);
          return [...found.map(({ title }) => title), String(other?.title)];
        },
      },
      steal: {
        on: "collection",
        access: allow,
        run: async ({ store }) => void (await store.create({ orgId: "b", isbn: "x", title: "x", country: null })),
      },
      move: {
        on: "item",
        access: allow,
        run: async ({ store, item }) => void (await store.update(item.id, { orgId: "b" })),
      },
    },
  });
  const review = defineResource("review", {
    fields: { id: z.uuid(), orgId: z.string(), stars: z.int32(), bookId: z.uuid() },
    generated: { id: uuid() },
    tenant,
    relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
    access: open,
    filterable: ["stars"],
    sortable: ["stars"],
    aggregatable: ["stars"],
  });
  const tag = defineResource("tag", {
    fields: { id: z.uuid(), orgId: z.string(), name: z.string() },
    generated: { id: uuid() },
    tenant,
    relations: { books: manyToMany("book") },
    access: open,
  });
  const country = defineResource("country", {
    key: "code",
    fields: { code: z.string(), name: z.string() },
    relations: { books: hasMany("book", "country") },
    access: open,
    filterable: ["name"],
  });
  const rows = (orgId: string, n: number) => ({
    book: { id: id(n), orgId, isbn: "1", title: `Title of ${orgId}`, country: "GB" },
    review: { id: id(n), orgId, stars: n, bookId: id(n) },
    tag: { id: id(n), orgId, name: `Tag of ${orgId}` },
  });
  const [a, b] = [rows("a", 1), rows("b", 2)];
  return defineApi({
    resources: [book, review, tag, country],
    auth: apiKeys({ ada, ben, nobody, elsewhere: { id: "ada", claims: { org: "b" } } }),
    store: memoryStore({
      data: {
        country: [{ code: "GB", name: "Britain" }],
        book: [a.book, b.book],
        review: [a.review, b.review],
        tag: [a.tag, b.tag],
        book_tag: [
          { bookId: id(1), tagId: id(1) },
          { bookId: id(2), tagId: id(2) },
        ],
      },
    }),
  });
}
type Shops = ReturnType<typeof shops>;
const as = (key: string) => ({ headers: { "x-api-key": key } });
const ask = async (api: Shops, query: string): Promise<unknown> => (await answer(api, query, as("ada"))).data;

describe("a tenant", () => {
  test("reads its own rows only, in both styles, relations, filters and aggregates", async () => {
    const api = shops();
    const get = (url: string) => send(api, "GET", url, as("ada"));
    expect((await get("/books?count=true&include=reviews,tags,home")).body).toMatchObject([{ id: id(1) }]);
    expect((await get("/books?count=true")).headers["Total-Count"]).toBe("1");
    expect((await get(`/books/${id(2)}`)).status).toBe(404);
    expect((await get(`/books/${id(2)}/reviews`)).status).toBe(404);
    expect((await get("/countries/GB/books")).body).toMatchObject([{ id: id(1) }]);
    expect((await get("/countries?filter[books][some][title]=Title%20of%20b")).body).toEqual([]);
    expect((await get("/countries?filter[books][every][title]=Title%20of%20a")).body).toHaveLength(1);
    expect((await get("/countries?filter[books][none][title]=Title%20of%20b")).body).toHaveLength(1);
    expect((await get("/books?aggregate=count&group=title")).body).toMatchObject([{ count: 1 }]);
    expect((await get("/reviews?aggregate=max.stars")).body).toMatchObject([{ max: { stars: 1 } }]);
    const document =
      "{ books { totalCount nodes { id reviews { nodes { id } } } } countries { nodes { books { totalCount nodes { title } } } } }";
    expect(await ask(api, document)).toEqual({
      books: { totalCount: 1, nodes: [{ id: id(1), reviews: { nodes: [{ id: id(1) }] } }] },
      countries: { nodes: [{ books: { totalCount: 1, nodes: [{ title: "Title of a" }] } }] },
    });
    expect((await api.as(ben).book.list()).items).toMatchObject([{ id: id(2) }]);
  });

  test("can't name the field in any way", async () => {
    const api = shops();
    const { body } = await send(api, "GET", `/books/${id(1)}`, as("ada"));
    expect(Object.keys(body as object)).not.toContain("orgId");
    for (const url of [
      "/books?filter[orgId]=b",
      "/books?sort=orgId",
      "/books?fields=orgId",
      "/books?group=orgId&aggregate=count",
    ]) {
      const [real, none] = [
        await send(api, "GET", url, as("ada")),
        await send(api, "GET", url.replaceAll("orgId", "nope"), as("ada")),
      ];
      expect([real.status, JSON.stringify(real.body).replaceAll("orgId", "nope")]).toEqual([
        none.status,
        JSON.stringify(none.body),
      ]);
      expect(real.status).toBe(400);
    }
    const input = { orgId: "b", isbn: "9", title: "t", country: null };
    expect((await send(api, "POST", "/books", { ...as("ada"), body: input })).status).toBe(422);
    expect((await send(api, "PATCH", `/books/${id(1)}`, { ...as("ada"), body: { orgId: "b" } })).status).toBe(422);
    expect(JSON.stringify((await send(api, "GET", "/openapi.json")).body)).not.toContain("orgId");
  });

  test("writes its own rows only, and other rows are like missing ones", async () => {
    const api = shops();
    const as_ = as("ada");
    const same = async (method: string, url: (n: number) => string, body?: (n: number) => object): Promise<number> => {
      const [theirs, missing] = await Promise.all(
        [2, 9].map((n) => send(api, method, url(n), { ...as_, ...(body && { body: body(n) }) })),
      );
      const bodies = [theirs, missing].map((one) => ({ ...(one?.body as object), instance: undefined }));
      expect([theirs?.status, bodies[0]]).toEqual([missing?.status, bodies[1]]);
      return theirs?.status ?? 0;
    };
    expect(
      await same(
        "PATCH",
        (n) => `/books/${id(n)}`,
        () => ({ title: "mine" }),
      ),
    ).toBe(404);
    expect(await same("DELETE", (n) => `/books/${id(n)}`)).toBe(404);
    expect(await same("POST", (n) => `/books/${id(n)}/move`)).toBe(404);
    expect(await same("PUT", (n) => `/books/${id(1)}/tags/${id(n)}`)).toBe(404);
    expect(
      await same(
        "POST",
        (n) => `/books/${id(n)}/reviews`,
        () => ({ stars: 1 }),
      ),
    ).toBe(404);
    expect(
      await same(
        "POST",
        () => "/reviews",
        (n) => ({ stars: 1, bookId: id(n) }),
      ),
    ).toBe(422);
    const { book } = api.as(ada);
    expect(await book.updateMany({ title: { startsWith: "Title" } }, { title: "mine" })).toEqual([id(1)]);
    expect(await book.deleteMany({ isbn: { eq: "1" } })).toEqual([id(1)]);
    expect(await api.as(ben).book.get(id(2))).toMatchObject({ title: "Title of b" });
    expect((await api.as(ben).review.list()).items).toHaveLength(1);
  });

  test("has its own unique values", async () => {
    const api = shops();
    const input = { isbn: "2", title: "New", country: null };
    const made = await api.as(ada).book.create(input);
    expect(made).not.toHaveProperty("orgId");
    expect(await api.as(ben).book.create(input)).toMatchObject({ isbn: "2" });
    const { status, body } = await send(api, "POST", "/books", { ...as("ada"), body: input });
    expect({ status, body }).toMatchObject({ status: 409, body: { errors: [{ path: ["isbn"] }] } });
    expect(JSON.stringify(body)).not.toContain("orgId");
  });

  test("limits actions, hooks and their rows", async () => {
    const api = shops();
    expect(await api.as(ada).book.actions.copy({ id: id(2) })).toEqual(["Title of a", "undefined"]);
    await expect(api.as(ada).book.actions.steal()).rejects.toMatchObject({ code: "INTERNAL" });
    await expect(api.as(ada).book.actions.move(id(1))).rejects.toMatchObject({ code: "INTERNAL" });
    expect((await api.as(ben).book.list()).items).toHaveLength(1);
  });

  test("receives its own events only", async () => {
    const api = shops();
    const changes = api.as(ada).book.watch();
    const first = changes.next();
    await api.as(ben).book.create({ isbn: "8", title: "Theirs", country: null });
    await api.as(ben).book.update(id(2), { title: "Theirs, too" });
    await api.as(ben).book.delete(id(2));
    await api.as(ada).book.update(id(1), { title: "Mine" });
    expect((await first).value).toMatchObject({ kind: "updated", item: { title: "Mine" } });
    await changes.return?.();
  });

  test("has its own idempotency keys, also for the same principal", async () => {
    const api = shops();
    const create = (key: string, isbn: string) =>
      send(api, "POST", "/books", {
        headers: { "x-api-key": key, "idempotency-key": '"k"' },
        body: { isbn, title: "New", country: null },
      });
    const first = await create("ada", "7");
    // A different body with a known key would be rejected with 422.
    const other = await create("elsewhere", "8");
    expect([first.status, other.status]).toEqual([201, 201]);
    const again = await create("elsewhere", "8");
    expect(again.headers["Idempotent-Replayed"]).toBe("true");
    expect(again.body).toEqual(other.body);
    expect((await api.as(ben).book.list()).items).toHaveLength(2);
    expect((await api.as(ada).book.list()).items).toHaveLength(2);
  });

  test("gets responses that no shared cache stores", async () => {
    const { headers } = await send(shops(), "GET", "/books", as("ada"));
    expect(headers["Cache-Control"]).toContain("private");
    expect((await send(shops(), "GET", "/countries", as("ada"))).headers["Cache-Control"]).toContain("private");
  });
});

/** A relation over the tenant's field, which the server sets. */
describe("the row of a tenant", () => {
  const org = defineResource("org", {
    fields: { id: z.string(), name: z.string() },
    relations: { accounts: hasMany("account", "orgId") },
    access: open,
  });
  const account = defineResource("account", {
    fields: { id: z.uuid(), orgId: z.string(), name: z.string() },
    generated: { id: uuid() },
    tenant,
    relations: { org: belongsTo("org", "orgId") },
    access: open,
  });
  const orgs = (): Shops =>
    defineApi({
      resources: [org, account],
      auth: apiKeys({ ada, ben }),
      store: memoryStore({
        data: {
          org: ["a", "b"].map((key) => ({ id: key, name: key })),
          account: [{ id: id(1), orgId: "a", name: "x" }],
        },
      }),
    }) as never;

  test("is readable from its rows", async () => {
    const { body } = await send(orgs(), "GET", `/accounts/${id(1)}/org`, as("ada"));
    expect(body).toEqual({ id: "a", name: "a" });
    expect((await send(orgs(), "GET", "/orgs/a/accounts", as("ada"))).body).toHaveLength(1);
    expect((await send(orgs(), "GET", "/orgs/a/accounts", as("ben"))).body).toEqual([]);
  });

  test("can't get rows of another tenant, or another row", async () => {
    const api = orgs();
    const jsonApi = { headers: { ...as("ada").headers, "content-type": "application/vnd.api+json" } };
    const created = await send(api, "POST", "/orgs/b/accounts", { ...as("ada"), body: { name: "y" } });
    expect([created.status, created.headers["Allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const data = { type: "orgs", id: "b" };
    const path = `/accounts/${id(1)}`;
    expect((await send(api, "PATCH", `${path}/relationships/org`, { ...jsonApi, body: { data } })).status).toBe(403);
    const document = { data: { type: "accounts", id: id(1), relationships: { org: { data } } } };
    expect((await send(api, "PATCH", path, { ...jsonApi, body: document })).status).toBe(403);
    expect((await send(api, "GET", `${path}/org`, as("ada"))).body).toEqual({ id: "a", name: "a" });
    const { paths } = (await send(api, "GET", "/openapi.json?formats=all")).body as { paths: Record<string, object> };
    expect(Object.keys(paths["/orgs/{id}/accounts"] ?? {})).toEqual(["parameters", "get"]);
    expect(Object.keys(paths["/accounts/{id}/relationships/org"] ?? {})).toEqual(["parameters", "get"]);
  });
});

describe("other callers", () => {
  test("without a tenant are rejected", async () => {
    const api = shops();
    for (const url of ["/books", `/books/${id(1)}`, "/reviews"]) {
      expect((await send(api, "GET", url)).status).toBe(401);
      expect((await send(api, "GET", url, as("nobody"))).status).toBe(403);
    }
    expect((await send(api, "GET", "/countries?include=books")).body).toMatchObject([{ books: [] }]);
    await expect(api.as(nobody).book.create({ isbn: "3", title: "x", country: null })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(api.as(nobody).book.watch().next()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("of the system reach all tenants, or one", async () => {
    const api = shops();
    const all = api.as(asSystem("count the books"));
    const one = api.as(asSystem("count the books of a shop", { tenant: "b" }));
    expect((await all.book.list()).items).toHaveLength(2);
    expect((await one.book.list()).items).toMatchObject([{ id: id(2) }]);
    expect(await one.book.create({ isbn: "5", title: "New", country: null })).toMatchObject({ isbn: "5" });
    await expect(all.book.create({ isbn: "5", title: "New", country: null })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    expect((await api.as(ben).book.list()).items).toHaveLength(2);
    await expect(all.country.delete("GB")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("can't delete a row without tenant that rows of another tenant reference", async () => {
    const api = shops();
    await api.as(ada).book.delete(id(1));
    const { status, body } = await send(api, "DELETE", "/countries/GB", as("ada"));
    expect(status).toBe(409);
    expect((body as { detail: string }).detail).toContain("other rows");
    await expect(api.as(ada).country.update("GB", { code: "UK" })).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("a reference to a unique group of a tenant", () => {
  const seat = defineResource("seat", {
    fields: { id: z.uuid(), orgId: z.string(), row: z.string(), number: z.int32() },
    generated: { id: uuid() },
    tenant,
    unique: [["orgId", "row", "number"]],
    relations: { tickets: hasMany("ticket", ["orgId", "row", "number"], { references: ["orgId", "row", "number"] }) },
    access: open,
  });
  const ticket = defineResource("ticket", {
    fields: { id: z.uuid(), orgId: z.string(), row: z.string(), number: z.int32().nullable() },
    generated: { id: uuid() },
    tenant,
    relations: {
      seat: belongsTo("seat", ["orgId", "row", "number"], {
        references: ["orgId", "row", "number"],
        onDelete: "setNull",
      }),
    },
    access: open,
    filterable: ["row"],
  });
  const theater = (): Shops =>
    defineApi({
      resources: [seat, ticket],
      auth: apiKeys({ ada, ben }),
      store: memoryStore({
        data: {
          seat: [
            { id: id(1), orgId: "a", row: "A", number: 1 },
            { id: id(2), orgId: "b", row: "A", number: 1 },
            { id: id(3), orgId: "b", row: "A", number: 2 },
          ],
        },
      }),
    }) as never;

  test("leads to the row of this tenant, in both directions", async () => {
    const api = theater();
    for (const who of ["ada", "ben"]) {
      const created = await send(api, "POST", "/tickets?include=seat", { ...as(who), body: { row: "A", number: 1 } });
      expect(created.body).toMatchObject({ row: "A", number: 1, seat: { id: who === "ada" ? id(1) : id(2) } });
    }
    const seats = await send(api, "GET", "/seats?include=tickets&filter[tickets][some][row]=A", as("ada"));
    expect(seats.body).toMatchObject([{ id: id(1), tickets: [{ row: "A" }] }]);
    expect((await send(api, "DELETE", `/seats/${id(2)}`, as("ben"))).status).toBe(200);
    expect((await send(api, "GET", "/tickets", as("ben"))).body).toMatchObject([{ row: "A", number: null }]);
    expect((await send(api, "GET", "/tickets", as("ada"))).body).toMatchObject([{ row: "A", number: 1 }]);
  });

  test("is rejected for a row of another tenant like for a missing one, without naming the tenant", async () => {
    const api = theater();
    const refused = async (number: number): Promise<unknown> =>
      (await send(api, "POST", "/tickets", { ...as("ada"), body: { row: "A", number } })).body;
    expect(await refused(2)).toEqual(await refused(9));
    expect(await refused(2)).toMatchObject({
      errors: [{ path: ["row"], message: "There is no seat with these values of row, number." }],
    });
    const { body } = await send(api, "POST", "/tickets", { ...as("ada"), body: { row: "A", number: 1 } });
    const jsonApi = { headers: { ...as("ada").headers, "content-type": "application/vnd.api+json" } };
    const path = `/tickets/${(body as { id: string }).id}/relationships/seat`;
    const set = await send(api, "PATCH", path, { ...jsonApi, body: { data: { type: "seats", id: id(1) } } });
    expect(set.body).toMatchObject({
      detail: "The relationship seat can't be replaced. Change 'row', 'number' instead.",
    });
  });
});

test("mistakes are reported at start", () => {
  const org = defineResource("org", {
    fields: { id: z.string(), orgId: z.string() },
    tenant: { field: "orgId", of },
    access: open,
  });
  const note = defineResource("note", {
    fields: { id: z.uuid(), ownerId: z.string() },
    generated: { id: uuid() },
    relations: { owner: belongsTo("org", "ownerId") },
    access: open,
  });
  const guest = defineResource("guest", {
    fields: { id: z.uuid(), orgId: z.string(), name: z.string() },
    generated: { id: uuid() },
    tenant: { field: "orgId", of },
    unique: ["name"],
    relations: { same: belongsTo("guest", "name", { references: "name" }) },
    access: open,
  });
  const define = (): unknown => defineApi({ resources: [org, note, guest], store: memoryStore() });
  expect(define).toThrow("Callers choose the key, so a conflict would reveal the keys of other tenants.");
  expect(define).toThrow("Rows of 'note' have no tenant");
  expect(define).toThrow("Reference the key, or add 'orgId' to the unique group and to both sides.");
});

test("hasOne requires a field that is unique across tenants, or a checked reference", () => {
  const tenant = { field: "orgId", of };
  const fields = { id: z.uuid(), orgId: z.string() };
  const generated = { id: uuid() };
  const define = (user: object, profile: object): unknown =>
    defineApi({
      resources: [
        defineResource("user", { fields, generated, access: open, ...user }),
        defineResource("profile", {
          fields: { ...fields, userId: z.uuid() },
          generated,
          tenant,
          unique: ["userId"],
          access: open,
          ...profile,
        } as never),
      ],
      store: memoryStore(),
    });
  const profile = { relations: { profile: hasOne("profile", "userId") } };
  const user = { relations: { user: belongsTo("user", "userId") } };
  const problem = "Each tenant can have a row of 'profile' with the same 'userId', but hasOne allows only one.";
  expect(() => define(profile, {})).toThrow(`user.relations.profile: ${problem}\n    Use hasMany.`);
  expect(() => define({ ...profile, tenant }, {})).toThrow(
    `${problem}\n    Add belongsTo("user", "userId") to 'profile', or use hasMany.`,
  );
  expect(() => define({ ...profile, tenant }, user)).not.toThrow();
  const one = { relations: { profile: hasOne("profile", "orgId", { references: "orgId" }) }, unique: ["orgId"] };
  expect(() => define(one, { unique: ["orgId"] })).not.toThrow();
});
