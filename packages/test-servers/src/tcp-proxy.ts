import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";

/** A proxy between a client and a server that can interrupt connections. */
export interface TcpProxy {
  readonly port: number;
  /** Returns the URL with the proxy's host and port. */
  readonly urlOf: (url: string) => string;
  /** Rejects new connections and closes open ones, until `accept`. */
  readonly refuse: () => Promise<void>;
  readonly accept: () => Promise<void>;
  /** Closes open connections. New ones are accepted. */
  readonly cut: () => void;
  /** Stops forwarding in both directions without closing connections, until `flow`. */
  readonly stall: () => void;
  readonly flow: () => void;
  /** Like `flow`, but open connections stay stalled. */
  readonly flowNew: () => void;
  /**
   * Closes the connection that next sends this text to the server: before the text is forwarded, or after the server's
   * response.
   */
  readonly cutAt: (text: string, when: "before" | "after") => void;
  /** Delays each chunk by this number of milliseconds. */
  readonly delay: (milliseconds: number) => void;
  /** Delays each chunk to the server that contains this text, and what follows it, by this number of milliseconds. */
  readonly delayText: (text: string, milliseconds: number) => void;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isStalled = false;
  let late = 0;
  let slow: { readonly text: string; readonly milliseconds: number } | undefined;
  let trap: { readonly text: string; readonly when: "before" | "after" } | undefined;
  const listener = createServer((client) => {
    const server = connect(target);
    const pair = { client, server };
    pairs.add(pair);
    if (isStalled) pauseAll(pair);
    let isDoomed = false;
    const cutPair = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("data", (chunk: Buffer) => {
      if (trap !== undefined && chunk.includes(trap.text)) {
        const { when } = trap;
        trap = undefined;
        if (when === "before") return cutPair();
        isDoomed = true;
      }
      if (slow === undefined || !chunk.includes(slow.text)) return carry(server, chunk);
      client.pause();
      setTimeout(() => {
        carry(server, chunk);
        if (!isStalled) client.resume();
      }, slow.milliseconds);
    });
    server.on("data", (chunk: Buffer) => (isDoomed ? cutPair() : carry(client, chunk)));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", cutPair);
      one.on("close", cutPair);
      one.on("end", () => other.end());
    }
  });

  function carry(to: Socket, chunk: Buffer): void {
    if (late === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), late);
  }
  function pauseAll({ client, server }: Pair): void {
    client.pause();
    server.pause();
  }
  function cut(): void {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
  }
  const listen = async (port: number): Promise<void> => {
    listener.listen(port, "127.0.0.1");
    await once(listener, "listening");
  };
  /** Systems give ports above these to other connections, which could take the port while the proxy refuses clients. */
  async function listenAnywhere(): Promise<number> {
    for (let attempts = 0; ; attempts++) {
      const port = 20_000 + Math.floor(Math.random() * 12_000);
      try {
        await listen(port);
        return port;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "EADDRINUSE" || attempts === 100) throw thrown;
      }
    }
  }
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => (listener.listening ? listener.close(() => resolve()) : resolve()));
  const port = await listenAnywhere();

  return {
    port,
    urlOf(url) {
      const own = new URL(url);
      own.host = `127.0.0.1:${port}`;
      return own.href;
    },
    async refuse() {
      const stopped = stopListening();
      cut();
      await stopped;
    },
    async accept() {
      if (!listener.listening) await listen(port);
    },
    cut,
    stall() {
      isStalled = true;
      for (const pair of pairs) pauseAll(pair);
    },
    flow() {
      isStalled = false;
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    flowNew() {
      isStalled = false;
    },
    cutAt(text, when) {
      trap = { text, when };
    },
    delay(milliseconds) {
      late = milliseconds;
    },
    delayText(text, milliseconds) {
      slow = { text, milliseconds };
    },
    open: () => pairs.size,
    async close() {
      const stopped = stopListening();
      cut();
      await stopped;
    },
  };
}
