import { GraphQLScalarType } from "graphql";
import { expect, test } from "vitest";
import { ask } from "../../request.ts";
import { Client, serve } from "../../subscriptions/serve.ts";
import { shop, type ShopExtension } from "./shop.ts";

/** What it makes of a value is nothing that JSON can hold. */
const Odd = new GraphQLScalarType({ name: "Odd", serialize: () => 1n });
const extend: ShopExtension["extend"] = {
  typeDefs: "scalar Odd extend type Book { odd: Odd } extend type Query { odd: Odd }",
  resolvers: { Odd, Query: { odd: () => 1 } },
  fields: { book: { odd: { needs: ["id"], resolve: ({ id }) => id } } },
};
const masked = { message: "Something went wrong. Quote the request id.", extensions: { code: "INTERNAL" } };

test("a value that is no JSON is an error of its root field, and of no other", async () => {
  const { api, entries } = shop({ extend });
  expect(await ask(api, '{ odd book(id: "1") { title } }')).toMatchObject({
    errors: [{ ...masked, path: ["odd"] }],
    data: { odd: null, book: { title: "Book 1" } },
  });
  expect(entries.map(({ message }) => message)).toEqual(["An operation failed."]);
});

test("of an event, and of nothing besides", async () => {
  const { api } = shop({ extend });
  const served = await serve(api);
  try {
    const client = await Client.open(served.url);
    const subscribe = (id: string, query: string) => client.send({ type: "subscribe", id, payload: { query } });
    await subscribe("odd", "subscription { bookUpdated { id odd } }");
    await client.settle();
    await api.local.book.update(1, { title: "Once" });
    expect(await client.next()).toMatchObject({ id: "odd", type: "next", payload: { errors: [masked], data: null } });
    await subscribe("plain", "subscription { bookUpdated { title } }");
    await client.settle();
    await api.local.book.update(1, { title: "Twice" });
    const next = [await client.next(), await client.next()];
    expect(new Set(next.map(({ id }) => id))).toEqual(new Set(["odd", "plain"]));
  } finally {
    await served.close();
  }
});

test("variables of a subscription are told of as any others are", async () => {
  const { api } = shop();
  const served = await serve(api);
  try {
    const client = await Client.open(served.url);
    const query = "subscription ($ids: [ID!]!) { bookUpdated(filter: { id: { in: $ids } }) { id } }";
    const variables = { ids: Array.from({ length: 100 }, () => ({})) };
    await client.send({ type: "subscribe", id: "1", payload: { query, variables } });
    const { payload } = await client.next();
    expect((payload as readonly unknown[]).length).toBeLessThan(25);
  } finally {
    await served.close();
  }
});
