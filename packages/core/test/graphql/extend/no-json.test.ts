import { GraphQLScalarType } from "graphql";
import { expect, test } from "vitest";
import { ask } from "../../request.ts";
import { Client, serve } from "../../subscriptions/serve.ts";
import { shop, type ShopExtension } from "./shop.ts";

/** A scalar whose result cannot be serialized as JSON. */
const Odd = new GraphQLScalarType({ name: "Odd", serialize: () => 1n });
const extend: ShopExtension["extend"] = {
  typeDefs: "scalar Odd extend type Book { odd: Odd } extend type Query { odd: Odd }",
  resolvers: { Odd, Query: { odd: () => 1 } },
  fields: { book: { odd: { needs: ["id"], resolve: ({ id }) => id } } },
};
const masked = {
  message: "Something went wrong on the server. If you contact support, include the request id.",
  extensions: { code: "INTERNAL" },
};

test("reports a value that isn't JSON as an error of only its root field", async () => {
  const { api, entries } = shop({ extend });
  expect(await ask(api, '{ odd book(id: "1") { title } }')).toMatchObject({
    errors: [{ ...masked, path: ["odd"] }],
    data: { odd: null, book: { title: "Book 1" } },
  });
  expect(entries.map(({ message }) => message)).toEqual(["An operation failed."]);
});

test("reports it as an error of only its event", async () => {
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

test.each(["sse", "ws"])("delivers every value of a host's subscription over %s before it ends", async (transport) => {
  const { api } = shop({
    extend: {
      typeDefs: "extend type Subscription { count(to: Int!): Int! nothing: Int }",
      resolvers: {
        Subscription: {
          count: {
            async *subscribe(_source, { to }: { to: number }) {
              for (let n = 1; n <= to; n++) yield n;
            },
            resolve: async (n) => Promise.resolve(Number(n) * 10),
          },
          nothing: {
            async *subscribe() {
              yield null;
              yield undefined;
            },
            resolve: (payload) => (payload === null ? 7 : 8),
          },
        },
      },
    },
  });
  const served = await serve(api);
  try {
    for (const [query, name, expected] of [
      ["subscription { count(to: 3) }", "count", [10, 20, 30]],
      ["subscription { nothing }", "nothing", [7, 8]],
    ] as const) {
      expect(await (transport === "sse" ? bySse : byWs)(served.url, query)).toEqual(
        expected.map((value) => ({ data: { [name]: value } })),
      );
    }
  } finally {
    await served.close();
  }
});

async function bySse(url: string, query: string): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, {
    headers: { accept: "text/event-stream" },
  });
  const told = (await response.text()).split("\n\n").filter((event) => event.startsWith("event: next"));
  return told.map((event): unknown => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ""));
}

async function byWs(url: string, query: string): Promise<readonly unknown[]> {
  const client = await Client.open(url);
  await client.send({ type: "subscribe", id: "1", payload: { query } });
  const told: unknown[] = [];
  for (;;) {
    const { type, payload } = await client.next();
    if (type !== "next") return told;
    told.push(payload);
  }
}

test("reports invalid variables of a subscription like those of other operations", async () => {
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
