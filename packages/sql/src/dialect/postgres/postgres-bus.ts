import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import type { Bus, BusListener } from "@bifocal/core/store";
import { type AnyListener, importPg } from "./pg.ts";

export interface PostgresBusOptions {
  readonly url: string;
  /** The channel that the instances share. Default `"bifocal"`. */
  readonly channel?: string;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectTimeout?: number;
}

/** PostgreSQL limits the payload of a notification to less than 8,000 bytes (NOTIFY). */
const MESSAGE_BYTES = 7_900;
const MAX_WAITING = 1_000;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [100, 5_000];

/**
 * A notification is lost anyway if the server stops. So its commit doesn't wait for the disk, which would delay other
 * commits (PostgreSQL, 20.5.1).
 */
const NOTIFY = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/** Carries messages with `NOTIFY`. The bus has its own connection and reconnects when it breaks. */
export function postgresBus(options: PostgresBusOptions): Bus {
  checkCallOptions("postgresBus", options, {
    url: "a string",
    channel: "a string",
    connectTimeout: "a number of at least 0",
  });
  const { url, channel = "bifocal", connectTimeout = 5_000 } = options;
  checkRequired("postgresBus", "url", url, '{ url: "postgres://localhost/books" }');
  const listeners = new Set<BusListener>();
  let client: AnyListener | undefined;
  let connecting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = MIN_PAUSE_MS;
  let wasLost = false;
  let isClosed = false;
  let sending: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function connect(): Promise<void> {
    const { Client } = await importPg();
    const own: AnyListener = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeout,
      application_name: "bifocal bus",
      keepAlive: true,
    });
    // Without a listener, an error on the connection would end the process.
    own.on("error", () => lose(own));
    own.on("end", () => lose(own));
    own.on("notification", ({ payload = "" }) => {
      for (const listener of listeners) listener.message(payload);
    });
    try {
      await own.connect();
      await own.query({ text: `listen "${channel.replaceAll('"', '""')}"` });
    } catch (thrown) {
      await own.end().catch(() => {});
      throw thrown;
    }
    if (isClosed) {
      await own.end();
      return;
    }
    client = own;
    pause = MIN_PAUSE_MS;
    if (wasLost) for (const listener of listeners) listener.missed();
    wasLost = false;
  }

  async function send(message: string): Promise<void> {
    await ensure();
    if (client === undefined) throw new Error("The event bus is closed.");
    await client.query({ name: "bifocal notify", text: NOTIFY, values: [channel, message] });
  }

  function ensure(): Promise<void> {
    if (client !== undefined || isClosed) return Promise.resolve();
    clearTimeout(timer);
    connecting ??= connect()
      .catch((thrown: unknown) => {
        wasLost = true;
        retry();
        throw thrown;
      })
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  }

  function lose(own: AnyListener): void {
    if (client !== own) return;
    client = undefined;
    wasLost = true;
    retry();
  }

  /** The random pause prevents all instances from reconnecting at the same moment. */
  function retry(): void {
    if (isClosed || listeners.size === 0) return;
    clearTimeout(timer);
    timer = setTimeout(() => void ensure().catch(() => {}), pause / 2 + (Math.random() * pause) / 2).unref();
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }

  return {
    messageBytes: MESSAGE_BYTES,
    publish(message) {
      if (waiting >= MAX_WAITING) return Promise.reject(new Error("PostgreSQL does not accept messages."));
      waiting++;
      // A connection runs one statement at a time.
      const own = sending.then(() => send(message)).finally(() => waiting--);
      sending = own.catch(() => {});
      return own;
    },
    subscribe(listener) {
      listeners.add(listener);
      ensure().catch(() => {});
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      listeners.clear();
      await connecting?.catch(() => {});
      const own = client;
      client = undefined;
      await own?.end();
    },
  };
}
