import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { createServer } from "node:http";
import { once } from "node:events";
import { z } from "zod";

export const TIMEOUT = 1_500;
export const MAX = 3;

const counter = defineResource("counter", {
  fields: { id: z.string(), n: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  sortable: ["n"],
  actions: {
    /** Reads a value and writes it plus one. If two run concurrently, one of them must be retried. */
    add: {
      on: "item",
      input: z.object({}),
      access: allow,
      run: ({ item, store }) => store.update(item.id, { n: item.n + 1 }),
    },
    /** Writes two rows in the given order, so that two of these can deadlock. */
    both: {
      on: "collection",
      input: z.object({ first: z.string(), second: z.string() }),
      output: z.object({ done: z.boolean() }),
      access: allow,
      run: async ({ input, store }) => {
        for (const id of [input.first, input.second]) {
          const row = await store.get(id);
          await store.update(id, { n: (row?.n ?? 0) + 1 });
        }
        return { done: true };
      },
    },
  },
});

export interface Running {
  readonly base: string;
  readonly close: () => Promise<void>;
}

/** An application with short timeouts on a database. */
export async function startCounters(url: string, timeout = TIMEOUT): Promise<Running> {
  const api = defineApi({
    resources: [counter],
    store: sqlStore({ url, autoCreate: true, max: MAX, connectTimeout: 1_000 }),
    limits: { query: { timeout } },
    log: silentLog,
  });
  const server = createServer(nodeHttp(api));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly milliseconds: number;
}

export async function ask(base: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const start = performance.now();
  const response = await fetch(base + path, init);
  const body = (await response.json()) as Reply["body"];
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, retryAfter, body, milliseconds: performance.now() - start };
}

export function post(base: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return ask(base, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
