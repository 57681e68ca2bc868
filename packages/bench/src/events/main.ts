// Measures two instances on PostgreSQL: the latency from a write on one to a subscriber of the other, and the memory of
// idle subscribers. RATE (200) changes per second for SECONDS (10); CLIENTS (5000) REST event streams.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDatabase } from "../sql/database.ts";
import type { Question, Usage } from "../subscribers/serve.ts";

const rate = Number(process.env["RATE"] ?? 200);
const seconds = Number(process.env["SECONDS"] ?? 10);
const clients = Number(process.env["CLIENTS"] ?? 5_000);

interface Instance {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start(): Promise<Instance> {
  const child = fork(new URL("instance.ts", import.meta.url), {
    execArgv: ["--conditions=@bifocal/source", "--expose-gc"],
  });
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}

async function subscribe(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /ticks HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n");
  await once(socket, "data");
  return socket;
}

async function usage(child: ChildProcess): Promise<Usage> {
  child.send("usage" satisfies Question);
  const [answer] = (await once(child, "message")) as [Usage];
  return answer;
}

/** Returns the milliseconds from just before each write until a subscriber of the other instance receives it. */
async function latencies(writer: Instance, reader: Instance): Promise<readonly number[]> {
  const socket = await subscribe(reader.port);
  const found: number[] = [];
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    const now = performance.timeOrigin + performance.now();
    text += chunk.toString();
    for (const [, at] of text.matchAll(/"at":([\d.]+)/g)) found.push(now - Number(at));
    text = text.slice(text.lastIndexOf("\n") + 1);
  });
  const total = rate * seconds;
  const began = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1_000) * rate));
    for (; sent < due; sent++) writer.child.send("publish" satisfies Question);
    await sleep(2);
  }
  for (let waited = 0; found.length < total && waited < 100; waited++) await sleep(50);
  socket.destroy();
  if (found.length !== total) throw new Error(`${total} changes were made, and ${found.length} came.`);
  return found.sort((a, b) => a - b);
}

await prepareDatabase();
const [one, other] = [await start(), await start()];
// The first run only warms up the code.
await latencies(one, other);
const times = await latencies(one, other);
const at = (part: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
console.log(
  `${rate} changes a second, write to subscriber of the other instance: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, all within ${at(1)} ms`,
);

const before = await usage(other.child);
const sockets: Socket[] = [];
for (let n = 0; n < clients; n++) sockets.push(await subscribe(other.port));
await sleep(2_000);
const idle = await usage(other.child);
console.log(
  `${clients} subscribers who wait: ${((idle.resident - before.resident) / clients / 1024).toFixed(1)} KiB each`,
);
for (const socket of sockets) socket.destroy();
one.child.disconnect();
other.child.disconnect();
process.exit(0);
