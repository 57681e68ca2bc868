// Workers of `node:cluster`. Arguments: their number, and where the rows are: `memory` or `postgres`. `by-hand` is a
// server without Bifocal that writes to PostgreSQL.
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "@bifocal/node-http";
import { pinToCore } from "../pin-to-core.ts";
import type { WorkerUsage } from "../cluster/worker-usage.ts";
import { createByHandApp } from "../sql-writes/by-hand-app.ts";
import { openApi } from "../sql-writes/database.ts";
import { createPostgresWriter } from "../sql-writes/postgres-writer.ts";

const [count, where] = [Number(process.argv[2]), process.argv[3]];

async function usageOf(worker: Worker): Promise<WorkerUsage> {
  worker.send("usage");
  return ((await once(worker, "message")) as [WorkerUsage])[0];
}

/** Reports the processor time of all processes together. */
async function startPrimary(): Promise<void> {
  const workers = Array.from({ length: count }, () => cluster.fork());
  const addresses = await Promise.all(workers.map((worker) => once(worker, "listening")));
  // Each worker has its own core, as far as there are cores.
  for (const [index, worker] of workers.entries()) pinToCore(worker.process.pid as number, index);
  const [{ port }] = addresses[0] as [AddressInfo];
  process.send?.(port);
  process.on("message", (asked: "used" | "workers") => void report(workers, asked));
}

async function report(workers: readonly Worker[], asked: "used" | "workers"): Promise<void> {
  const usages = await Promise.all(workers.map(usageOf));
  const all = [process.cpuUsage(), ...usages.map(({ used }) => used)];
  const sum = (part: keyof NodeJS.CpuUsage): number => all.reduce((total, used) => total + used[part], 0);
  process.send?.(asked === "workers" ? usages : { user: sum("user"), system: sum("system") });
}

async function createServerByHand(): Promise<Server> {
  const app = createByHandApp(createPostgresWriter(process.env["BENCH_DATABASE_URL"] ?? ""), "event");
  await app.ready();
  return app.server;
}

async function createBifocalServer(): Promise<Server> {
  const { api } =
    where === "memory" ? await import("../bifocal-api.ts") : openApi(process.env["BENCH_DATABASE_URL"] ?? "", false);
  await api.ready;
  const listener = nodeHttp(api);
  const server: Server = createServer(listener);
  listener.attach(server);
  return server;
}

async function startWorker(): Promise<void> {
  const server = await (where === "by-hand" ? createServerByHand() : createBifocalServer());
  const counts = { requests: 0, streams: 0 };
  server.on("request", ({ headers }) => {
    counts.requests++;
    if (headers.accept === "text/event-stream") counts.streams++;
  });
  process.on("message", () => {
    process.send?.({ pid: process.pid, used: process.cpuUsage(), ...counts } satisfies WorkerUsage);
  });
  server.listen(0, "127.0.0.1");
}

await (cluster.isPrimary ? startPrimary() : startWorker());
