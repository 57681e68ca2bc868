import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { bundleScenario, printingModule, respondingWorker } from "./bundle.ts";
import type { Scenario } from "./scenario.ts";

const BIN = resolve(import.meta.dirname, "../../runtimes/hosts/node_modules/.bin");

/** Runs the scenario in a program, and returns its results. */
export type RunScenario = (scenario: Scenario) => Promise<unknown>;

/** The runtimes in which the client runs. */
export const CLIENT_HOSTS: readonly (readonly [name: string, run: RunScenario])[] = [
  ["Node", (scenario) => runProgram(process.execPath, [], scenario)],
  ["Bun", (scenario) => runProgram(join(BIN, "bun"), [], scenario)],
  ["Deno", (scenario) => runProgram(join(BIN, "deno"), ["run", "--allow-net"], scenario)],
  ["workerd", runWorker],
];

async function runProgram(command: string, args: readonly string[], scenario: Scenario): Promise<unknown> {
  return inFolder(async (folder) => {
    const file = join(folder, "client.mjs");
    await writeFile(file, await bundleScenario(printingModule(scenario)));
    const { stdout } = await promisify(execFile)(command, [...args, file], { timeout: 30_000 });
    return JSON.parse(stdout) as unknown;
  });
}

async function runWorker(scenario: Scenario): Promise<unknown> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, "worker.js"), await bundleScenario(respondingWorker(scenario)));
    const port = await freePort();
    await writeFile(
      join(folder, "config.capnp"),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
    )),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
    );
    const child = spawn(join(BIN, "workerd"), ["serve", join(folder, "config.capnp")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      const response = await untilUp(`http://127.0.0.1:${port}/`);
      return await response.json();
    } finally {
      await end(child);
    }
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "bifocal-client-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Repeats a request until the server listens. */
async function untilUp(url: string): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(url);
    } catch (thrown) {
      if (attempt === 200) throw thrown;
      await new Promise((next) => setTimeout(next, 50));
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
