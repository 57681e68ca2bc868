import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { HttpRequest, HttpResponse } from "./message.ts";

export interface Route {
  /** Parameters in braces: `/books/{id}`. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** One request, as telemetry sees it. */
export interface RequestActivity {
  readonly request: HttpRequest;
  readonly style: "rest" | "graphql";
  /** The pattern of its path, `/books/{id}`; set while the request is handled, and undefined if no route matches. */
  route: string | undefined;
}

/** The caller of a request, and the engine that runs its operations. */
export interface ProtocolContext {
  readonly run: Run;
  readonly caller: Caller;
  readonly activity?: RequestActivity | undefined;
}

/** One style of an API. The handler holds a list of protocols and treats them all alike. */
export interface Protocol {
  readonly name: RequestActivity["style"];
  readonly routes: readonly Route[];
  readonly matches: (path: string) => boolean;
  /** The methods of a path; empty if it leads nowhere. */
  readonly methodsAt: (path: string) => readonly string[];
  /** Resolves to `null` if the path is not part of the API after all. */
  readonly handle: (request: HttpRequest, context: ProtocolContext) => MaybePromise<HttpResponse | null>;
  /** Writes an error that occurred before or around `handle`, in the format that the client accepts. */
  readonly refuse: (error: BifocalError, request: HttpRequest) => HttpResponse;
}

/** A WebSocket that a protocol speaks on. */
export interface SocketConnection {
  /** Called once, when the client has said who it is, or when the socket is closed. */
  onceInitialised: (() => void) | undefined;
  receive(data: Uint8Array): void;
  pinged(): void;
  closed(): void;
}

/** The part of a WebSocket that protocols use. */
export interface ProtocolSocket {
  readonly protocol: string;
  /** Number of bytes that were sent and are not written yet. */
  readonly bufferedAmount: number;
  /** `onWritten` is called when the text was written or can no longer be written. */
  send(text: string, onWritten?: () => void): void;
  close(code: number, reason: string): void;
}

/** How a protocol takes over upgraded connections. */
export interface SocketProtocol {
  readonly path: string;
  readonly subprotocol: string;
  readonly open: (socket: ProtocolSocket, request: unknown) => SocketConnection;
}
