import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { BookstoreOptions } from "@bifocal/example-bookstore/start";
import { buildApp } from "./build-app.ts";
import { end, freePort, type RunningHost, untilUp } from "./running-host.ts";
import { startWorker } from "./start-worker.ts";

export type { RunningHost } from "./running-host.ts";

const FOLDER = resolve(import.meta.dirname, "hosts");
const BIN = join(FOLDER, "node_modules/.bin");
const SOURCE = "--conditions=@bifocal/source";
/** The expression that names the bookstore. A worker has no environment. */
const BOOKSTORE = 'process.env["BOOKSTORE"]';

/** The bookstore to serve. It is passed to another process as JSON. */
export interface ServedBookstore extends Pick<BookstoreOptions, "keys" | "secret" | "authorizationServer"> {
  /** The URL of a filled database. Default: in memory. */
  readonly database?: string | undefined;
}

/** A runtime or framework, in its own process. */
export interface Host {
  readonly name: string;
  /** Serves the bookstore at the root if it is given, or else the audited API at `/api`. */
  readonly start: (bookstore?: ServedBookstore) => Promise<RunningHost>;
  /** Whether it rejects the method QUERY itself. */
  readonly lacksQuery?: boolean;
  /** Whether it serves no WebSockets. */
  readonly lacksSockets?: boolean;
  /** Whether it has no `node:sqlite`. */
  readonly lacksSqlite?: boolean;
  /** Whether it doesn't report that a client has disconnected. */
  readonly lacksDisconnects?: boolean;
  /** Whether it decodes query strings and encodes them again, so that invalid percent-encoding is lost. */
  readonly recodesQuery?: boolean;
  /** Names that it adds in front of `Vary`. */
  readonly vary?: string;
  /** Whether it sends bodies without `Content-Length`. */
  readonly lacksLength?: boolean;
}

/** Maximum time to build and start a host, in milliseconds. */
export const MAX_START_MS = 240_000;

/** Why the hosts can't run. Undefined in CI, where missing hosts fail their tests. */
export const MISSING: string | undefined =
  existsSync(BIN) || process.env["CI"] !== undefined
    ? undefined
    : "The hosts aren't installed. Run `npm ci --prefix tests/runtimes/hosts`.";

export const RUNTIMES: readonly Host[] = [
  { name: "Bun", start: (bookstore) => run(join(BIN, "bun"), [SOURCE, "bun.ts"], bookstore) },
  { name: "Deno", start: (bookstore) => run(join(BIN, "deno"), ["run", "--allow-all", SOURCE, "deno.ts"], bookstore) },
  { name: "workerd", start: startWorkerd, lacksSqlite: true, lacksDisconnects: true },
  { name: "Hono on Node", start: (bookstore) => runOnNode("hono.ts", bookstore) },
];

/** Next.js and Nitro run their production builds. */
const FRAMEWORKS: readonly Host[] = [
  {
    name: "Next.js",
    start: (bookstore) => startNext("next", bookstore),
    lacksQuery: true,
    lacksSockets: true,
    recodesQuery: true,
    vary: "rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, ",
  },
  {
    name: "Next.js, Pages Router",
    start: (bookstore) => startNext("next-pages", bookstore),
    lacksSockets: true,
    recodesQuery: true,
  },
  { name: "Nitro", start: startNitro, lacksSockets: true, lacksLength: true },
  { name: "NestJS on Express", start: (bookstore) => runOnNode("nestjs-express.ts", bookstore) },
  { name: "NestJS on Fastify", start: (bookstore) => runOnNode("nestjs-fastify.ts", bookstore) },
];

export const HOSTS: readonly Host[] = [...RUNTIMES, ...FRAMEWORKS];

/** Serves the bookstore with `@bifocal/node-http`, in a process with these flags. */
export function startNodeHttp(bookstore?: ServedBookstore, flags: readonly string[] = []): Promise<RunningHost> {
  return run(process.execPath, [...flags, SOURCE, "node-http.ts"], bookstore);
}

function runOnNode(file: string, bookstore: ServedBookstore | undefined): Promise<RunningHost> {
  return run(process.execPath, [SOURCE, file], bookstore);
}

/** Starts a program that prints its port. */
async function run(command: string, args: readonly string[], bookstore?: ServedBookstore): Promise<RunningHost> {
  const child = spawn(command, args, {
    cwd: FOLDER,
    env: environmentOf(bookstore),
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout)) {
    if (/^\d+$/.test(line))
      return { port: Number(line), closeApi: () => void child.kill("SIGTERM"), close: () => end(child) };
  }
  throw new Error(`${command} ended before it listened.`);
}

function environmentOf(bookstore: ServedBookstore | undefined): NodeJS.ProcessEnv {
  return bookstore === undefined ? process.env : { ...process.env, BOOKSTORE: JSON.stringify(bookstore) };
}

function startWorkerd(bookstore?: ServedBookstore): Promise<RunningHost> {
  return startWorker({
    entryPoints: [join(FOLDER, "workerd.ts")],
    define: bookstore === undefined ? {} : { [BOOKSTORE]: JSON.stringify(JSON.stringify(bookstore)) },
  });
}

async function startNext(folder: string, bookstore?: ServedBookstore): Promise<RunningHost> {
  const next = join(BIN, "next");
  await buildApp(join(FOLDER, folder), [next, "build"], buildEnvironment());
  const port = await freePort();
  return serveApp(folder, [next, "start", "--hostname", "127.0.0.1", "--port", String(port)], port, bookstore);
}

async function startNitro(bookstore?: ServedBookstore): Promise<RunningHost> {
  await buildApp(join(FOLDER, "nitro"), [join(BIN, "nitro"), "build"], buildEnvironment());
  return serveApp("nitro", [join(FOLDER, "nitro/.output/server/index.mjs")], await freePort(), bookstore);
}

const QUIET = { NEXT_TELEMETRY_DISABLED: "1", NITRO_TELEMETRY_DISABLED: "1" };

/** Without the environment of the tests, which frameworks would build for. */
function buildEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ...env } = process.env;
  return { ...env, ...QUIET };
}

async function serveApp(
  folder: string,
  command: readonly string[],
  port: number,
  bookstore: ServedBookstore | undefined,
): Promise<RunningHost> {
  const child = spawn(process.execPath, command, {
    cwd: join(FOLDER, folder),
    env: { ...environmentOf(bookstore), ...QUIET, NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilUp(port);
  return { port, close: () => end(child) };
}
