import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

export interface RunningHost {
  readonly port: number;
  /** Closes the API, where the host has signals. */
  readonly closeApi?: () => void;
  readonly close: () => Promise<void>;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
}

/** Waits until a host responds at a port. */
export async function untilUp(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/api`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error("The host doesn't listen.");
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
