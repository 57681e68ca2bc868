// Runs the shop on node:http, and writes its schema to the file in the first argument.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  signedIn,
  silentLog,
} from "../../../packages/core/src/index.ts";
import { nodeHttp } from "../../../packages/node-http/src/index.ts";

const access = { create: signedIn, update: signedIn, delete: signedIn };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  access: { ...access, read: signedIn },
});
/** Rows of which a caller may see some. */
const editor = defineResource("editor", {
  fields: { id: z.int32(), name: z.string(), isPublic: z.boolean() },
  access: { ...access, read: () => ({ isPublic: { eq: true } }) },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), cost: z.int32(), authorId: z.int32(), editorId: z.int32() },
  relations: {
    author: belongsTo("author", "authorId"),
    editor: belongsTo("editor", "editorId"),
    reviews: hasMany("review", "bookId"),
  },
  access: { ...access, read: allow, fields: { cost: { read: signedIn } } },
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.int32(), stars: z.int32() },
  access: { ...access, read: signedIn },
});

const [file = "schema.graphql", option] = process.argv.slice(2);
const api = defineApi({
  resources: [author, editor, book, review],
  store: memoryStore({
    data: {
      author: [{ id: 1, name: "Ann" }],
      editor: [true, false].map((isPublic, index) => ({ id: index + 1, name: `Editor ${index + 1}`, isPublic })),
      book: [1, 2].map((id) => ({ id, title: `Book ${id}`, cost: id, authorId: 1, editorId: id })),
      review: [{ id: 1, bookId: 1, stars: 5 }],
    },
  }),
  log: silentLog,
  auth: apiKeys({ key: { id: "ann" } }),
  graphql: { nonNullConnections: option === "nonNullConnections" },
});
writeFileSync(file, api.graphql.sdl());
const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
await once(server, "listening");
console.log(`READY ${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` })}`);
