import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";

export const swaggerTypescriptApi = generatedClientJudge({
  name: "swagger-typescript-api",
  generate: (folder) =>
    void runCommand(
      "swagger-typescript-api",
      ["generate", "-p", "openapi.json", "-o", "client", "-n", "index.ts"],
      folder,
    ),
  program: `
import { Api } from "./client/index";

const headers = { authorization: "Bearer KEY" };
const api = new Api({ baseUrl: "URL", baseApiParams: { headers, format: "json" } });
const list = await api.books.listBooks({ "page[size]": 2, sort: ["-price", "title"], "filter[author.name][startsWith]": "Jane", "filter[genre][in]": ["novel", "poem"] });
const titles: string[] = list.data.map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const made = await api.books.createBook({ title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 });
const { id } = made.data;
const got = await api.books.getBook(id);
if (got.data.title !== "Generated") throw new Error("get");
const changed = await api.books.updateBook(id, { price: 2 });
if (changed.data.price !== 2) throw new Error("update");
const gone = await api.books.deleteBook(id);
if (!gone.data.deleted) throw new Error("delete");
`,
});
