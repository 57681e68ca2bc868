import { z } from "zod";
import {
  allow,
  belongsTo,
  type CorsOptions,
  defineApi,
  defineResource,
  type GraphqlSettings,
  hasMany,
  type LimitOptions,
  signedIn,
} from "../../src/index.ts";
import type { HttpRequest } from "../../src/message/message.ts";
import { countingStore } from "../counting-store.ts";
import { type Answered, request, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...access, fields: { email: { read: signedIn } } },
  page: { size: 20, max: 100 },
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32(), title: z.string(), genre: z.enum(["novel", "poem"]) },
  relations: { author: belongsTo("author", "authorId") },
  access,
  page: { size: 20, max: 100 },
  bulk: { create: 50, update: 50, delete: 50 },
  filterable: ["title", "genre"],
});

/** A small API that records its store calls. */
export function start(
  graphql: GraphqlSettings = {},
  limits: LimitOptions = {},
  more: { readonly cors?: CorsOptions } = {},
) {
  const data = {
    author: [{ id: 1, name: "Jane", email: "jane@example.com" }],
    book: [{ id: 1, authorId: 1, title: "Emma", genre: "novel" }],
  };
  const { store, calls } = countingStore({ data });
  return { api: defineApi({ resources: [author, book], store, graphql, limits, ...more }), calls };
}

export type Started = ReturnType<typeof start>["api"];

/** Sends a GraphQL request by POST; `body` is sent as JSON. */
export function post(api: Started, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  return send(api, "POST", "/graphql", { body, headers });
}

/** Sends a GraphQL request by GET; objects are sent as JSON. */
export function get(
  api: Started,
  parameters: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    search.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return send(api, "GET", `/graphql?${search.toString()}`, { headers });
}

/** Returns the results of an event stream. */
export async function stream(api: Started, asked: HttpRequest): Promise<readonly unknown[]> {
  const response = await api.handle(asked);
  if (response === null) throw new Error("The API has no route for GraphQL.");
  let text = "";
  for await (const piece of response.body as AsyncIterable<string>) text += piece;
  return [...text.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as unknown);
}

export { request, send };
