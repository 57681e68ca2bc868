import type { Bus, BusListener } from "@bifocal/core";
import { connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";

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

  async function start(): Promise<NatsConnection> {
    const connection = await connect({
      reconnectTimeWait: 250,
      // Instances that lost it together don't come back all at once.
      reconnectJitter: 500,
      ...options,
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
    });
    if (isClosed) {
      await connection.close();
      return connection;
    }
    isConnected = true;
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) for (const listener of listeners) listener.message(message.string());
      },
    });
    void follow(connection);
    return connection;
  }

  async function follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") isConnected = false;
      if (type !== "reconnect") continue;
      isConnected = true;
      for (const listener of listeners) listener.missed();
    }
  }

  return {
    publish(message) {
      connecting ??= start();
      // What cannot be sent now is not sent later: by then it is old.
      if (!isConnected) throw new Error("NATS is not connected.");
      return connecting.then((connection) => connection.publish(subject, message));
    },
    subscribe(listener) {
      listeners.add(listener);
      connecting ??= start();
      connecting.catch(() => {});
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
