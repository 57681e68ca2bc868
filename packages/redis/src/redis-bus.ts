import type { Bus } from "@bifocal/core";
import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import type { BusListener } from "@bifocal/core/store";
import { type Client, end, open } from "./connect.ts";

export interface RedisBusOptions {
  /** The URL: `redis://…` or `rediss://…`. */
  readonly url: string;
  /** The channel. Instances with the same channel receive each other's messages. Default: `"bifocal"`. */
  readonly channel?: string;
}

/**
 * Carries messages between instances with Redis pub/sub. It uses two connections, which reconnect automatically.
 *
 * @example defineApi({ resources, store, events: redisBus({ url: "redis://localhost" }) });
 */
export function redisBus(options: RedisBusOptions): Bus {
  checkCallOptions("redisBus", options, { url: "a string", channel: "a string" });
  const { url, channel = "bifocal" } = options;
  checkRequired("redisBus", "url", url, '{ url: "redis://localhost" }');
  const listeners = new Set<BusListener>();
  // A subscribing connection cannot send other commands.
  let clients: { readonly sender: Client; readonly receiver: Client } | undefined;

  function start(): { readonly sender: Client; readonly receiver: Client } {
    if (clients !== undefined) return clients;
    clients = { sender: open(url), receiver: open(url) };
    const { sender, receiver } = clients;
    const hear = (message: string): void => {
      for (const listener of listeners) listener.message(message);
    };
    let wasLost = false;
    let isSubscribed = false;
    receiver.on("error", () => {
      wasLost = true;
    });
    receiver.on("ready", () => {
      void (async () => {
        // After the first subscription, the client resubscribes on each new connection before it is ready.
        if (!isSubscribed) await receiver.subscribe(channel, hear);
        isSubscribed = true;
        // Notify the listeners only now, so that they miss no message after this.
        if (wasLost) for (const listener of listeners) listener.missed();
        wasLost = false;
      })().catch(() => {});
    });
    sender.connect().catch(() => {});
    receiver.connect().catch(() => {});
    return clients;
  }

  return {
    async publish(message) {
      await start().sender.publish(channel, message);
    },
    subscribe(listener) {
      listeners.add(listener);
      start();
      return () => void listeners.delete(listener);
    },
    close() {
      listeners.clear();
      if (clients === undefined) return;
      end(clients.sender);
      end(clients.receiver);
    },
  };
}
