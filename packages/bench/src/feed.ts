import type { Server } from "node:net";
import { Duplex } from "node:stream";

/** The input of a server. */
export interface Feed {
  /** One request, as raw HTTP. `$N` is replaced by a new seven-digit number each time. */
  readonly request: string;
  readonly count: number;
}

const CONNECTIONS = 16;
/** The next number. It has seven digits and never repeats. */
let number = 1_000_000;

/** A connection within the process. */
class Wire extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  readonly #onAnswer: () => void;

  constructor(onAnswer: () => void) {
    super();
    this.#onAnswer = onAnswer;
  }

  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
    this.#onAnswer();
  }
  override _writev(_chunks: readonly unknown[], done: () => void): void {
    done();
    this.#onAnswer();
  }
  setTimeout(): this {
    return this;
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
}

/**
 * Sends requests to a server without a network. Returns the microseconds per request: the server's own code, and
 * Node's for HTTP.
 */
export async function feed(server: Server, { request, count }: Feed): Promise<number> {
  let sent = 0;
  const ask = (wire: Wire): void => {
    sent++;
    wire.push(request.replace("$N", String(number++)));
  };
  const start = process.hrtime.bigint();
  await new Promise<void>((resolve) => {
    let open = CONNECTIONS;
    for (let n = 0; n < CONNECTIONS; n++) {
      const wire = new Wire(() => {
        if (sent < count) setImmediate(ask, wire);
        else {
          wire.destroy();
          if (--open === 0) resolve();
        }
      });
      server.emit("connection", wire);
      ask(wire);
    }
  });
  return Number(process.hrtime.bigint() - start) / 1_000 / sent;
}
