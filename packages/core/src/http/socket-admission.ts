import type { ErrorCode } from "../errors/codes.ts";
import type { HttpRequest } from "../message/message.ts";
import type { SocketOrigin } from "../message/protocol.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { HttpSide } from "./any-api.ts";
import { OpeningSockets } from "./opening-sockets.ts";

/** A request that asks for a WebSocket. */
export type SocketRequest = SocketOrigin & Pick<HttpRequest, "query" | "headerCount">;

export interface SocketRefusal {
  readonly code: ErrorCode;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Opens a socket. Returns `false` if that failed. Otherwise it must call `onceInitialized` once, when the connection is
 * initialized or closed.
 */
export type OpenSocket = (onceInitialized: () => void) => MaybePromise<boolean>;

const BUSY = { "Retry-After": "5" };

/** Decides whether a WebSocket may be opened. All hosts use it. */
export class SocketAdmission {
  readonly #side: HttpSide;
  readonly #opening: OpeningSockets;
  /** Number of sockets whose rate limit is being checked. */
  #asking = 0;

  constructor(side: HttpSide) {
    this.#side = side;
    this.#opening = new OpeningSockets(side.limits.subscriptions.openingSockets);
  }

  /** Opens a socket beside `count` others, or returns the check or limit that rejects it. */
  async admit(request: SocketRequest, count: number, open: OpenSocket): Promise<SocketRefusal | undefined> {
    const side = this.#side;
    try {
      const address = side.addressOf(request);
      if (request.headerCount > side.limits.http.headers) return { code: "HEADERS_TOO_LARGE" };
      // The body would be parsed as frames of the WebSocket.
      if (hasBody(request)) return { code: "BAD_REQUEST" };
      if (side.hasCredential(request.query)) return { code: "BAD_REQUEST" };
      if (!side.acceptsPage(request.headers)) return { code: "FORBIDDEN" };
      if (count + this.#asking >= side.limits.subscriptions.sockets) return { code: "UNAVAILABLE", headers: BUSY };
      if (this.#opening.isFull(address)) return { code: "RATE_LIMITED", headers: BUSY };
      return await this.#ask(address, open);
    } catch (cause) {
      side.log.error("A WebSocket could not be opened.", { cause });
      return { code: "INTERNAL" };
    }
  }

  /** Checks the rate limit. Meanwhile the socket counts as an opening one. */
  async #ask(address: string | undefined, open: OpenSocket): Promise<SocketRefusal | undefined> {
    const leave = this.#opening.add(address);
    let isOpen = false;
    this.#asking++;
    try {
      const refusal = await this.#side.refuseSocket(address);
      if (refusal !== undefined) return refusal;
      isOpen = await open(leave);
      return undefined;
    } finally {
      this.#asking--;
      if (!isOpen) leave();
    }
  }
}

/** Whether a body follows the head of a request (RFC 9112 §6.3). */
export function hasBody({ headers }: Pick<HttpRequest, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && Number(length) !== 0);
}
