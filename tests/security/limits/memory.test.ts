import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { FLOODS, type FloodRequest } from "./floods.ts";

const PROGRAM = fileURLToPath(new URL("memory-api.ts", import.meta.url));
const MIB = 1_048_576;
/** Megabytes of live heap that no kind of request may add: the cached documents, and some slack. */
const MAX_MEGABYTES = 64;
const AT_ONCE = 8;
/** Multiplies every flood, for a longer run than a test. */
const TIMES = Number(process.env["FLOOD_TIMES"] ?? 1);

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
let child: ChildProcess | undefined;
afterEach(async () => {
  if (child?.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
});

async function start(): Promise<string> {
  child = fork(PROGRAM, {
    execArgv: [
      "--max-old-space-size=256",
      "--expose-gc",
      "--conditions=@bifocal/source",
      "--disable-warning=ExperimentalWarning",
    ],
    env: { ...process.env, NODE_ENV: "production" },
  });
  return (await nextMessage(child)) as string;
}

async function nextMessage(from: ChildProcess): Promise<unknown> {
  const ended = once(from, "exit").then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`)));
  const [message] = (await Promise.race([once(from, "message"), ended])) as [unknown];
  return message;
}

/** Returns the status of the response, and closes an event stream after its first bytes. */
function send(url: string, { method = "GET", path, headers = {}, body }: FloodRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(`${url}${path}`, { method, headers, agent }, (response) => {
      const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
      response.resume().on(isStream ? "data" : "end", () => {
        if (isStream) response.destroy();
        resolve(response.statusCode);
      });
    });
    asking.on("error", reject).end(body);
  });
}

async function memory(): Promise<NodeJS.MemoryUsage> {
  child?.send("measure");
  return (await nextMessage(child as ChildProcess)) as NodeJS.MemoryUsage;
}

describe("a heap of 256 MB is enough for", () => {
  test.each(Object.entries(FLOODS))("%s", { timeout: 120_000 * TIMES }, async (name, { count, status, request }) => {
    const url = await start();
    expect(await send(url, request(0))).toBe(status);
    const before = await memory();
    let next = 1;
    let answered = 0;
    const unexpected: unknown[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < count * TIMES) {
          const got = await send(url, request(next++));
          if (got === status) answered++;
          // An overloaded server may reject some of them.
          else if (got !== 503) unexpected.push(got);
        }
      }),
    );
    expect(unexpected).toEqual([]);
    expect(answered).toBeGreaterThan(count * TIMES * 0.9);
    const after = await memory();
    const [grown, resident] = [after.heapUsed - before.heapUsed, after.rss].map((bytes) => Math.round(bytes / MIB));
    if (TIMES > 1) process.stderr.write(`${name}: ${answered} requests, ${grown} MiB more heap, ${resident} MiB RSS\n`);
    expect(grown).toBeLessThan(MAX_MEGABYTES);
  });
});
