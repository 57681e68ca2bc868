import { createClient } from "redis";

export type Client = ReturnType<typeof open>;

const MAX_PAUSE_MS = 5_000;

/** Opens a client that reconnects automatically, and fails immediately while Redis is unavailable. */
export function open(url: string) {
  const client = createClient({
    url,
    // Commands are not queued, because they would be outdated when the connection is back.
    disableOfflineQueue: true,
    socket: {
      // Randomized, so that instances that lost Redis together don't reconnect at the same time.
      reconnectStrategy: (retries) => {
        const pause = Math.min(MAX_PAUSE_MS, 50 * 2 ** Math.min(retries, 7));
        return pause / 2 + (Math.random() * pause) / 2;
      },
    },
  });
  // Without a listener, a lost connection would end the process.
  client.on("error", () => {});
  return client;
}

/** Closes a client immediately. */
export function end(client: Client): void {
  if (client.isOpen) client.destroy();
}
