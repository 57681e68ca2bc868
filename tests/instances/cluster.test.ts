import { allow, defineApi, defineResource, silentLog, uuid } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ROOT, snippets } from "../docs/snippets.ts";

const postgres = servers.find(({ name }) => name === "postgres");
const folder = join(ROOT, "node_modules/.cache/bifocal-cluster-test");
const program = join(folder, `${process.pid}.mjs`);
/** Adds the worker to each response. */
const NAME_WORKER = `import { subscribe } from "node:diagnostics_channel";
subscribe("http.server.request.start", ({ response }) => response.setHeader("x-worker", String(process.pid)));`;

let database: TestDatabase;
let port: number;
let primary: ChildProcess;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return free;
}

interface Answer {
  readonly status: number;
  readonly worker: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** Sends a request over a connection of its own, so that it can reach any worker. */
async function open(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = "",
): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: new Agent({ keepAlive: false }) }).end(
    body,
  );
  return ((await once(sent, "response")) as [IncomingMessage])[0];
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Answer> {
  const content = body === undefined ? {} : { "content-type": "application/json" };
  const response = await open(method, path, { ...headers, ...content }, body && JSON.stringify(body));
  let text = "";
  for await (const chunk of response) text += String(chunk);
  // Workers refuse requests while the machine is too busy, before they do anything.
  if (response.statusCode === 503) return sleep(200).then(() => send(method, path, headers, body));
  return {
    status: response.statusCode ?? 0,
    worker: String(response.headers["x-worker"]),
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** Repeats a request until another worker has responded. */
async function sendToAnother(worker: string, again: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await again();
    if (answer.worker !== worker) return answer;
  }
}

/** Opens an event stream on each of two workers. */
async function subscribe(): Promise<ReadonlyMap<string, { text: string }>> {
  const streams = new Map<string, { text: string }>();
  while (streams.size < 2) {
    const response = await open("GET", "/books", { accept: "text/event-stream" });
    const worker = String(response.headers["x-worker"]);
    if (streams.has(worker)) {
      response.destroy();
      continue;
    }
    const stream = { text: "" };
    streams.set(worker, stream);
    response.on("error", () => {});
    response.on("data", (chunk) => (stream.text += String(chunk)));
  }
  return streams;
}

async function isListening(): Promise<boolean> {
  return send("GET", "/openapi.json").then(
    ({ status }) => status === 200,
    () => false,
  );
}

beforeAll(async () => {
  if (postgres === undefined || postgres.missing !== undefined) return;
  database = await postgres.create();
  // The migrations of the guide's resource.
  const book = defineResource("book", {
    fields: { id: z.uuid(), title: z.string().min(1), price: z.number() },
    generated: { id: uuid() },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  const api = defineApi({
    resources: [book],
    store: sqlStore({ url: database.url, autoCreate: true }),
    log: silentLog,
  });
  await api.ready;
  await api.close();
  const example = snippets().find(({ at, language }) => at.startsWith("docs/cluster.md") && language === "ts");
  if (example === undefined) throw new Error("docs/cluster.md has no example.");
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  mkdirSync(folder, { recursive: true });
  writeFileSync(program, ts.transpileModule(example.text, { compilerOptions }).outputText);
  port = await freePort();
  const preload = `data:text/javascript,${encodeURIComponent(NAME_WORKER)}`;
  primary = spawn(process.execPath, ["--conditions=@bifocal/source", "--import", preload, program], {
    env: {
      ...process.env,
      NODE_ENV: "test",
      DATABASE_URL: database.url,
      SECRET: "0123456789abcdef0123456789abcdef",
      WORKERS: "2",
      PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await vi.waitUntil(isListening, { timeout: 60_000, interval: 100 });
}, 90_000);

afterAll(async () => {
  if (primary?.exitCode === null) {
    primary.kill("SIGKILL");
    await once(primary, "exit");
  }
  rmSync(program, { force: true });
  await database?.drop();
});

describe.skipIf(postgres?.missing !== undefined)("the example of the cluster guide", () => {
  test("sends a write on one worker to the subscribers of every worker", async () => {
    const streams = await subscribe();
    const one = await send("POST", "/books", {}, { title: "Emma", price: 5 });
    const other = await sendToAnother(one.worker, () => send("POST", "/books", {}, { title: "Persuasion", price: 6 }));
    expect([one.status, other.status]).toEqual([201, 201]);
    expect([...streams.keys()].sort()).toEqual([one.worker, other.worker].sort());
    for (const { body } of [one, other]) {
      const { id } = body as { id: string };
      for (const stream of streams.values()) await expect.poll(() => stream.text).toContain(id);
    }
  }, 60_000);

  test("replays a write that another worker has done", async () => {
    const headers = { "idempotency-key": `"${randomUUID()}"` };
    const book = { title: "Middlemarch", price: 7 };
    const first = await send("POST", "/books", headers, book);
    const again = await sendToAnother(first.worker, () => send("POST", "/books", headers, book));
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
  }, 60_000);

  test("continues a list with a cursor of another worker", async () => {
    for (const title of ["North", "South"]) await send("POST", "/books", {}, { title, price: 8 });
    const page = await send("GET", "/books?page[size]=1");
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers["link"]))?.[1] ?? "";
    const { pathname, search } = new URL(next, "http://127.0.0.1");
    const second = await sendToAnother(page.worker, () => send("GET", pathname + search));
    expect(second.status).toBe(200);
    expect(second.body).toHaveLength(1);
    expect(second.body).not.toEqual(page.body);
  }, 60_000);

  test("replaces a worker that was killed, and keeps the subscribers of the other", async () => {
    const streams = await subscribe();
    const [killed = "", survivor = ""] = streams.keys();
    process.kill(Number(killed), "SIGKILL");
    const workers = new Set<string>();
    const isReplaced = async (): Promise<boolean> => {
      // A connection that Node hands to a worker while that worker is killed may never be served.
      const answer = await Promise.race([send("GET", "/openapi.json").catch(() => undefined), sleep(1_000)]);
      if (answer !== undefined && answer.status === 200) workers.add(answer.worker);
      return [...workers].some((worker) => worker !== survivor && worker !== killed);
    };
    await expect.poll(isReplaced, { timeout: 30_000 }).toBe(true);
    const written = await sendToAnother(survivor, () => send("POST", "/books", {}, { title: "Villette", price: 9 }));
    await expect.poll(() => streams.get(survivor)?.text).toContain((written.body as { id: string }).id);
  }, 60_000);

  test("ends all processes after SIGTERM", async () => {
    const { worker } = await send("GET", "/books");
    const exited = once(primary, "exit");
    primary.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    expect(() => process.kill(Number(worker), 0)).toThrow("ESRCH");
  }, 60_000);
});
