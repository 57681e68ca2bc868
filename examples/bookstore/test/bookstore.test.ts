import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createBookstore, startBookstore } from "../src/start.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts the program. Returns its output and a function that ends it. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "exit");
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await Promise.race([
    ended,
    waitFor(() => text.includes("Bookstore on") && (env["BOOKSTORE_KEYS"] !== undefined || text.includes("admin:"))),
  ]);
  const stop = async (): Promise<unknown> => {
    child.kill("SIGTERM");
    return ((await ended) as [number | null])[0];
  };
  return { text: () => text, url: /http:\/\/\S+/.exec(text)?.[0] ?? "", stop };
}

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("as a program", () => {
  test.each(["fastify", "express", "node-http"])("on %s, with new keys", async (adapter) => {
    const store = await start({ ADAPTER: adapter });
    const key = /admin: Authorization: Bearer (\S+)/.exec(store.text())?.[1] ?? "";
    expect(store.text()).toContain(`Bookstore on ${adapter}`);
    const headers = { "content-type": "application/json", "x-api-key": key };
    const created = await fetch(`${store.url}/tags`, { method: "POST", headers, body: '{"slug":"x","name":"X"}' });
    expect(created.status).toBe(201);
    expect(await store.stop()).toBe(0);
  });

  test("with configured keys, prints none", async () => {
    const store = await start({ BOOKSTORE_KEYS: "reader=r-key,reader:ben=b-key,editor=e-key,admin=a-key" });
    expect(store.text()).not.toContain("key");
    for (const [key, status] of [
      ["r-key", 403],
      ["e-key", 422],
      ["x", 401],
    ] as const) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      expect((await fetch(`${store.url}/books`, { method: "POST", headers, body: "{}" })).status).toBe(status);
    }
    expect(await store.stop()).toBe(0);
  });

  test.each<[Record<string, string>, string]>([
    [{ ADAPTER: "koa" }, "ADAPTER is fastify, express or node-http"],
    [{ BOOKSTORE_KEYS: "reader" }, "BOOKSTORE_KEYS"],
    [{ SEED: "many" }, "SEED"],
  ])("rejects %j with an explanation", async (env, message) => {
    const store = await start(env);
    expect(store.text()).toContain(message);
  });
});

test("creates the same data from a seed at every start", async () => {
  const read = async (): Promise<unknown> => {
    const { api } = createBookstore({ seed: "100x10" });
    const { items, total } = await api
      .as({ id: "x", roles: ["editor"] })
      .book.list({ count: true, page: { size: 100 } });
    expect(total).toBe(100);
    return items;
  };
  expect(await read()).toEqual(await read());
});

test("lists every route and every field in the README", async () => {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const { api } = createBookstore({});
  for (const resource of api.model.resources.values()) {
    for (const name of [...resource.fields.keys(), ...resource.actions.keys(), ...resource.relations.keys()]) {
      expect(readme).toContain(`\`${name}\``);
    }
    expect(readme).toContain(`\`/${resource.path}\``);
  }
  const running = await startBookstore({ port: 0 });
  await running.close();
});

test("has the schema of schema.graphql", async () => {
  await expect(createBookstore().api.graphql.sdl()).toMatchFileSnapshot("../schema.graphql");
});
