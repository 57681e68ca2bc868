import { createClient, restLens } from "@bifocal/client";
import { createDataProvider } from "@bifocal/client/react-admin";
import { infiniteQueryOptions, invalidateOnChanges, mutationOptions, queryOptions } from "@bifocal/client/tanstack";
import { QueryClient } from "@tanstack/query-core";
import { expect, test } from "vitest";

const client: object = createClient<{ readonly "~resources"?: never }>({ url: "http://host", lens: restLens() });
const cache = new QueryClient();
const call = async (): Promise<void> => {};

test.each([undefined, null, {}, "http://host"])("createDataProvider rejects %j in place of a client", (value) => {
  expect(() => createDataProvider(value as never)).toThrow("Pass the client that createClient() returns.");
});

test("queries reject a promise in place of a function", () => {
  const message = "Pass a function that returns one call of the client: (client) => client.book.list().";
  expect(() => queryOptions(client, Promise.resolve([]) as never)).toThrow(message);
  expect(() => infiniteQueryOptions(client, undefined as never)).toThrow(message);
});

test("mutationOptions rejects a missing QueryClient, unknown options and a text as names", () => {
  expect(() => mutationOptions(client, call as never, undefined as never)).toThrow(
    "Pass the client, the QueryClient and a function to mutationOptions.",
  );
  expect(() => mutationOptions(client, cache, call, { optimstic: true } as never)).toThrow(
    "mutationOptions() has no option 'optimstic'. Available: optimistic, invalidates.",
  );
  expect(() => mutationOptions(client, cache, call, { invalidates: "book" as never })).toThrow(
    'mutationOptions() needs a list of names of resources, such as ["book"].',
  );
});

test.each(["book", undefined, {}])("invalidateOnChanges rejects %j in place of names", async (names) => {
  await expect(invalidateOnChanges(client, cache, names as never)).rejects.toThrow(
    'invalidateOnChanges() needs a list of names of resources, such as ["book"].',
  );
});
