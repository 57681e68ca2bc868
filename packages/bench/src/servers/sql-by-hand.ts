// The work of an expert by hand: Fastify and pg, with two prepared statements, or one that builds the JSON.
import fastify from "fastify";
import pg from "pg";
import { ready } from "../ready.ts";
import { url } from "../sql/database.ts";

const isOne = process.argv[2] === "json";
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = fastify();

interface AuthorRow {
  id: number;
  name: string;
}
interface BookRow {
  id: number;
  title: string;
  author_id: number;
}

const AUTHORS = { name: "authors", text: "select id, name from authors order by id limit 50" };
const BOOKS = {
  name: "books",
  text: `select b.id, b.title, b.author_id from unnest($1::int[]) a(id)
    cross join lateral (select id, title, author_id from books where author_id = a.id order by id limit 10) b`,
};

const JSON_AGG = {
  name: "json",
  text: `select coalesce(json_agg(x), '[]')::text as json from (
    select a.id, a.name, (select json_build_object('nodes', coalesce(json_agg(b), '[]')) from (
      select b.id, b.title, json_build_object('id', a.id, 'name', a.name) as author
      from books b where b.author_id = a.id order by b.id limit 10) b) as books
    from authors a order by a.id limit 50) x`,
};

async function nested() {
  const { rows: authors } = await pool.query<AuthorRow>(AUTHORS);
  const { rows: books } = await pool.query<BookRow>({ ...BOOKS, values: [authors.map(({ id }) => id)] });
  const byAuthor = new Map(authors.map((author) => [author.id, { author, books: [] as unknown[] }]));
  for (const { id, title, author_id } of books) {
    const own = byAuthor.get(author_id);
    own?.books.push({ id, title, author: own.author });
  }
  return [...byAuthor.values()];
}

app.post("/graphql", async (_, reply) => {
  if (isOne) {
    const { rows } = await pool.query<{ json: string }>(JSON_AGG);
    return reply.type("application/json").send(`{"data":{"authors":{"nodes":${rows[0]?.json}}}}`);
  }
  const nodes = (await nested()).map(({ author, books }) => ({ ...author, books: { nodes: books } }));
  return { data: { authors: { nodes } } };
});

app.get("/authors", async () => (await nested()).map(({ author, books }) => ({ ...author, books })));

app.get<{ Params: { id: string } }>("/books/:id", async (request, reply) => {
  const { rows } = await pool.query({
    name: "book",
    text: 'select id, title, year, price, summary, author_id as "authorId" from books where id = $1',
    values: [Number(request.params.id)],
  });
  return rows[0] ?? reply.code(404).send();
});

app.get<{ Querystring: Record<string, string> }>("/books", async (request) => {
  const { rows } = await pool.query({
    name: "list",
    text: 'select id, title, year, price, summary, author_id as "authorId" from books where year >= $1 order by price desc, id limit 50',
    values: [Number(request.query["filter[year][gte]"])],
  });
  return rows;
});

await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
