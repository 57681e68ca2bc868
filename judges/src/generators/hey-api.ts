import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";

export const heyApi = generatedClientJudge({
  name: "hey-api",
  generate: (folder) =>
    void runCommand("openapi-ts", ["-i", "openapi.json", "-o", "client", "-c", "@hey-api/client-fetch"], folder),
  // It sends the key in each of the two headers that the document describes.
  program: `
import { createBook, deleteBook, getBook, listBooks, updateBook } from "./client/index";
import { client } from "./client/client.gen";

client.setConfig({ baseUrl: "URL", auth: () => "KEY" });
const list = await listBooks({ query: { "page[size]": 2, sort: ["-price", "title"], "filter[author.name][startsWith]": "Jane", "filter[genre][in]": ["novel", "poem"] } });
if (list.data === undefined) throw new Error(JSON.stringify(list.error));
const titles: string[] = list.data.map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const made = await createBook({ body: { title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 } });
if (made.data === undefined) throw new Error(JSON.stringify(made.error));
const path = { id: made.data.id };
const got = await getBook({ path });
if (got.data?.title !== "Generated") throw new Error("get");
const changed = await updateBook({ path, body: { price: 2 } });
if (changed.data?.price !== 2) throw new Error("update");
const gone = await deleteBook({ path });
if (gone.data?.deleted !== true) throw new Error("delete");
`,
});
