import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStore, type Principal, type Store } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { type ClientOptions, createClient, graphqlLens, type Lens, restLens } from "@bifocal/client";
import { webSockets } from "@bifocal/client/websocket";
import { createLibrary, type Library } from "./library.ts";

export interface StoreKind {
  readonly name: string;
  readonly missing: string | undefined;
  readonly create: () => Promise<{ readonly store: Store; readonly drop: () => Promise<void> }>;
}

const postgres = servers.find(({ name }) => name === "postgres");

export const STORES: readonly StoreKind[] = [
  { name: "memory", missing: undefined, create: async () => ({ store: memoryStore(), drop: async () => {} }) },
  {
    name: "SQLite",
    missing: undefined,
    create: async () => ({ store: sqlStore({ url: ":memory:", autoCreate: true }), drop: async () => {} }),
  },
  {
    name: "PostgreSQL",
    missing: postgres?.missing,
    async create() {
      const database = await (postgres as (typeof servers)[number]).create();
      return { store: sqlStore({ url: database.url, autoCreate: true, max: 4 }), drop: database.drop };
    },
  },
];

/** The connections of `watch`. */
export const TRANSPORTS: Readonly<Record<string, Pick<ClientOptions, "watch">>> = {
  "event streams": {},
  WebSockets: { watch: webSockets() },
};

export const LENSES: Readonly<Record<string, () => Lens>> = { REST: () => restLens(), GraphQL: () => graphqlLens() };

export interface Served {
  readonly api: Library;
  readonly url: string;
  readonly connect: (
    lens: Lens,
    principal?: Principal | null,
    more?: Partial<ClientOptions>,
  ) => ReturnType<typeof connect>;
  readonly close: () => Promise<void>;
}

function connect(options: ClientOptions) {
  return createClient<Library>(options);
}

/** Serves the library under a prefix. */
export async function serveLibrary(kind: StoreKind, more?: Parameters<typeof createLibrary>[1]): Promise<Served> {
  const { store, drop } = await kind.create();
  const api = createLibrary(store, more);
  await api.ready;
  const listener = nodeHttp(api, { prefix: "/api" });
  const server = createServer(listener);
  listener.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return {
    api,
    url,
    connect: (lens, principal = null, options = {}) =>
      connect({
        url,
        lens,
        headers: principal === null ? {} : { authorization: `Bearer ${principal.id}` },
        ...options,
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await api.close();
      await drop();
    },
  };
}
