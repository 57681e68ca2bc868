import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

/** Messages of the extended protocol that clients sent to PostgreSQL (PostgreSQL, 55.7). */
export interface MessageCounts {
  /** Statements that the server ran. */
  readonly executes: number;
  /** Batches of statements, each of which is a round trip. */
  readonly syncs: number;
  /** Statements that set the tenant. */
  readonly tenants: number;
}

export interface MessageCounter {
  /** The URL of the database through the counter. */
  readonly url: string;
  /** Returns the messages that the client sends during `work`. */
  readonly during: (work: () => Promise<unknown>) => Promise<MessageCounts>;
  readonly close: () => void;
}

/** A proxy that counts what clients send to PostgreSQL. */
export async function startMessageCounter(url: string): Promise<MessageCounter> {
  const { hostname, port } = new URL(url);
  const counts = { executes: 0, syncs: 0, tenants: 0 };
  const listener = createServer((client) => {
    const server = connect(Number(port || 5432), hostname);
    let pending = Buffer.alloc(0);
    let isStarted = false;
    client.on("data", (chunk: Buffer) => {
      server.write(chunk);
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        // The first message has no type.
        const head = isStarted ? 1 : 0;
        if (pending.length < head + 4) return;
        const end = head + pending.readInt32BE(head);
        if (pending.length < end) return;
        if (isStarted) count(pending.subarray(0, end));
        isStarted = true;
        pending = pending.subarray(end);
      }
    });
    server.on("data", (chunk: Buffer) => client.write(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });

  function count(message: Buffer): void {
    const type = String.fromCharCode(message[0] as number);
    if (type === "E") counts.executes++;
    if (type === "S") counts.syncs++;
    // Bind: the name of the portal, then that of the prepared statement.
    if (type === "B" && message.subarray(6).toString().startsWith("bifocal_tenant\0")) counts.tenants++;
    if (type === "P" && message.subarray(5).toString().startsWith("\0select set_config('bifocal.tenant'"))
      counts.tenants++;
  }

  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const own = new URL(url);
  own.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: own.href,
    async during(work) {
      const before = { ...counts };
      await work();
      return {
        executes: counts.executes - before.executes,
        syncs: counts.syncs - before.syncs,
        tenants: counts.tenants - before.tenants,
      };
    },
    close: () => void listener.close(),
  };
}
