import { expect, test } from "vitest";
import { Client, serve } from "../../subscriptions/serve.ts";
import { shop } from "./shop.ts";

const NEVER: Promise<never> = new Promise(() => {});

test.each<[what: string, end: () => unknown, logged: number]>([
  ["resolves immediately", () => ({ done: true, value: undefined }), 0],
  ["answers nothing", () => undefined, 0],
  [
    "throws",
    () => {
      throw new Error("The host's own.");
    },
    1,
  ],
  ["rejects", async () => Promise.reject(new Error("The host's own.")), 1],
])("disconnects from a host's subscription whose 'return' %s", async (_, end, logged) => {
  let ended = 0;
  const iterator = {
    next: () => NEVER,
    return: () => {
      ended++;
      return end();
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  const { api, entries } = shop({
    extend: {
      typeDefs: "extend type Subscription { tick: Int }",
      // As untyped code could write it.
      resolvers: { Subscription: { tick: { subscribe: () => iterator as unknown as AsyncIterable<unknown> } } },
    },
  });
  const served = await serve(api);
  try {
    const client = await Client.open(served.url);
    await client.send({ type: "subscribe", id: "1", payload: { query: "subscription { tick }" } });
    await client.settle();
    client.socket.terminate();
    await expect.poll(() => ended).toBe(1);
    const answer = await fetch(`${served.url}/books/1`);
    expect(answer.status).toBe(200);
    expect(entries.filter(({ level }) => level === "error")).toHaveLength(logged);
  } finally {
    await served.close();
  }
});
