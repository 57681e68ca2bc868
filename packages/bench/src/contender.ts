import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { dirname, resolve } from "node:path";
import type { WorkerUsage } from "./cluster/worker-usage.ts";
import type { Feed } from "./feed.ts";
import { pinToCore } from "./pin-to-core.ts";

/** A server in its own process. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  /** Returns the processor time used so far, in microseconds. */
  readonly used: () => Promise<number>;
  /** The number of its process. */
  readonly pid: number;
  /** Sends requests without a network, and returns the microseconds per request. */
  readonly feed: (given: Feed) => Promise<number>;
  /** Returns the memory used now, in bytes, or after a collection if the process was started with `--expose-gc`. */
  readonly memory: (when: "memory" | "collected memory") => Promise<NodeJS.MemoryUsage>;
  /** Returns the usage of each worker of a cluster. */
  readonly workers: () => Promise<readonly WorkerUsage[]>;
  readonly stop: () => void;
}

/** Contenders that use graphql 16 and their own dependencies. */
const PEERS = new Set([
  "mercurius",
  "apollo",
  "yoga",
  "graphql-http",
  "graphql-jit",
  "mercurius-sql",
  "postgraphile-sql",
  "ten-mercurius",
]);

export function isPeer(file: string): boolean {
  return PEERS.has(file);
}

/** Suffix of the name of a contender that runs from the checkout in BEFORE, to compare two commits. */
export const BEFORE = " before";

export async function startContender(name: string): Promise<Contender> {
  const [file = "", ...args] = name.replace(BEFORE, "").split(" ");
  const folder = PEERS.has(file) ? "../peers" : "servers";
  const own = import.meta.dirname;
  const from = name.endsWith(BEFORE) ? resolve(process.env["BEFORE"] ?? "", "packages/bench/src") : own;
  const child: ChildProcess = fork(resolve(from, folder, `${file}.ts`), args, {
    execArgv: ["--conditions=@bifocal/source"],
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const contender = await connect(name, child);
  // The load generator uses another core. The server is limited to one core, so that V8's helper threads count too.
  pinToCore(contender.pid, 0);
  return contender;
}

/** Suffix of the name of a contender that is one file with all its packages. */
export const BUNDLED = " bundled";

/** Suffix of the name of a contender that keeps its compiled code between starts. */
export const CACHED = " compile-cache";

/** Runs a file that `buildServer` has compiled. It runs on the first core, or on the given ones. */
export async function startBuilt(
  name: string,
  file: string,
  execArgv: readonly string[] = [],
  cores = "0",
): Promise<Contender> {
  const [, ...args] = name.split(" ");
  const child = fork(file, args, {
    execPath: "taskset",
    execArgv: ["-c", cores, process.execPath, ...execArgv],
    env: {
      ...process.env,
      NODE_ENV: "production",
      ...(name.endsWith(CACHED) && { NODE_COMPILE_CACHE: resolve(dirname(file), "compile-cache") }),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return connect(name, child);
}

/** Runs a file on Bun, on the first core. */
export async function startOnBun(name: string, file: string): Promise<Contender> {
  const bun = resolve(import.meta.dirname, "../../../tests/runtimes/hosts/node_modules/.bin/bun");
  const child = fork(file, [], {
    execPath: "taskset",
    execArgv: ["-c", "0", bun, "--conditions=@bifocal/source"],
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return connect(name, child);
}

/** Waits until the server listens. */
async function connect(name: string, child: ChildProcess): Promise<Contender> {
  const [port] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${name} ended with ${code} before it listened.`))),
  ]);
  async function used(): Promise<number> {
    child.send("used");
    const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
    return user + system;
  }
  async function feed(given: Feed): Promise<number> {
    child.send(given);
    const [microseconds] = (await once(child, "message")) as [number];
    return microseconds;
  }
  async function memory(when: "memory" | "collected memory"): Promise<NodeJS.MemoryUsage> {
    child.send(when);
    return ((await once(child, "message")) as [NodeJS.MemoryUsage])[0];
  }
  async function workers(): Promise<readonly WorkerUsage[]> {
    child.send("workers");
    return ((await once(child, "message")) as [readonly WorkerUsage[]])[0];
  }
  const pid = child.pid as number;
  return { name, pid, feed, workers, url: `http://127.0.0.1:${port}`, used, memory, stop: () => child.kill("SIGINT") };
}
