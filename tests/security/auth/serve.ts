import type { AnyApi } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress, { type Express } from "express";
import createFastify, { type FastifyInstance } from "fastify";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Middleware that a host installs before the API. */
export interface Before {
  readonly express?: (app: Express) => void;
  readonly fastify?: (app: FastifyInstance) => Promise<void>;
}

type Serve = (api: AnyApi, before?: Before) => Promise<Served>;

/** Each adapter, mounted at the root on a free port of loopback. */
export const ADAPTERS: Readonly<Record<"node-http" | "express" | "fastify", Serve>> = {
  "node-http": async (api) => {
    const listener = nodeHttp(api);
    const server = createServer(listener);
    listener.attach(server);
    return { url: await listen(server), close: () => listener.close(server) };
  },
  express: async (api, before) => {
    const app = createExpress();
    before?.express?.(app);
    const router = expressRouter(api);
    const server = createServer(app.use(router));
    router.attach(server);
    return { url: await listen(server), close: () => router.close(server) };
  },
  fastify: async (api, before) => {
    const app = createFastify();
    await before?.fastify?.(app);
    await app.register(bifocal, { api });
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() };
  },
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
