import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Options {
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The URLs that the program prints, by name. */
export type Started<Name extends string> = Readonly<Record<Name, string>> & { readonly stop: () => void };

/** Starts a program of this folder, and waits until it prints `READY` and a JSON object of addresses. */
export async function startProgram<Name extends string>(
  path: string,
  { flags = [], args = [], env = {} }: Options,
): Promise<Started<Name>> {
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", ...flags, path, ...args], {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith("READY ")) {
      return { ...(JSON.parse(line.slice(6)) as Record<Name, string>), stop: () => child.kill() };
    }
  }
  throw new Error(`${path} ended before it was ready.`);
}
