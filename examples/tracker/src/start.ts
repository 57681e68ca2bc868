import { createServer, type Server } from "node:http";
import { expressRouter, SERVER_OPTIONS } from "@bifocal/express";
import { bifocal, FASTIFY_OPTIONS } from "@bifocal/fastify";
import { sqlStore } from "@bifocal/sql";
import express from "express";
import fastify from "fastify";
import { createTracker, type TrackerApi } from "./create.ts";
import { seed } from "./seed.ts";

interface Running {
  readonly server: Server;
  readonly close: () => Promise<void>;
}

export const HOSTS = {
  async express(api: TrackerApi, port: number): Promise<Running> {
    const router = expressRouter(api, { notFound: true });
    const server = createServer(SERVER_OPTIONS, express().use("/api", router));
    router.attach(server, { prefix: "/api" });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    return { server, close: () => router.close(server) };
  },
  async fastify(api: TrackerApi, port: number): Promise<Running> {
    const app = fastify({ ...FASTIFY_OPTIONS, forceCloseConnections: "idle" });
    await app.register(bifocal, { api, prefix: "/api", notFound: true });
    await app.listen({ port, host: "127.0.0.1" });
    return { server: app.server, close: () => app.close() };
  },
};

export interface TrackerOptions {
  /** Default: `fastify`. */
  readonly host?: keyof typeof HOSTS;
  /** Default: 3000. 0 selects a free port. */
  readonly port?: number;
  /** A PostgreSQL, MySQL or MariaDB URL, or the path of a SQLite file. Default: SQLite in memory. */
  readonly databaseUrl?: string | undefined;
}

/** Creates the tracker in a database, and serves it below `/api`. */
export async function startTracker({ host = "fastify", port = 3_000, databaseUrl }: TrackerOptions = {}) {
  const store = sqlStore({ url: databaseUrl ?? ":memory:", autoCreate: true });
  const { api, keys } = createTracker(store);
  await seed(api, store);
  const { server, close } = await HOSTS[host](api, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { url: `http://127.0.0.1:${address.port}/api`, keys, api, close };
}
