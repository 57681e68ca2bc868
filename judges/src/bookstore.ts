import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export const ADMIN = "admin-key-of-the-judges";
const PROGRAM = fileURLToPath(new URL("../../examples/bookstore/src/main.ts", import.meta.url));

export interface Running {
  readonly url: string;
  readonly stop: () => void;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Waits until the URL responds. */
export async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`It exited with ${child.exitCode} before it responded at ${url}.`);
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`Nothing answers at ${url}.`);
}

/** Starts the bookstore example on an adapter, as a separate process. */
export async function startBookstore(adapter: string): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", PROGRAM], {
    env: { ...process.env, ADAPTER: adapter, PORT: String(port), BOOKSTORE_KEYS: `admin=${ADMIN}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child);
  return { url, stop: () => child.kill() };
}
