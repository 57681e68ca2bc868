import type { AnyApi } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { createClient as createSse } from "graphql-sse";
import { createClient as createWs } from "graphql-ws";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import type { Who } from "./orgs.ts";

type Api = AnyApi;

/** Serves an API at `/api` on a free port of loopback. */
export const ADAPTERS: Readonly<Record<string, (api: Api) => Promise<Served>>> = {
  "node-http": async (api) => {
    const listener = nodeHttp(api, { prefix: "/api" });
    const server = createServer(listener);
    listener.attach(server);
    return { url: await listen(server), close: () => listener.close(server) };
  },
  express: async (api) => {
    const mounted = expressRouter(api);
    const app = createExpress().use("/api", mounted) as unknown as RequestListener;
    const server = createServer(app);
    mounted.attach(server, { prefix: "/api" });
    return { url: await listen(server), close: () => mounted.close(server) };
  },
  fastify: async (api) => {
    const app = createFastify();
    await app.register(bifocal, { api, prefix: "/api" });
    return { url: `${await app.listen({ port: 0, host: "127.0.0.1" })}/api`, close: () => app.close() };
  },
};

export interface Served {
  /** The URL of the API, without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<unknown>;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // Each case asserts the shape.
  readonly json: unknown;
}

export interface Sent {
  readonly body?: unknown;
  /** Replaces `body` and is sent unchanged. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** All ways to call a served API. */
export function createDoors({ url }: Served) {
  const credential = (who: Who): Record<string, string> => (who === "anon" ? {} : { authorization: `Bearer ${who}` });

  async function rest(who: Who, method: string, path: string, { body, raw, headers = {} }: Sent = {}): Promise<Reply> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = sent === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...credential(who), ...type, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const own = Object.fromEntries(response.headers);
    const isJson = /[/+]json/.test(own["content-type"] ?? "") && text !== "";
    return { status: response.status, headers: own, text, json: isJson ? JSON.parse(text) : undefined };
  }

  async function graphql(who: Who, query: string, variables: object = {}): Promise<Reply> {
    const headers = { accept: "application/graphql-response+json" };
    return rest(who, "POST", "/graphql", { body: { query, variables }, headers });
  }

  /** The first results of a subscription while `during` runs. */
  const subscriptions: Readonly<Record<string, (who: Who, query: string) => Stream>> = {
    SSE: (who, query) => {
      const client = createSse({ url: `${url}/graphql`, headers: credential(who), retryAttempts: 0 });
      return toStream(client.iterate({ query }), () => client.dispose());
    },
    WebSocket: (who, query) => {
      const client = createWs({
        url: `${url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: credential(who),
        retryAttempts: 0,
      });
      return toStream(client.iterate({ query }), () => client.dispose());
    },
  };

  /** REST events as text. */
  async function events(who: Who, path: string): Promise<Stream> {
    const abort = new AbortController();
    const response = await fetch(`${url}${path}`, {
      headers: { ...credential(who), accept: "text/event-stream" },
      signal: abort.signal,
    });
    if (response.status !== 200) return { got: [await response.json()], end: async () => abort.abort() };
    const got: unknown[] = [];
    const reading = readEvents(response, got).catch(() => {});
    return {
      got,
      end: async () => {
        abort.abort();
        await reading;
      },
    };
  }

  return { url, rest, graphql, subscriptions, events };
}

export type Doors = ReturnType<typeof createDoors>;

export interface Stream {
  /** The messages received so far. */
  readonly got: unknown[];
  readonly end: () => Promise<void>;
}

function toStream(iterable: AsyncIterable<unknown>, dispose: () => unknown): Stream {
  const got: unknown[] = [];
  const reading = (async () => {
    try {
      for await (const result of iterable) got.push(result);
    } catch (thrown) {
      // A rejection is a list of errors, or one error.
      got.push({ refused: thrown });
    }
  })();
  return {
    got,
    end: async () => {
      await dispose();
      await reading;
    },
  };
}

async function readEvents(response: Response, got: unknown[]): Promise<void> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const event = Object.fromEntries(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const),
      );
      text = text.slice(end + 2);
      if (event["data"] !== undefined) got.push({ event: event["event"], data: JSON.parse(event["data"]) });
    }
  }
}
