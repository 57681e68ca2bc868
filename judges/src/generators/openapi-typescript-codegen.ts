import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedClientJudge } from "./generated-client.ts";

export const openapiTypescriptCodegen = generatedClientJudge({
  name: "openapi-typescript-codegen",
  generate(folder) {
    omitGroups(join(folder, "openapi.json"));
    // Another package has a command with the same name, `openapi`.
    const command = "node_modules/openapi-typescript-codegen/bin/index.js";
    const options = ["--input", "openapi.json", "--output", "client", "--client", "fetch", "--useOptions"];
    const { status, stderr } = spawnSync(process.execPath, [command, ...options], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  },
  program: `
import { BooksService, CreateBook, OpenAPI } from "./client/index";

OpenAPI.BASE = "URL";
OpenAPI.TOKEN = "KEY";
const list = await BooksService.listBooks({
  pageSize: 2,
  sort: ["-price", "title"],
  filterAuthorNameStartsWith: "Jane",
  filterGenreIn: ["novel", "poem"],
});
const titles: string[] = list.map(({ title }) => title);
if (titles.length !== 2) throw new Error("list");
const authorId = "a0000000-0000-4000-8000-000000000001";
const book: CreateBook = { title: "Generated", authorId, genre: CreateBook.genre.NOVEL, price: 1 };
const { id } = await BooksService.createBook({ requestBody: book });
const got = await BooksService.getBook({ id });
if (got.title !== "Generated") throw new Error("get");
const changed = await BooksService.updateBook({ id, requestBody: { price: 2 } });
if (changed.price !== 2) throw new Error("update");
const gone = await BooksService.deleteBook({ id });
if (!gone.deleted) throw new Error("delete");
`,
});

/** The program doesn't quote names with a dot, such as `createdAt.month`, so it gets the document without groups. */
function omitGroups(path: string): void {
  const document = JSON.parse(readFileSync(path, "utf8")) as {
    readonly components: { readonly schemas: Record<string, { readonly properties?: Record<string, object> }> };
  };
  for (const [name, { properties }] of Object.entries(document.components.schemas))
    if (name.endsWith("Aggregate") && properties !== undefined) properties["group"] = { type: "object" };
  writeFileSync(path, JSON.stringify(document));
}
