import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpRequest, sameHostPath } from "../../message/message.ts";
import type { Log } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { tooLarge } from "../../message/json-body.ts";
import { readBody } from "./read-body.ts";

export interface ToHttpRequestOptions {
  /** Path and query within the mount, unchanged. */
  readonly url: string;
  /** The part of the URL before it, such as `/api`, or empty. */
  readonly prefix: string;
  /** The body as parsed by the host. */
  readonly parsedBody?: unknown;
  /** The body that the host has read but not parsed, without its `Content-Encoding`. */
  readonly bytes?: Uint8Array;
  /** The host's own id of the request. */
  readonly id?: string | undefined;
  /** The host's own log of the request. */
  readonly log?: Log | undefined;
  /** The framework's request. Default: Node's. */
  readonly raw?: unknown;
}

/**
 * Wraps Node's request in the neutral interface. Its `signal` aborts when the client disconnects before the response is
 * complete.
 */
export function toHttpRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ToHttpRequestOptions,
): HttpRequest {
  return new NodeRequest(request, response, options);
}

class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage["headers"];
  readonly parsedBody?: unknown;
  readonly id?: string;
  readonly log: Log | undefined;
  readonly raw: unknown;
  readonly keepsEncoding = true;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #prefix: string;
  readonly #bytes: Uint8Array | undefined;
  #controller: AbortController | undefined;
  #onClose: (() => void) | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: ToHttpRequestOptions) {
    const { url, prefix, parsedBody, id, log, raw = request } = options;
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    this.method = request.method ?? "GET";
    this.path = path === "" ? "/" : path;
    this.query = mark < 0 ? "" : url.slice(mark + 1);
    this.headers = request.headers;
    this.#prefix = prefix;
    this.#bytes = options.bytes;
    if (parsedBody !== undefined) this.parsedBody = parsedBody;
    if (id !== undefined) this.id = id;
    this.log = log;
    this.raw = raw;
    this.#request = request;
    this.#response = response;
  }

  repeats(name: string): boolean {
    return repeatsHeader(this.#request, name);
  }

  body(limit: number): MaybePromise<Uint8Array> {
    if (this.#bytes === undefined) return readBody(this.#request, limit);
    if (this.#bytes.byteLength > limit) throw tooLarge(limit);
    return this.#bytes;
  }

  get prefix(): string {
    return this.#prefix === "" ? "" : sameHostPath(this.#prefix);
  }

  get headerCount(): number {
    return this.#request.rawHeaders.length / 2;
  }

  get address(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  get scheme(): string {
    return "encrypted" in this.#request.socket ? "https" : "http";
  }

  /** Created on first use, because most responses finish before a client could disconnect. */
  get signal(): AbortSignal {
    return (this.#controller ??= this.#watchClient()).signal;
  }

  releaseSignal(): void {
    if (this.#onClose !== undefined) this.#response.off("close", this.#onClose);
    this.#onClose = undefined;
    this.#controller = undefined;
  }

  #watchClient(): AbortController {
    const response = this.#response;
    const controller = new AbortController();
    // The response of a pipelined request has no socket until the responses before it are finished.
    const isClosed = response.destroyed || this.#request.socket.destroyed;
    if (isClosed && !response.writableFinished) controller.abort();
    this.#onClose = () => {
      if (!response.writableFinished) controller.abort();
    };
    response.once("close", this.#onClose);
    return controller;
  }
}

/** Returns the path and query of a request target. Servers must also accept the absolute form (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") || rest === target ? rest : `/${rest}`;
}

/**
 * Whether a header was sent more than once. `headers` doesn't show that, because Node keeps only the first value of
 * some headers.
 */
export function repeatsHeader({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) found += 1;
  }
  return found > 1;
}
