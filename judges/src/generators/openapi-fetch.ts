import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";

export const openapiFetch = generatedClientJudge({
  name: "openapi-typescript with openapi-fetch",
  generate: (folder) => void runCommand("openapi-typescript", ["openapi.json", "-o", "client/types.d.ts"], folder),
  program: `
import createClient from "openapi-fetch";
import type { components, paths } from "./client/types";

const client = createClient<paths>({ baseUrl: "URL", headers: { authorization: "Bearer KEY" } });
const query = { "page[size]": 2, sort: ["-price", "title"], "filter[author.name][startsWith]": "Jane", "filter[genre][in]": ["novel", "poem"] } as const;
const list = await client.GET("/books", { params: { query: { ...query, sort: [...query.sort], "filter[genre][in]": ["novel", "poem"] } } });
if (list.data === undefined) throw new Error(list.error.detail ?? "list");
const titles: string[] = list.data.map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const made = await client.POST("/books", { body: { title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 } });
if (made.data === undefined) throw new Error(made.error.code);
const { id } = made.data;
const path = { id };
const got = await client.GET("/books/{id}", { params: { path, query: { include: "author" } } });
if (got.data?.title !== "Generated" || got.data.author?.name !== "Jane Austen") throw new Error("get");
const changed = await client.PATCH("/books/{id}", { params: { path }, body: { price: 2 } });
if (changed.data === undefined) throw new Error("update");
const book: components["schemas"]["Book"] = changed.data;
const price: number = book.price;
if (price !== 2) throw new Error("update");
// A response embeds tags as rows, and a write names them by their keys.
const { tags: _tags, ...fields } = book;
const replaced = await client.PUT("/books/{id}", { params: { path }, body: { ...fields, price: 3 } });
if (replaced.data?.price !== 3) throw new Error("replace");
const gone = await client.DELETE("/books/{id}", { params: { path } });
if (gone.data?.deleted !== true) throw new Error("delete");
const user = await client.POST("/users", { body: { id: "generated", name: "Generated" } });
if (user.data?.role !== "reader") throw new Error("default");
await client.DELETE("/users/{id}", { params: { path: { id: "generated" } } });
const bad = await client.POST("/authors", { body: { name: "" } });
const code: string | undefined = bad.error?.code;
if (code !== "VALIDATION_FAILED") throw new Error("problem");
// @ts-expect-error There is no such path.
void client.GET("/nothing");
// @ts-expect-error A title is text.
void client.PATCH("/books/{id}", { params: { path }, body: { title: 5 } });
// @ts-expect-error There is no such filter.
void client.GET("/books", { params: { query: { "filter[author.name][between2]": "x" } } });
`,
});
