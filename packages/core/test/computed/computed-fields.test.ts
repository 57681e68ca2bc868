import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  type Authenticator,
  belongsTo,
  BifocalError,
  computed,
  defineApi,
  defineResource,
  deny,
  hasMany,
  silentLog,
  signedIn,
} from "../../src/index.ts";
import { answerText } from "../answer.ts";
import { countingStore, keepingLog } from "../counting-store.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});

/** The pages that `load` was called with. */
const loads: (readonly object[])[] = [];

const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    authorId: z.int32(),
    dueDate: z.iso.date().nullable(),
    price: z.number(),
    pages: z.bigint(),
    note: z.string().nullable(),
  },
  internal: ["note"],
  relations: { author: belongsTo("author", "authorId") },
  computed: {
    isOverdue: computed(z.boolean().meta({ description: "Whether the book should be back." }), {
      from: ["dueDate"],
      get: ({ dueDate }) => dueDate !== null && dueDate < "2026-06-01",
    }),
    doublePages: computed(z.bigint(), { from: ["pages"], get: ({ pages }) => pages * 2n }),
    discount: computed(z.number().nullable(), {
      from: ["price"],
      get: ({ price }) => (price > 10 ? price / 2 : null),
    }),
    hasNote: computed(z.boolean(), { from: ["note"], get: ({ note }) => note !== null }),
    sales: computed(z.int(), {
      from: ["id"],
      load: (rows) => {
        loads.push(rows);
        return rows.map(({ id }) => id * 100);
      },
    }),
  },
  access: { ...access, fields: { price: { read: signedIn } } },
  actions: {
    annotate: { on: "item", access: allow, run: ({ item, store }) => store.update(item.id, { note: "new" }) },
  },
  filterable: ["title"],
  sortable: ["title"],
});

const data = {
  author: [
    { id: 1, name: "Austen" },
    { id: 2, name: "Woolf" },
  ],
  book: [
    { id: 1, title: "Emma", authorId: 1, dueDate: "2026-01-01", price: 12, pages: "474", note: null },
    { id: 2, title: "Persuasion", authorId: 1, dueDate: null, price: 8, pages: "249", note: "worn" },
    { id: 3, title: "Orlando", authorId: 2, dueDate: "2026-12-31", price: 20, pages: "333", note: null },
  ],
};

function start() {
  loads.length = 0;
  const { store, calls } = countingStore({ data });
  const { log, entries } = keepingLog();
  const auth: Authenticator = {
    schemes: {},
    challenge: "Bearer",
    authenticate: ({ headers }) => (headers["authorization"] === undefined ? null : { id: "ann" }),
  };
  const api = defineApi({ resources: [author, book], store, log, auth });
  return { api, calls, entries };
}
const signed = { headers: { authorization: "ann" } };

const EMMA = {
  id: 1,
  title: "Emma",
  authorId: 1,
  dueDate: "2026-01-01",
  price: 12,
  pages: "474",
  isOverdue: true,
  doublePages: "948",
  discount: 6,
  hasNote: false,
  sales: 100,
};

describe("REST", () => {
  test("a representation contains computed fields after the others", async () => {
    const { api } = start();
    const { status, body } = await send(api, "GET", "/books/1", signed);
    expect(status).toBe(200);
    expect(body).toEqual(EMMA);
    expect(Object.keys(body as object)).toEqual(Object.keys(EMMA));
  });

  test("'load' runs once for a page and once for each relation level", async () => {
    const { api, calls } = start();
    await send(api, "GET", "/books?fields=id,sales");
    expect(loads).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
    loads.length = 0;
    calls.length = 0;
    const { body } = await send(api, "GET", "/authors?fields=name,books.sales,books.hasNote");
    expect(body).toEqual([
      {
        name: "Austen",
        books: [
          { hasNote: false, sales: 100 },
          { hasNote: true, sales: 200 },
        ],
      },
      { name: "Woolf", books: [{ hasNote: false, sales: 300 }] },
    ]);
    expect(loads).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
    expect(calls).toEqual(["author.list", "book.listPer(2)"]);
  });

  test("a field that isn't selected isn't computed", async () => {
    const { api } = start();
    const { body } = await send(api, "GET", "/books?fields=title,isOverdue");
    expect(body).toEqual([
      { title: "Emma", isOverdue: true },
      { title: "Persuasion", isOverdue: false },
      { title: "Orlando", isOverdue: false },
    ]);
    expect(loads).toEqual([]);
  });

  test("a field inherits the read rules of the fields that it is computed from", async () => {
    const { api } = start();
    const { body } = await send(api, "GET", "/books/1");
    expect(body).not.toHaveProperty("price");
    expect(body).not.toHaveProperty("discount");
    expect(body).toHaveProperty("isOverdue", true);
    expect(await send(api, "GET", "/books?fields=discount")).toMatchObject({ status: 403 });
    expect(await send(api, "GET", "/books?fields=discount", signed)).toMatchObject({ status: 200 });
  });

  test("an input contains a computed field only with its current value", async () => {
    const { api } = start();
    const refused = { status: 422, body: { errors: [{ path: ["isOverdue"], code: "not_writable" }] } };
    expect(await send(api, "PATCH", "/books/1", { body: { isOverdue: false } })).toMatchObject(refused);
    const { body } = await send(api, "GET", "/books/1", signed);
    expect(body).toHaveProperty("isOverdue", true);
    const again = await send(api, "PATCH", "/books/1", { ...signed, body: { ...(body as object), title: "Emma 2" } });
    expect(again).toMatchObject({ status: 200, body: { title: "Emma 2", isOverdue: true } });
    expect(await send(api, "POST", "/books", { body: { ...EMMA, id: 9 } })).toMatchObject({ status: 422 });
  });

  test("writes respond with computed fields", async () => {
    const { api } = start();
    const body = { id: 4, title: "Flush", authorId: 2, dueDate: null, price: 5, pages: "163" };
    const created = await send(api, "POST", "/books", { ...signed, body });
    expect(created).toMatchObject({ status: 201, body: { isOverdue: false, doublePages: "326", sales: 400 } });
    const updated = await send(api, "PATCH", "/books/4", { ...signed, body: { dueDate: "2026-02-02" } });
    expect(updated).toMatchObject({ status: 200, body: { isOverdue: true, sales: 400 } });
  });

  test("an entity tag covers the values, and its version works with If-Match", async () => {
    const { api } = start();
    const first = await send(api, "GET", "/books/1", signed);
    const tag = first.headers["ETag"] as string;
    expect(tag).toMatch(/^"[\w-]+\.[\w-]+"$/);
    expect(await send(api, "GET", "/books/1", { headers: { ...signed.headers, "if-none-match": tag } })).toMatchObject({
      status: 304,
    });
    const patch = { headers: { ...signed.headers, "if-match": tag }, body: { title: "Emma!" } };
    expect(await send(api, "PATCH", "/books/1", patch)).toMatchObject({ status: 200 });
    expect(await send(api, "PATCH", "/books/1", patch)).toMatchObject({ status: 412 });
  });

  test.each(["text/csv", "application/hal+json", "application/vnd.api+json", "application/xml", "text/html"])(
    "%s contains computed fields",
    async (accept) => {
      const { api } = start();
      // Pages have few columns by default.
      const path = accept === "text/html" ? "/books?fields=isOverdue,doublePages" : "/books";
      const list = await answerText(api, "GET", path, { headers: { accept } });
      expect(list.status).toBe(200);
      expect(list.text).toMatch(/isOverdue|Is overdue|is overdue/);
      expect(list.text).toContain("948");
    },
  );

  test("OpenAPI marks them as read-only", () => {
    const { api } = start();
    const document = JSON.parse(JSON.stringify(api.openapi())) as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    };
    const { schemas } = document.components;
    expect(schemas["Book"]?.properties["isOverdue"]).toEqual({
      type: "boolean",
      description: "Whether the book should be back.",
      readOnly: true,
      examples: [true],
    });
    expect(schemas["CreateBook"]?.properties).not.toHaveProperty("isOverdue");
  });
});

describe("GraphQL", () => {
  test("types are nullable if a rule can hide the field", () => {
    const { api } = start();
    const sdl = api.graphql.sdl();
    expect(sdl).toMatch(/isOverdue: Boolean!/);
    expect(sdl).toMatch(/doublePages: BigInt!/);
    expect(sdl).toMatch(/discount: Float\n/);
    expect(sdl).not.toMatch(/input CreateBookInput {[^}]*isOverdue/);
  });

  test("a document selects computed fields at any level", async () => {
    const { api, calls } = start();
    const answer = await ask(api, "{ authors { nodes { name books { nodes { isOverdue sales } } } } }");
    expect(answer).toEqual({
      data: {
        authors: {
          nodes: [
            {
              name: "Austen",
              books: {
                nodes: [
                  { isOverdue: true, sales: 100 },
                  { isOverdue: false, sales: 200 },
                ],
              },
            },
            { name: "Woolf", books: { nodes: [{ isOverdue: false, sales: 300 }] } },
          ],
        },
      },
    });
    expect(calls).toEqual(["author.list", "book.listPer(2)"]);
    expect(loads).toHaveLength(1);
  });

  test("a hidden field is null with an error", async () => {
    const { api } = start();
    const answer = await ask(api, "{ book(id: 1) { title discount } }");
    expect(answer.data).toEqual({ book: { title: "Emma", discount: null } });
    expect(answer.errors).toMatchObject([{ path: ["book", "discount"], extensions: { code: "FORBIDDEN" } }]);
  });
});

describe("local calls", () => {
  test("values are decoded", async () => {
    const { api } = start();
    const row = await api.local.book.get(1, { select: { doublePages: true, isOverdue: true } });
    expect(row).toEqual({ doublePages: 948n, isOverdue: true });
    const whole = await api.as(asSystem("a test")).book.get(3);
    expect(whole).toMatchObject({ discount: 10, sales: 300, hasNote: false });
  });
});

describe("subscriptions", () => {
  test("events contain computed fields", async () => {
    const { api } = start();
    const changes = api.local.book.watch({ select: { isOverdue: true, sales: true } });
    const next = changes.next();
    await send(api, "PATCH", "/books/2", { body: { dueDate: "2026-01-01" } });
    expect((await next).value).toMatchObject({ kind: "updated", item: { isOverdue: true, sales: 200 } });
    const deleted = changes.next();
    await send(api, "DELETE", "/books/2");
    expect((await deleted).value).toMatchObject({ kind: "deleted", item: { isOverdue: true, sales: 200 } });
    await changes.return?.();
  });

  test("a change of an internal field is news if a computed field depends on it", async () => {
    const { api } = start();
    const changes = api.local.book.watch({ select: { hasNote: true } });
    const next = changes.next();
    await api.local.book.actions.annotate(1);
    expect((await next).value).toMatchObject({ kind: "updated", item: { hasNote: true } });
    await changes.return?.();
  });
});

describe("application code", () => {
  const tag = (options: Parameters<typeof computed<z.ZodInt, { id: number }, "id">>[1]) =>
    defineResource("tag", {
      fields: { id: z.int32() },
      computed: { size: computed(z.int(), options) },
      access,
      cache: { public: true, maxAge: 60 },
    });
  const startTag = (options: Parameters<typeof tag>[0]) => {
    const { store } = countingStore({ data: { tag: [{ id: 1 }, { id: 2 }] } });
    const { log, entries } = keepingLog();
    return { api: defineApi({ resources: [tag(options)], store, log }), entries };
  };

  const failing: readonly (readonly [string, object, string])[] = [
    [
      "an error",
      {
        from: ["id"],
        get: () => {
          throw new Error("secret");
        },
      },
      "secret",
    ],
    [
      "a value of another type",
      { from: ["id"], get: () => 1.5 },
      "The computed field 'tag.size' doesn't match its schema: expected an integer.",
    ],
    [
      "too few values",
      { from: ["id"], load: () => [1] },
      "'load' of the computed field 'tag.size' returned 1 values for 2 rows.",
    ],
  ];
  test.each(failing)(
    "%s fails the request in both styles, and only the log has the reason",
    async (_, options, text) => {
      const { api, entries } = startTag(options as never);
      const { status, body } = await send(api, "GET", "/tags");
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain(text);
      const answer = await ask(api, "{ tags { nodes { size } } }");
      expect(answer.errors).toMatchObject([{ extensions: { code: "INTERNAL" } }]);
      expect(JSON.stringify(entries.map(({ details }) => String((details as { cause?: unknown })?.cause)))).toContain(
        text,
      );
      expect(await send(api, "GET", "/tags?fields=id")).toMatchObject({ status: 200 });
    },
  );

  test("a BifocalError reaches the caller", async () => {
    const { api } = startTag({
      from: ["id"],
      load: () => {
        throw new BifocalError("UNAVAILABLE", "Prices are unavailable.");
      },
    });
    expect(await send(api, "GET", "/tags")).toMatchObject({ status: 503, body: { detail: "Prices are unavailable." } });
  });

  test("a response is private if 'load' reads its caller", async () => {
    const shared = startTag({ from: ["id"], load: (rows) => rows.map(({ id }) => id) });
    expect((await send(shared.api, "GET", "/tags")).headers["Cache-Control"]).toBe("public, max-age=60");
    const own = startTag({ from: ["id"], load: (rows, { principal }) => rows.map(() => (principal === null ? 0 : 1)) });
    expect((await send(own.api, "GET", "/tags")).headers["Cache-Control"]).toBe("private, no-cache");
    expect((await send(own.api, "GET", "/tags/1")).headers["Cache-Control"]).toBe("private, no-cache");
  });

  test("'load' can make calls as the caller", async () => {
    const { api } = startTag({
      from: ["id"],
      load: async (rows, { locals }) => {
        const { items } = await locals("tag").list({ select: { id: true } });
        return rows.map(({ id }) => id * items.length);
      },
    });
    expect(await send(api, "GET", "/tags")).toMatchObject({ body: [{ size: 2 }, { size: 4 }] });
  });
});

describe("mistakes at start", () => {
  const fields = { id: z.int32(), title: z.string(), secret: z.string().nullable() };
  const mistakesOf = (config: object): readonly object[] => {
    try {
      defineApi({ resources: [defineResource("book", { fields, access, ...config })], log: silentLog });
      return [];
    } catch (thrown) {
      return (thrown as { mistakes: readonly object[] }).mistakes;
    }
  };
  const value = computed(z.int(), { from: [], get: () => 1 });

  test.each([
    [{ computed: { title: value } }, "book.computed.title", "A field already has this name."],
    [{ computed: { a: 5 } }, "book.computed.a", "Expected a computed field."],
    [{ computed: { and: value } }, "book.computed.and", "'and' is a reserved word of filters."],
    [{ computed: { a: { ...value, from: ["titel"] } } }, "book.computed.a.from", "Unknown field 'titel'."],
    [{ computed: { a: { ...value, from: undefined } } }, "book.computed.a.from", "The list is missing."],
    [
      { computed: { a: { ...value, get: undefined } } },
      "book.computed.a",
      "Exactly one of 'get' and 'load' is required.",
    ],
    [{ computed: { a: { ...value, get: 5 } } }, "book.computed.a.get", "Expected a function."],
    [{ computed: { a: { ...value, form: [] } } }, "book.computed.a.form", "Unknown option 'form'."],
    [{ computed: { a: { ...value, schema: 5 } } }, "book.computed.a", "Expected a Zod schema."],
    [
      { computed: { a: value }, sortable: ["a"] },
      "book.sortable",
      "'a' is computed by application code, so the store can't use it.",
    ],
    [
      { computed: { a: value }, access: { ...access, fields: { a: { write: deny } } } },
      "book.access.fields.a.write",
      "No caller can write a computed field.",
    ],
    [
      { computed: { a: { ...value, from: ["secret"] } }, internal: ["secret"], secret: ["secret"] },
      "book.computed.a.from",
      "'secret' is secret, so events don't contain it.",
    ],
  ])("%o", (config, at, problem) => {
    expect(mistakesOf(config)).toContainEqual({ at, problem, fix: expect.any(String) });
  });
});
