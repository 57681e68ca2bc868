import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
export const FIXTURE = fileURLToPath(new URL("./fixture-api.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts the command line in its own process, like a shell. */
export function startBifocal(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], NO_COLOR: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (text.out += String(chunk)));
  child.stderr.on("data", (chunk) => (text.err += String(chunk)));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, ...text })));
  return { child, ended };
}

/** A temporary folder for a test, and the command line in it, with the fixture by default. */
export interface Workplace extends Disposable {
  readonly folder: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
}

export function createWorkplace(env: Readonly<Record<string, string>> = {}): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "bifocal-cli-"));
  return {
    folder,
    run: (args, more = {}) => startBifocal(folder, args, { ...env, ...more }).ended,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
