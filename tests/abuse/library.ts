import {
  allow,
  type ApiOptions,
  belongsTo,
  defineApi,
  defineResource,
  type GraphqlSettings,
  hasMany,
  memoryStore,
  silentLog,
  type Store,
} from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId", { creates: 1_000 }) },
  access,
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32(), title: z.string() },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId", { creates: 100 }) },
  access,
  bulk: { create: 1_000 },
  filterable: ["id", "title"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.int32(), stars: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access,
  filterable: ["stars"],
});
/** A resource with free-form JSON fields. */
const box = defineResource("box", {
  plural: "boxes",
  fields: { id: z.int32(), list: z.json(), other: z.json() },
  access,
});

type Others = Partial<Pick<ApiOptions<readonly []>, "limits" | "rateLimit" | "trustedProxies">>;

/** A library that records each store call of a request in `calls`. */
export function createLibrary(graphql: GraphqlSettings = {}, others: Others = {}) {
  const data = {
    author: [{ id: 1, name: "Jane Austen" }],
    book: [{ id: 1, authorId: 1, title: "Emma" }],
    review: [{ id: 1, bookId: 1, stars: 5 }],
    box: [{ id: 1, list: Array.from({ length: 100_000 }, () => 1), other: {} }],
  };
  const calls: string[] = [];
  const store = Object.fromEntries(
    Object.entries(memoryStore({ data })).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "function" || name === "open" || name === "close") return [name, member];
      const watched = (...args: unknown[]): unknown => {
        calls.push(name);
        return (member as (...args: unknown[]) => unknown)(...args);
      };
      return [name, watched];
    }),
  ) as unknown as Store;
  const resources = [author, book, review, box] as const;
  return { api: defineApi({ resources, store, graphql, log: silentLog, ...others }), calls };
}

export type Library = ReturnType<typeof createLibrary>;

/** Serves the API on a free port of loopback. */
export async function serve({ api }: Library): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const listener = nodeHttp(api);
  const server = createServer(listener);
  listener.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => listener.close(server) };
}
