import { createClient } from "redis";

export type Client = ReturnType<typeof open>;

const LONGEST_PAUSE = 5_000;

/** A client that comes back by itself, and says at once where it is away. */
export function open(url: string) {
  const client = createClient({
    url,
    // What cannot be sent now is not sent later: by then it is old.
    disableOfflineQueue: true,
    socket: {
      // Instances that lost it together don't come back all at once.
      reconnectStrategy: (retries) => {
        const pause = Math.min(LONGEST_PAUSE, 50 * 2 ** Math.min(retries, 7));
        return pause / 2 + (Math.random() * pause) / 2;
      },
    },
  });
  // Without a listener a lost connection would end the process.
  client.on("error", () => {});
  return client;
}

/** Ends a client, whatever it is doing. */
export function end(client: Client): void {
  if (client.isOpen) client.destroy();
}
