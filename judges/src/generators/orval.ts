import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";

const CONFIG = `export default { bookstore: { input: "./openapi.json", output: { target: "./client/index.ts", client: "fetch", mode: "single", baseUrl: "https://bookstore.invalid" } } };
`;

export const orval = generatedClientJudge({
  name: "orval",
  generate(folder) {
    writeFileSync(join(folder, "orval.config.mjs"), CONFIG);
    runCommand("orval", ["--config", "orval.config.mjs"], folder);
  },
  program: `
import { createBook, deleteBook, getBook, listBooks, updateBook } from "./client/index";

const send = globalThis.fetch;
globalThis.fetch = (input, init) => send(String(input).replace("https://bookstore.invalid", "URL"), init);
const options: RequestInit = { headers: { authorization: "Bearer KEY" } };
const list = await listBooks({ "page[size]": 2, sort: ["-price", "title"], "filter[author.name][startsWith]": "Jane", "filter[genre][in]": ["novel", "poem"] }, options);
if (list.status !== 200) throw new Error(JSON.stringify(list.data));
const titles: string[] = list.data.map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const made = await createBook({ title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 }, undefined, options);
if (made.status !== 201) throw new Error(JSON.stringify(made.data));
const { id } = made.data;
const got = await getBook(id, undefined, options);
if (got.status !== 200 || got.data.title !== "Generated") throw new Error("get");
const changed = await updateBook(id, { price: 2 }, undefined, options);
if (changed.status !== 200 || changed.data.price !== 2) throw new Error("update");
const gone = await deleteBook(id, options);
if (gone.status !== 200 || !gone.data.deleted) throw new Error("delete");
`,
});
