import type { Server } from "node:net";
import { Duplex } from "node:stream";
import { createWaker } from "./waker.ts";

/** The input of a server. */
export interface Feed {
  /** One request, as raw HTTP. `$N` is replaced by a new seven-digit number each time. */
  readonly request: string;
  readonly count: number;
  /**
   * A request on the row in the response before. `$ID` and `$ETAG` are replaced by its id and its `ETag`. `request` is
   * sent if that response has no row.
   */
  readonly follow?: string | undefined;
}

const CONNECTIONS = 16;
/** The next number. It has seven digits and never repeats. */
let number = 1_000_000;
const wake = process.env["WAKES"] === "1" ? createWaker() : undefined;

/** A connection within the process. */
export class Wire extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  readonly #onAnswer: (chunk: unknown) => void;

  constructor(onAnswer: (chunk: unknown) => void) {
    super();
    this.#onAnswer = onAnswer;
  }

  override _read(): void {}
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    done();
    this.#onAnswer(chunk);
  }
  override _writev(chunks: readonly { readonly chunk: unknown }[], done: () => void): void {
    done();
    this.#onAnswer(chunks[0]?.chunk);
  }
  setTimeout(): this {
    return this;
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
}

/** Fills in the row of a response, which has its head in the first chunk. */
function followed(follow: string, chunk: unknown): string | undefined {
  const text = String(chunk);
  // A response to DELETE contains the deleted row.
  if (follow.startsWith("DELETE") && !text.startsWith("HTTP/1.1 201")) return undefined;
  const [, id] = /"id":"([^"]+)"/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const etag = /^etag: (.*)\r$/im.exec(text)?.[1] ?? "";
  return follow.replace("$ID", id).replace("$ETAG", etag);
}

/**
 * Sends requests to a server without a network. Returns the microseconds of processor time per request: the server's
 * own code, and Node's for HTTP. Time in which other processes have the core doesn't count.
 */
export async function feed(server: Server, { request, count, follow }: Feed): Promise<number> {
  let sent = 0;
  const ask = (wire: Wire, next: string): void => {
    sent++;
    wake?.();
    wire.push(next.replace("$N", String(number++)));
  };
  const start = process.cpuUsage();
  await new Promise<void>((resolve) => {
    let open = CONNECTIONS;
    for (let n = 0; n < CONNECTIONS; n++) {
      const wire = new Wire((chunk) => {
        if (sent < count)
          setImmediate(ask, wire, follow === undefined ? request : (followed(follow, chunk) ?? request));
        else {
          wire.destroy();
          if (--open === 0) resolve();
        }
      });
      server.emit("connection", wire);
      ask(wire, request);
    }
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / sent;
}
