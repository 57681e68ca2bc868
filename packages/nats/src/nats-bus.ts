import type { Bus, BusListener } from "@bifocal/core";
import { connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import { setTimeout } from "node:timers/promises";

const [FIRST_PAUSE, LONGEST_PAUSE] = [250, 5_000];

export interface NatsBusOptions extends ConnectionOptions {
  /** `nats://…`, one or several. */
  readonly servers: string | string[];
  /** Instances that hear each other. Default `"bifocal"`. */
  readonly subject?: string;
}

/**
 * Carries messages between instances over NATS, on a connection that comes back by itself.
 *
 * @example defineApi({ resources, store, events: natsBus({ servers: "nats://localhost" }) });
 */
export function natsBus({ subject = "bifocal", ...options }: NatsBusOptions): Bus {
  const listeners = new Set<BusListener>();
  let connecting: Promise<NatsConnection> | undefined;
  let isConnected = false;
  let isClosed = false;
  /** Why there is no connection yet. */
  let failure: unknown;

  async function start(): Promise<NatsConnection> {
    const connection = await open();
    if (isClosed) {
      await connection.close();
      return connection;
    }
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) for (const listener of listeners) listener.message(message.string());
      },
    });
    isConnected = true;
    void follow(connection);
    if (failure !== undefined) void tellMissed(connection);
    failure = undefined;
    return connection;
  }

  function ensure(): Promise<NatsConnection> {
    if (connecting === undefined) {
      connecting = start();
      connecting.catch(() => {});
    }
    return connecting;
  }

  /** Tries until there is a server, or nobody wants one any more. */
  async function open(): Promise<NatsConnection> {
    for (let pause = FIRST_PAUSE; !isClosed; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return await connect({
          reconnectTimeWait: FIRST_PAUSE,
          // Instances that lost it together don't come back all at once.
          reconnectJitter: 500,
          ...options,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          waitOnFirstConnect: false,
        });
      } catch (thrown) {
        failure = thrown;
        await setTimeout(pause / 2 + (Math.random() * pause) / 2, undefined, { ref: false });
      }
    }
    throw new Error("The event bus is closed.");
  }

  async function follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") isConnected = false;
      if (type !== "reconnect") continue;
      isConnected = true;
      void tellMissed(connection);
    }
  }

  /** Once the server has answered what was sent before, the subscription among it: who is told so reads anew, and may miss nothing after. */
  async function tellMissed(connection: NatsConnection): Promise<void> {
    try {
      await connection.flush();
    } catch {
      // It is lost again, and told when it comes back.
      return;
    }
    for (const listener of listeners) listener.missed();
  }

  return {
    publish(message) {
      const connected = ensure();
      // What cannot be sent now is not sent later: by then it is old.
      if (!isConnected) throw new Error("NATS is not connected.", { cause: failure });
      return connected.then((connection) => connection.publish(subject, message));
    },
    subscribe(listener) {
      listeners.add(listener);
      void ensure();
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      listeners.clear();
      // One that never came about is not waited for.
      if (isConnected) await (await connecting)?.close();
    },
  };
}
