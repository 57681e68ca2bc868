import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ADMIN } from "./bookstore.ts";
import { type Judge, runCommand } from "./judge.ts";

const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./types.ts";

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: "URL", headers: { authorization: "Bearer KEY" } });
const list = await client.GET("/books", { params: { query: { "page[size]": 2, sort: ["-price"] } } });
const title: string | undefined = list.data?.[0]?.title;
if (list.data?.length !== 2 || title === undefined) throw new Error("The list is not as typed.");
const made = await client.POST("/authors", { body: { name: "Typed", email: null, bio: null, born: null } });
const id = made.data?.id;
if (made.response.status !== 201 || id === undefined) throw new Error("The create is not as typed.");
const changed = await client.PATCH("/authors/{id}", { params: { path: { id } }, body: { name: "Typed again" } });
if (changed.data?.name !== "Typed again") throw new Error("The update is not as typed.");
const bad = await client.POST("/authors", { body: { name: "" } });
const code: string | undefined = bad.error?.code;
if (code !== "VALIDATION_FAILED") throw new Error("The problem is not as typed.");
const gone = await client.DELETE("/authors/{id}", { params: { path: { id } } });
if (gone.data?.deleted !== true) throw new Error("The delete is not as typed.");
// @ts-expect-error There is no such path.
client.GET("/nothing");
// @ts-expect-error A title is text.
client.PATCH("/books/{id}", { params: { path: { id: "x" } }, body: { title: 5 } });
`;

export const typedClient: Judge = {
  name: "openapi-typescript and openapi-fetch build a typed client from the document",
  async run({ url, folder }) {
    runCommand("openapi-typescript", ["openapi.json", "-o", "types.ts"], folder);
    const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
    mkdirSync(join(folder, "client"), { recursive: true });
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "client.ts"), PROGRAM.replace("URL", url).replace("KEY", ADMIN));
    const options = {
      target: "es2022",
      module: "nodenext",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      lib: ["es2022", "dom"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["client.ts"] }));
    runCommand("tsc", ["-p", "."], folder);
    await import(pathToFileURL(join(folder, "client.ts")).href);
  },
};
