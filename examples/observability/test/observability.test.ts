import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = readFileSync(`${root}src/main.ts`, "utf8");
const page = readFileSync(fileURLToPath(new URL("../../../docs/observability.md", import.meta.url)), "utf8");

let server: ChildProcess;
let printed = "";
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
  server.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  url = await vi.waitFor(() => /http:\/\/\S+/.exec(printed)?.[0] ?? expect.fail("it does not listen"), 10_000);
});
afterAll(() => void server.kill());

test("the page shows this program", () => {
  expect(page).toContain(source.trim());
});

test("prints the spans of both styles, and responses state their timing", async () => {
  const list = await fetch(`${url}/books`);
  expect(list.headers.get("server-timing")).toMatch(/^parse;dur=.*, store;dur=.*, serialize;dur=.*, total;dur=/);
  await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ books { nodes { title } } }" }),
  });
  const rest = ["store.list book", "list book", "GET /books"];
  const graphql = ["store.list book", "list book", "query", "POST /graphql"];
  await vi.waitFor(() => {
    const printedNames = [...printed.matchAll(/^ {2}name: '(.*)',$/gm)].map(([, name]) => name);
    expect(printedNames).toEqual([...rest, ...graphql]);
  });
});
