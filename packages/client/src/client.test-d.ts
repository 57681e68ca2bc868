import {
  allow,
  belongsTo,
  type ClientChange,
  defineApi,
  defineResource,
  hasMany,
  type LivePage,
  manyToMany,
  signedIn,
  uuid,
} from "@bifocal/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createClient, graphqlLens, restLens } from "./index.ts";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), secret: z.string().nullable() },
  generated: { id: uuid() },
  internal: ["secret"],
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), authorId: z.uuid(), price: z.number(), addedAt: z.date() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
  access: { read: signedIn, create: signedIn, update: signedIn, delete: signedIn },
  filterable: ["price"],
  sortable: ["price"],
  aggregatable: ["price"],
  groupable: ["addedAt"],
  actions: {
    publish: { on: "item", input: z.object({ at: z.iso.date() }), access: signedIn, run: () => {} },
    count: { on: "collection", access: allow, output: z.int(), run: () => 1 },
  },
});
const tag = defineResource("tag", {
  fields: { id: z.int32(), name: z.string() },
  operations: ["get", "list", "watch"],
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});
const log = defineResource("log", {
  operations: { rest: ["get", "list"], graphql: ["get", "create"] },
  fields: { id: z.uuid(), text: z.string() },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});
const sheet = defineResource("sheet", {
  fields: { id: z.int32(), text: z.string() },
  history: true,
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});
const api = defineApi({ resources: [author, book, tag, log, sheet] });

const client = createClient<typeof api>({ url: "/api", lens: restLens() });

test("results have the selected fields and relations", async () => {
  const { items, total } = await client.book.list({
    filter: { price: { gte: 1 } },
    sort: ["-price", "author.name"],
    select: {
      title: true,
      author: { select: { name: true, books: { page: { size: 1 }, select: { addedAt: true } } } },
    },
  });
  expectTypeOf(items).toEqualTypeOf<{ title: string; author: { name: string; books: { addedAt: Date }[] } }[]>();
  expectTypeOf(total).toEqualTypeOf<number | undefined>();
  expectTypeOf(await client.author.get("1")).toEqualTypeOf<{ id: string; name: string } | null>();
  expectTypeOf(client).not.toBeAny();
});

test("a write returns null if its row can be hidden", async () => {
  const select = { title: true } as const;
  const data = { title: "Emma", authorId: "1", price: 1, addedAt: new Date() };
  expectTypeOf(await client.book.create(data, { select })).toEqualTypeOf<{ title: string } | null>();
  expectTypeOf(await client.author.create({ name: "Ann" })).toEqualTypeOf<{ id: string; name: string }>();
  expectTypeOf(await client.book.updateMany({ price: 1 }, { price: 2 })).toEqualTypeOf<string[]>();
  // @ts-expect-error generated fields are no input
  await client.author.create({ id: "1", name: "Ann" });
  // @ts-expect-error internal fields are no input
  await client.author.create({ name: "Ann", secret: "x" });
  // @ts-expect-error a price is a number
  await client.book.update("1", { price: "1" });
});

test("mistakes in queries are errors", async () => {
  // @ts-expect-error internal fields can't be selected
  await client.author.list({ select: { secret: true } });
  // @ts-expect-error not filterable
  await client.book.list({ filter: { title: "x" } });
  // @ts-expect-error not sortable
  await client.book.list({ sort: ["title"] });
  // @ts-expect-error there is no such field in the related resource
  await client.book.list({ select: { author: { select: { nme: true } } } });
  // @ts-expect-error there is no such resource
  await client.sheep.list();
});

test("operations that are left out have no method", async () => {
  await client.tag.list();
  await client.tag.get(1);
  // @ts-expect-error the resource has no create
  await client.tag.create({ id: 1, name: "x" });
  // @ts-expect-error the resource has no updateMany
  await client.tag.updateMany({}, {});
  // @ts-expect-error the resource has no link
  await client.tag.link(1, "books", "2");
});

test("a client without a style has the operations that both styles offer", async () => {
  await client.log.get("1");
  // @ts-expect-error only REST offers list
  await client.log.list();
  // @ts-expect-error only GraphQL offers create
  await client.log.create({ id: "1", text: "x" });
  const rest = createClient<typeof api, "rest">({ url: "/api", lens: restLens() });
  await rest.log.list();
  // @ts-expect-error REST doesn't offer create
  await rest.log.create({ id: "1", text: "x" });
  const graphql = createClient<typeof api, "graphql">({ url: "/api", lens: graphqlLens() });
  await graphql.log.create({ id: "1", text: "x" });
  // @ts-expect-error the lens is of the other style
  createClient<typeof api, "graphql">({ url: "/api", lens: restLens() });
});

test("actions have the types of their input and output", async () => {
  expectTypeOf(await client.book.actions.count()).toEqualTypeOf<number>();
  await client.book.actions.publish("1", { at: "2026-01-01" }, { signal: AbortSignal.timeout(1) });
  // @ts-expect-error the input is required
  await client.book.actions.publish("1");
  // @ts-expect-error there is no such action
  await client.book.actions.burn("1");
});

test("aggregates have the requested values", async () => {
  const { groups } = await client.book.aggregate({ aggregate: ["count", "avg.price"], group: ["addedAt.year"] });
  expectTypeOf(groups).toEqualTypeOf<
    { group: { "addedAt.year": string }; count: number; avg: { price: number | null } }[]
  >();
  // @ts-expect-error not aggregatable
  await client.book.aggregate({ aggregate: ["sum.title"] });
  const { items } = await client.author.list({
    select: { name: true, books: { aggregate: ["avg.price"], group: ["addedAt.year"], sort: ["-avg.price"] } },
  });
  expectTypeOf(items).toEqualTypeOf<
    { name: string; books: { group: { "addedAt.year": string }; avg: { price: number | null } }[] }[]
  >();
  // @ts-expect-error not aggregatable
  await client.author.list({ select: { books: { aggregate: ["sum.title"] } } });
});

test("only resources with a history have one", async () => {
  const { items } = await client.sheet.history(1, { page: { size: 2 }, signal: AbortSignal.timeout(1) });
  expectTypeOf(items[0]?.changes[0]?.field).toEqualTypeOf<"id" | "text" | undefined>();
  // @ts-expect-error the resource has no history
  await client.author.history("1");
});

test("links name a relation to many rows", async () => {
  await client.book.link("1", "tags", 2);
  // @ts-expect-error a book belongs to its author
  await client.book.link("1", "author", "2");
});

test("a version is a row or a text", async () => {
  const row = await client.book.get("1");
  if (row !== null) await client.book.update("1", { price: 2 }, { ifMatch: row });
  await client.book.delete("1", { ifMatch: ["1", "2"] });
  // @ts-expect-error a version is not a number
  await client.book.delete("1", { ifMatch: 1 });
});

test("changes contain the selected fields", async () => {
  const changes = client.book.watch({ initial: true, select: { title: true } });
  expectTypeOf(changes).toEqualTypeOf<AsyncIterableIterator<ClientChange<{ title: string }, string>>>();
  for await (const change of changes) {
    if (change.kind === "left") expectTypeOf(change.key).toEqualTypeOf<string>();
    // @ts-expect-error a reset has no row
    if (change.kind === "reset") expectTypeOf(change.item);
  }
});

test("live lists yield pages without cursors", async () => {
  const pages = client.book.list({ live: true, sort: ["-price"], select: { title: true } });
  expectTypeOf(pages).toEqualTypeOf<AsyncIterableIterator<LivePage<{ title: string }>>>();
  for await (const page of pages) {
    expectTypeOf(page.items).toEqualTypeOf<{ title: string }[]>();
    // @ts-expect-error a live page has no cursors
    expectTypeOf(page.endCursor);
  }
  // @ts-expect-error not sortable
  client.book.list({ live: true, sort: ["title"] });
});

test("only the type of an API makes a client", () => {
  expectTypeOf(createClient<{ local: object }>({ url: "/api", lens: restLens() })).toBeNever();
  type Unresolved = ReturnType<typeof JSON.parse>;
  // @ts-expect-error the declarations of the API import a package that isn't installed
  createClient<Unresolved>({ url: "/api", lens: restLens() });
});

test("the type of the API is required", () => {
  // @ts-expect-error Write createClient<typeof api>({ … }).
  expectTypeOf(createClient({ url: "/api", lens: restLens() })).toBeNever();
});
