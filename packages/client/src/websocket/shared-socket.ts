import type { ResponseBody, ResponseError } from "../graphql/response.ts";
import type { Transport } from "../transport.ts";
import { BifocalError, isBifocalError } from "../client-error.ts";
import { closeError, connectSocket } from "./connect-socket.ts";

export interface Receiver {
  readonly next: (payload: ResponseBody) => void;
  /** The subscription was rejected. */
  readonly refuse: (errors: readonly ResponseError[]) => void;
  /** The server has ended the subscription, or the connection was lost. */
  readonly end: (error?: BifocalError) => void;
}

/** A connection that the watches of a client share. It is open while they use it. */
export interface SharedSocket {
  /** Opens the connection if it isn't open. Each call needs one of `release`. */
  readonly open: (path: string) => Promise<void>;
  /** Closes the connection after its last use. */
  readonly release: () => void;
  /** Subscribes to a document. Returns a function that ends the subscription. */
  readonly subscribe: (payload: object, receiver: Receiver) => () => void;
  /** Resolves when the server sends the results of the subscriptions up to here. */
  readonly whenOpened: () => Promise<void>;
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

export function createSharedSocket(transport: Transport): SharedSocket {
  const receivers = new Map<string, Receiver>();
  let socket: WebSocket | undefined;
  let opening: Promise<void> | undefined;
  let users = 0;
  let lastId = 0;
  let refused = 0;
  let pinged: (() => void)[] = [];
  let unpinged: (() => void)[] = [];

  const send = (message: object): void => {
    // Between `close` and its event, a socket drops messages.
    socket?.send(JSON.stringify(message));
  };

  function ping(): void {
    [pinged, unpinged] = [unpinged, []];
    send({ type: "ping" });
  }

  function receive({ type, id = "", payload }: Message): void {
    const receiver = receivers.get(id);
    if (type === "next") receiver?.next(payload as ResponseBody);
    else if (type === "ping") send({ type: "pong" });
    else if (type === "pong") {
      for (const resolve of pinged) resolve();
      pinged = [];
      if (unpinged.length > 0) ping();
    } else {
      receivers.delete(id);
      if (type === "error") receiver?.refuse(payload as readonly ResponseError[]);
      else receiver?.end();
    }
  }

  function close(error?: BifocalError): void {
    socket = undefined;
    for (const receiver of receivers.values()) receiver.end(error);
    receivers.clear();
    for (const resolve of [...pinged, ...unpinged]) resolve();
    [pinged, unpinged] = [[], []];
  }

  function accept(accepted: WebSocket): void {
    socket = accepted;
    accepted.onmessage = ({ data }) => receive(JSON.parse(String(data)) as Message);
    accepted.onclose = (event) => {
      if (socket === accepted) close(closeError(event));
    };
  }

  async function connect(path: string): Promise<void> {
    try {
      await transport.open({
        method: "GET",
        path,
        send: async (url, init) => connectSocket(url as string, init?.headers, accept),
      });
      refused = Number.NEGATIVE_INFINITY;
    } catch (thrown) {
      refused += 1;
      if (refused > 1 && isBifocalError(thrown) && thrown.code === "UNAVAILABLE")
        await requireSockets(transport, thrown);
      throw thrown;
    }
  }

  return {
    async open(path) {
      users += 1;
      if (socket !== undefined) return;
      opening ??= connect(path).finally(() => {
        opening = undefined;
        if (users === 0) release();
      });
      await opening;
    },
    release() {
      users -= 1;
      release();
    },
    subscribe(payload, receiver) {
      const id = String((lastId += 1));
      receivers.set(id, receiver);
      send({ id, type: "subscribe", payload });
      return () => {
        if (receivers.delete(id)) send({ id, type: "complete" });
      };
    },
    async whenOpened() {
      await new Promise<void>((resolve) => {
        unpinged.push(resolve);
        if (pinged.length === 0) ping();
      });
    },
  };

  function release(): void {
    if (users > 0 || socket === undefined) return;
    const closing = socket;
    close();
    closing.close(1000);
  }
}

/** Throws an error without a retry if the server responds to requests, but no WebSocket has ever been opened. */
async function requireSockets({ send }: Transport, cause: unknown): Promise<void> {
  await send({ method: "GET", path: "/client.json", headers: { Accept: "application/json" } }, () => {});
  const message = "The server can be reached, but not by WebSocket. Use event streams: leave out the option 'watch'.";
  throw new BifocalError("METHOD_NOT_ALLOWED", message, { cause });
}
