import type { Bus } from "@bifocal/core";
import { checkRequired } from "@bifocal/core/internal";
import type { BusListener } from "@bifocal/core/store";
import { connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import { setTimeout } from "node:timers/promises";

const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 5_000];

export interface NatsBusOptions extends ConnectionOptions {
  /** One or several URLs, such as `nats://localhost`. */
  readonly servers: string | string[];
  /** The subject. Instances with the same subject receive each other's messages. Default: `"bifocal"`. */
  readonly subject?: string;
}

/**
 * Carries messages between instances over NATS. The connection reconnects automatically.
 *
 * @example defineApi({ resources, store, events: natsBus({ servers: "nats://localhost" }) });
 */
export function natsBus(given: NatsBusOptions): Bus {
  if (typeof given !== "object" || given === null)
    throw new TypeError('The options of natsBus() must be an object, such as { servers: "nats://localhost" }.');
  const { subject = "bifocal", ...options } = given;
  checkRequired("natsBus", "servers", options.servers, '{ servers: "nats://localhost" }');
  const listeners = new Set<BusListener>();
  let connecting: Promise<NatsConnection> | undefined;
  let isConnected = false;
  let isClosed = false;
  /** The error of the last connection attempt. */
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

  /** Retries until a connection is established or the bus is closed. */
  async function open(): Promise<NatsConnection> {
    for (let pause = MIN_PAUSE_MS; !isClosed; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await connect({
          reconnectTimeWait: MIN_PAUSE_MS,
          // Randomized, so that instances that lost the server together don't reconnect at the same time.
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

  /**
   * Notifies listeners that messages may have been missed. First waits until the server has processed the subscription,
   * so that no later message is missed.
   */
  async function tellMissed(connection: NatsConnection): Promise<void> {
    try {
      await connection.flush();
    } catch {
      // The connection was lost again. The next reconnection notifies the listeners.
      return;
    }
    for (const listener of listeners) listener.missed();
  }

  return {
    publish(message) {
      const connected = ensure();
      // Messages are not queued, because they would be outdated when the connection is back.
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
      // A connection that was never established is not awaited.
      if (isConnected) await (await connecting)?.close();
    },
  };
}
