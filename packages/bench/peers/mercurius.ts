import fastify from "fastify";
import mercurius from "mercurius";
import { authorById, booksOf, reviewsOf } from "../src/by-hand.ts";
import { ready } from "../src/ready.ts";
import type { AuthorRow, BookRow } from "../src/rows.ts";
import { rootResolvers, typeDefs } from "./schema.ts";

interface Query<Row> {
  readonly obj: Row;
  readonly params: { readonly first: number };
}

// Batches without a cache: no work loads a row twice, and creating cache keys costs more than loading.
const opts = { cache: false };
const app = fastify();
await app.register(mercurius, {
  schema: typeDefs,
  jit: process.argv[2] === "jit" ? 1 : 0,
  path: "/graphql",
  resolvers: rootResolvers,
  loaders: {
    Author: {
      books: {
        loader: async (queries: readonly Query<AuthorRow>[]) =>
          queries.map(({ obj, params }) => ({ nodes: booksOf(obj.id).slice(0, params.first) })),
        opts,
      },
    },
    Book: {
      author: {
        loader: async (queries: readonly Query<BookRow>[]) => queries.map(({ obj }) => authorById.get(obj.authorId)),
        opts,
      },
      reviews: {
        loader: async (queries: readonly Query<BookRow>[]) =>
          queries.map(({ obj, params }) => ({ nodes: reviewsOf(obj.id).slice(0, params.first) })),
        opts,
      },
    },
  },
});
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
