import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";

export const genql = generatedClientJudge({
  name: "genql",
  generate: (folder) => void runCommand("genql", ["--schema", "schema.graphql", "--output", "client"], folder),
  program: `
import { createClient } from "./client/index";
const client = createClient({ url: "URL/graphql", headers: { authorization: "Bearer KEY" } });
const { books } = await client.query({ books: { __args: { first: 2, sort: ["PRICE_DESC", "TITLE_ASC"], filter: { author: { name: { startsWith: "Jane" } } } }, nodes: { id: true, title: true, author: { name: true } } } });
const titles: string[] = (books.nodes ?? []).map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const input = { title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 } as const;
const { createBook } = await client.mutation({ createBook: { __args: { input }, id: true } });
const id = createBook?.id ?? "";
const { book } = await client.query({ book: { __args: { id }, title: true, genre: true } });
if (book?.title !== "Generated" || book.genre !== "novel") throw new Error("get");
const { updateBook } = await client.mutation({ updateBook: { __args: { id, input: { price: 2 } }, price: true } });
if (updateBook?.price !== 2) throw new Error("update");
const { deleteBook } = await client.mutation({ deleteBook: { __args: { id }, deleted: true } });
if (!deleteBook.deleted) throw new Error("delete");
`,
});
