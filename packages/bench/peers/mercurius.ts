import fastify from "fastify";
import mercurius from "mercurius";
import { authorById, byId, firstPage } from "../src/by-hand.ts";
import { ready } from "../src/ready.ts";
import type { BookRow } from "../src/rows.ts";

const schema = `
  type Author { id: ID! name: String! country: String! }
  type Book {
    id: ID! title: String! authorId: ID! year: Int! price: Float! genre: String! summary: String! author: Author!
  }
  type BookConnection { nodes: [Book!]! }
  type Query { book(id: ID!): Book books(first: Int): BookConnection! }
`;

const app = fastify();
await app.register(mercurius, {
  schema,
  jit: process.argv[2] === "jit" ? 1 : 0,
  path: "/graphql",
  resolvers: {
    Query: {
      book: (_: unknown, { id }: { id: string }) => byId.get(id) ?? null,
      books: (_: unknown, { first }: { first: number }) => ({ nodes: firstPage(first) }),
    },
  },
  loaders: {
    Book: {
      author: async (queries: readonly { obj: BookRow }[]) => queries.map(({ obj }) => authorById.get(obj.authorId)),
    },
  },
});
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
