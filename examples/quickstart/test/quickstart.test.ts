import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = readFileSync(`${root}src/main.ts`, "utf8");
const readme = readFileSync(fileURLToPath(new URL("../../../README.md", import.meta.url)), "utf8");

let server: ChildProcess;
let url = "";

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

beforeAll(async () => {
  server = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  server.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  while (!text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
  url = /http:\/\/\S+/.exec(text)?.[0] ?? "";
});
afterAll(() => void server.kill());

async function send(path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  return (await response.json()) as Record<string, unknown>;
}

test("the README shows this program", () => {
  expect(readme).toContain(source.trim());
});

test("rows written in one style can be read in the other", async () => {
  const author = await send("/authors", { name: "Jane Austen" });
  const { data } = (await send("/graphql", {
    query: `mutation ($id: ID!) { createBook(input: { title: "Emma", price: 12.5, authorId: $id }) { id author { name } } }`,
    variables: { id: author["id"] },
  })) as { data: { createBook: { id: string; author: object } } };
  expect(data.createBook.author).toEqual({ name: "Jane Austen" });
  expect(await send(`/authors/${author["id"] as string}?include=books`)).toEqual({
    ...author,
    books: [{ id: data.createBook.id, title: "Emma", price: 12.5, authorId: author["id"] }],
  });
  expect(await send("/books?filter[price][gt]=13")).toEqual([]);
  expect(await send("/books", { title: "" })).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
});
