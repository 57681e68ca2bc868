import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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

/** The commands of a shell block of the README that starts with this text. */
function commandsOf(start: string): readonly string[] {
  const [, block = ""] =
    [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].find(([, text]) => text?.startsWith(start)) ?? [];
  return block.trim().split("\n");
}

test("the README shows this program", () => {
  expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`);
});

test("each curl command of the README returns what its sentence promises", async () => {
  const run = promisify(execFile);
  const answers: unknown[] = [];
  for (const command of commandsOf("curl")) {
    expect(command).toContain("'http://127.0.0.1:3000/");
    const { stdout } = await run("sh", [
      "-c",
      `${command.replace("http://127.0.0.1:3000", url)} --silent --fail-with-body`,
    ]);
    answers.push(JSON.parse(stdout));
  }
  const [author, books, graphql, document, ...others] = answers as Record<string, unknown>[];
  expect(author).toMatchObject({ name: "Jane Austen" });
  expect(books).toMatchObject([
    { title: "Emma", price: 12.5, author: { name: "Jane Austen" } },
    { title: "Persuasion", price: 9, author: { name: "Jane Austen" } },
  ]);
  expect(graphql?.["errors"]).toBeUndefined();
  expect(graphql?.["data"]).toMatchObject({ authors: { nodes: [{ name: "Jane Austen", books: { totalCount: 2 } }] } });
  expect(document?.["openapi"]).toMatch(/^3\./);
  expect(others).toEqual([]);
});

test("the README names the packages of pages that it mentions", async () => {
  expect((await fetch(`${url}/docs`)).status).toBe(404);
  for (const line of readme.split("\n").filter((one) => one.includes("`/docs`")))
    expect(line).toContain("packages/scalar");
});

test.each(["", "80a", "-1"])("reports what is wrong with PORT=%s", async (port) => {
  const failing = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: port },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  failing.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(failing, "close")) as [number];
  expect([code, text]).toEqual([
    1,
    `The port must be a number from 0 to 65535; received "${port}". Choose one, such as 3000.\n`,
  ]);
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
