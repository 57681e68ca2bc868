import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  memoryStore,
  owner,
  signedIn,
  silentLog,
} from "../src/index.ts";
import { rateLimit } from "../src/limits/rate-limit/rate-limit.ts";
import { ask, send } from "./request.ts";

const mine = owner("tenant");
const ran: string[] = [];
const log = defineResource("log", {
  fields: { id: z.int32(), tenant: z.string(), text: z.string() },
  access: { read: mine, create: mine, update: mine, delete: mine },
  filterable: ["text"],
  hooks: { create: { before: ({ input }) => void ran.push(String(input.text)) } },
});
const author = defineResource("author", {
  fields: { id: z.int32(), tenant: z.string(), name: z.string(), at: z.date().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: mine, create: mine, update: mine, delete: mine },
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32(), title: z.string(), secret: z.string().nullable().default(null) },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    read: allow,
    create: signedIn,
    update: hasRole("editor"),
    delete: signedIn,
    fields: { secret: { write: hasRole("editor") } },
  },
  filterable: ["title"],
  hooks: {
    create: {
      after: async ({ item, locals, principal }) => {
        if (item.title !== "unlogged")
          await locals(log).create({ id: item.id, tenant: String(principal?.id), text: item.title });
      },
    },
  },
  actions: {
    /** Renames any author of the caller. */
    credit: {
      on: "item",
      input: z.object({ authorId: z.int32(), name: z.string() }),
      output: z.string(),
      access: allow,
      run: async ({ input, locals, local, item }) => {
        const renamed = await locals(author).update(input.authorId, { name: input.name }, { select: { name: true } });
        expectTypeOf(renamed).toEqualTypeOf<{ name: string } | null>();
        const { items } = await local.list({ filter: { title: item.title }, select: { title: true } });
        expectTypeOf(items).toEqualTypeOf<{ title: string }[]>();
        return `${renamed?.name} of ${items[0]?.title}`;
      },
    },
    rewrite: {
      on: "item",
      input: z.object({ title: z.string(), fails: z.boolean().default(false) }),
      access: allow,
      run: async ({ input, local, store, item }) => {
        await local.create({ id: 90, authorId: 1, title: input.title });
        // It sees the write of the same transaction.
        if ((await store.get(90))?.title !== input.title) throw new Error("The write is missing.");
        if (input.fails) throw new BifocalError("CONFLICT", "No.");
        await local.update(item.id, { title: input.title });
      },
    },
    misname: {
      on: "collection",
      input: z.enum(["stores", "locals"]),
      access: allow,
      run: (context) => void context[context.input]("autor"),
    },
    untyped: {
      on: "collection",
      output: z.array(z.string()),
      access: allow,
      run: async ({ locals, stores }) => {
        const page = await locals("author").list({ sort: ["name"] });
        expectTypeOf(page.items).toEqualTypeOf<Record<string, unknown>[]>();
        const all = await stores(author).list({ sort: ["name"] });
        expectTypeOf(all[0]?.at).toEqualTypeOf<Date | null | undefined>();
        return [...page.items.map(({ name }) => String(name)), ...all.map(({ name }) => name)];
      },
    },
    lose: {
      on: "collection",
      input: z.enum(["update", "delete", "local"]),
      access: allow,
      run: async ({ input, stores, locals }) => {
        if (input === "update") await stores(author).update(99, { name: "x" });
        else if (input === "delete") await stores("author").delete(99);
        else await locals(author).update(2, { name: "x" });
      },
    },
    related: {
      on: "collection",
      output: z.string(),
      access: allow,
      run: async ({ locals }) => {
        // The target of a relation isn't known from the resource alone.
        const { items } = await locals(author).list({
          filter: { books: { some: { title: "Emma" } } },
          select: { name: true, books: { select: { title: true } } },
        });
        expectTypeOf(items).toEqualTypeOf<{ name: string; books: Record<string, unknown>[] }[]>();
        return JSON.stringify(items);
      },
    },
  },
});

function start(principal: { id: string; roles?: string[] } | null = { id: "ann" }, more: object = {}) {
  ran.length = 0;
  const data = {
    author: [
      { id: 1, tenant: "ann", name: "Ann", at: null },
      { id: 2, tenant: "ben", name: "Ben", at: null },
    ],
    book: [{ id: 1, authorId: 1, title: "Emma", secret: null }],
  };
  const errors: unknown[] = [];
  const auth = { challenge: "Bearer", schemes: {}, authenticate: () => principal };
  const api = defineApi({
    resources: [author, book, log],
    store: memoryStore({ data }),
    auth,
    log: { ...silentLog, error: (message, fields) => void errors.push([message, fields]) },
    ...more,
  });
  return { api, local: api.as(principal), all: api.as(asSystem("the test compares")), errors };
}

test("local calls of an action obey the rules of its caller, in REST, GraphQL and in process", async () => {
  const { api, local, all } = start();
  const act = async (authorId: number) => send(api, "POST", "/books/1/credit", { body: { authorId, name: "Jane" } });
  expect(await act(2)).toMatchObject({ status: 404 });
  expect(await act(1)).toMatchObject({ status: 200, body: "Jane of Emma" });
  const mutation = `mutation { creditBook(id: 1, input: { authorId: 2, name: "x" }) }`;
  expect(await ask(api, mutation)).toMatchObject({ errors: [{ extensions: { code: "NOT_FOUND" } }] });
  await expect(local.book.actions.credit(1, { authorId: 2, name: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await all.author.list()).items.map(({ name }) => name)).toEqual(["Jane", "Ben"]);
});

test("local calls of a hook run the rules and hooks of the other resource", async () => {
  const { local, all } = start();
  await local.book.create({ id: 7, authorId: 1, title: "Persuasion" });
  expect(ran).toEqual(["Persuasion"]);
  expect((await all.log.list()).items).toEqual([{ id: 7, tenant: "ann", text: "Persuasion" }]);
});

test("local calls belong to the transaction of the action, and send their events after it", async () => {
  const { api, local, all } = start();
  const events = api.as({ id: "ann" }).book.watch();
  const next = events.next();
  const rewrite = async (fails: boolean) => local.book.actions.rewrite(1, { title: "unlogged", fails });
  await expect(rewrite(true)).rejects.toMatchObject({ code: "CONFLICT" });
  // The update needs a role that the caller doesn't have, so the create is rolled back too.
  await expect(rewrite(false)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await all.book.list()).items).toHaveLength(1);
  await api
    .as({ id: "ed", roles: ["editor"] })
    .book.create({ id: 91, authorId: 1, title: "unlogged" })
    .catch(() => {});
  await all.book.actions.rewrite(1, { title: "unlogged" });
  expect((await next).value).toMatchObject({ kind: "created", item: { id: 90 } });
  await events.return?.();
});

test("local calls of an anonymous caller stay anonymous", async () => {
  const { local } = start(null);
  await expect(local.book.actions.rewrite(1, { title: "x" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("each local call is charged to the caller, and reported in the response", async () => {
  const points = async (url: string, body: unknown) => {
    const { api } = start({ id: "ann" }, { rateLimit: rateLimit({ points: 100_000, costPerPoint: 1 }) });
    const { headers, status } = await send(api, "POST", url, { body });
    return { status, left: Number(/;r=(\d+)/.exec(String(headers["RateLimit"]))?.[1]) };
  };
  const failing = await points("/books/1/credit", { authorId: 2, name: "x" });
  const whole = await points("/books/1/credit", { authorId: 1, name: "x" });
  expect([failing.status, whole.status]).toEqual([404, 200]);
  // The second local call is the list.
  expect(whole.left).toBeLessThan(failing.left);
});

test.each(["stores", "locals"] as const)(
  "%s() of an unknown name fails with a suggestion in the log",
  async (input) => {
    const { local, errors } = start();
    await expect(local.book.actions.misname(input)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(String(JSON.stringify(errors, (_, value) => (value instanceof Error ? value.message : value)))).toContain(
      "The API has no resource 'autor'. Did you mean 'author'?",
    );
  },
);

test("a resource can be passed itself or by its name", async () => {
  const { local } = start();
  expect(await local.book.actions.untyped()).toEqual(["Ann", "Ann", "Ben"]);
  expect(JSON.parse(await local.book.actions.related())).toEqual([{ name: "Ann", books: [{ title: "Emma" }] }]);
});

test.each(["update", "delete", "local"] as const)("a missing row of a store is NOT_FOUND: %s", async (input) => {
  const { api, errors } = start();
  const answer = await send(api, "POST", "/books/lose", { body: input });
  expect(answer).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", detail: "There is no author with this id." },
  });
  expect(errors).toEqual([]);
});

test("resources may refer to each other if one function has a return type", async () => {
  const left = defineResource("left", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    hooks: {
      create: {
        after: async ({ item, locals }): Promise<void> => {
          if (item.id > 1) await locals(right).create({ id: item.id - 1 });
        },
      },
    },
  });
  const right = defineResource("right", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    hooks: {
      create: {
        after: async ({ item, locals, local }) => {
          expectTypeOf(await local.get(1)).toEqualTypeOf<{ id: number } | null>();
          if (item.id > 1) await locals(left).create({ id: item.id - 1 });
        },
      },
    },
  });
  const { local } = defineApi({ resources: [left, right] });
  await local.left.create({ id: 4 });
  expect((await local.left.list()).items).toEqual([{ id: 2 }, { id: 4 }]);
  expect((await local.right.list()).items).toEqual([{ id: 1 }, { id: 3 }]);
});
