import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";
import type { Question, Usage } from "./serve.ts";

const SUBSCRIBERS = 1_000;
const EVENTS = 120;
const WARM_UP = 40;
const QUERY = "subscription { bookUpdated { id title price } }";

interface Figures {
  readonly kib: number;
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

/** W8: sends one event to 1,000 WebSocket subscribers. Measures its cost, and the memory of an idle subscriber. */
async function measure(name: string): Promise<Figures> {
  const child = fork(new URL(`${name}.ts`, import.meta.url), {
    execArgv: ["--conditions=@bifocal/source", "--expose-gc"],
  });
  const [port] = (await once(child, "message")) as [number];
  // A first subscriber opens and closes, so that one-time allocations are done.
  const first = await subscribe(port, 0);
  await sleep(200);
  first.close();
  const before = await ask(child);
  const sockets: RawSocket[] = [];
  for (let n = 0; n < SUBSCRIBERS; n++) sockets.push(await subscribe(port, n));
  await sleep(1_000);
  const idle = await ask(child);
  for (let n = 0; n < WARM_UP; n++) await publish(child, sockets);
  const start = await ask(child);
  const since = performance.now();
  for (let n = 0; n < EVENTS; n++) await publish(child, sockets);
  const seconds = (performance.now() - since) / 1_000;
  const end = await ask(child);
  for (const socket of sockets) socket.close();
  child.disconnect();
  const deliveries = SUBSCRIBERS * EVENTS;
  return {
    kib: (idle.resident - before.resident) / SUBSCRIBERS / 1024,
    perSecond: deliveries / seconds,
    perProcessorSecond: deliveries / ((end.processor - start.processor) / 1_000_000),
  };
}

async function subscribe(port: number, n: number): Promise<RawSocket> {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return openRawSocket(port, [
    JSON.stringify({ type: "connection_init" }),
    JSON.stringify({ id, type: "subscribe", payload: { query: QUERY } }),
  ]);
}

/**
 * Publishes one event and waits until all subscribers have received it completely. Each one receives the same number of
 * bytes.
 */
async function publish(child: ChildProcess, sockets: readonly RawSocket[]): Promise<void> {
  const before = sockets.map((socket) => socket.bytes());
  child.send("publish" satisfies Question);
  const hasIt = (socket: RawSocket, index: number): boolean => socket.bytes() > (before[index] as number);
  while (!sockets.every(hasIt)) await new Promise((resolve) => setImmediate(resolve));
}

async function ask(child: ChildProcess): Promise<Usage> {
  child.send("usage" satisfies Question);
  const [usage] = (await once(child, "message")) as [Usage];
  return usage;
}

const rounds = Number(process.env["ROUNDS"] ?? 3);
for (let round = 0; round < rounds; round++) {
  for (const name of ["bifocal", "graphql-ws"]) {
    const { kib, perSecond, perProcessorSecond } = await measure(name);
    const [wall, processor] = [perSecond, perProcessorSecond].map((one) => Math.round(one).toLocaleString("en"));
    console.log(`${name}: ${kib.toFixed(1)} KiB each, ${wall} deliveries/s, ${processor} per second of its processor`);
  }
}
