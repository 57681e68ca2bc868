import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import {
  type AnyApi,
  attachUpgrade,
  closeServer,
  createUpgradeHandler,
  toHttpRequest,
  writeHttpResponse,
} from "../../src/adapter.ts";

/** An API on a real port, with HTTP and WebSocket. */
export interface Served {
  readonly url: string;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

export async function serve(api: AnyApi): Promise<Served> {
  const { handle } = api["~http"];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await handle(toHttpRequest(request, response, { url: request.url ?? "/", prefix: "" }));
    if (answer === null) response.writeHead(404).end();
    else await writeHttpResponse(answer, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  attachUpgrade(server, createUpgradeHandler(api));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, close: () => closeServer(api, server) };
}

export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A socket whose messages are read one at a time. */
export class Client {
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #messages: Message[] = [];
  #wake: (() => void) | undefined;

  constructor(url: string, protocols: string | string[] = "graphql-transport-ws") {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, protocols);
    this.closed = new Promise((resolve) => {
      this.socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    this.socket.on("error", () => {});
    this.socket.on("message", (data) => {
      this.#messages.push(JSON.parse((data as Buffer).toString()) as Message);
      this.#wake?.();
    });
  }

  /** Opens a socket and waits until the server has acknowledged it. */
  static async open(url: string, payload?: Readonly<Record<string, unknown>>): Promise<Client> {
    const client = new Client(url);
    await client.send({ type: "connection_init", payload });
    const { type } = await client.next();
    if (type !== "connection_ack") throw new Error(`It answered ${type}.`);
    return client;
  }

  async send(...messages: readonly (object | string)[]): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, "open");
    for (const message of messages) this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async next(): Promise<Message> {
    while (this.#messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift() as Message;
  }

  /** Waits until all sent messages have been handled. */
  async settle(): Promise<void> {
    const payload = { n: Math.random() };
    await this.send({ type: "ping", payload });
    const others: Message[] = [];
    for (;;) {
      const message = await this.next();
      if (message.type === "pong") break;
      others.push(message);
    }
    this.#messages.unshift(...others);
  }

  get waiting(): number {
    return this.#messages.length;
  }
}
