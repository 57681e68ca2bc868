import fastify from "fastify";
import mercurius from "mercurius";
import pg from "pg";
import { ready } from "../src/ready.ts";
import { url } from "../src/sql/database.ts";

interface AuthorRow {
  readonly id: number;
  readonly name: string;
}
interface BookRow {
  readonly id: number;
  readonly title: string;
  readonly author_id: number;
}
interface Query<Row> {
  readonly obj: Row;
  readonly params: { readonly first: number };
}

const pool = new pg.Pool({ connectionString: url, max: 10 });
const BOOKS = `select b.id, b.title, b.author_id from unnest($1::int[]) a(id)
  cross join lateral (select id, title, author_id from books where author_id = a.id order by id limit $2) b`;

const app = fastify();
await app.register(mercurius, {
  schema: `
    type Author { id: ID! name: String! books(first: Int!): BookConnection! }
    type AuthorConnection { nodes: [Author!]! }
    type Book { id: ID! title: String! author: Author! }
    type BookConnection { nodes: [Book!]! }
    type Query { authors(first: Int!): AuthorConnection! }
  `,
  jit: 1,
  path: "/graphql",
  resolvers: {
    Query: {
      authors: async (_: unknown, { first }: { first: number }) => {
        const text = "select id, name from authors order by id limit $1";
        const { rows } = await pool.query<AuthorRow>({ name: "authors", text, values: [first] });
        return { nodes: rows };
      },
    },
  },
  loaders: {
    Author: {
      books: async (queries: readonly Query<AuthorRow>[]) => {
        const ids = queries.map(({ obj }) => obj.id);
        const values = [ids, queries[0]?.params.first];
        const { rows } = await pool.query<BookRow>({ name: "books", text: BOOKS, values });
        const byAuthor = new Map<number, BookRow[]>(ids.map((id) => [id, []]));
        for (const row of rows) byAuthor.get(row.author_id)?.push(row);
        return ids.map((id) => ({ nodes: byAuthor.get(id) }));
      },
    },
    Book: {
      author: async (queries: readonly Query<BookRow>[]) => {
        const ids = [...new Set(queries.map(({ obj }) => obj.author_id))];
        const text = "select id, name from authors where id = any($1::int[])";
        const { rows } = await pool.query<AuthorRow>({ name: "owners", text, values: [ids] });
        const byId = new Map(rows.map((row) => [row.id, row]));
        return queries.map(({ obj }) => byId.get(obj.author_id));
      },
    },
  },
});
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
