import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { HttpRequest, HttpResponse } from "./message.ts";

export interface Route {
  /** Parameters are in braces: `/books/{id}`. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** A request, for telemetry. */
export interface RequestActivity {
  readonly request: HttpRequest;
  readonly style: "rest" | "graphql";
  /**
   * The pattern of its path, such as `/books/{id}`. Set while the request is handled; undefined if no route matches.
   */
  route: string | undefined;
}

/** The caller of a request, and the engine that runs its operations. */
export interface ProtocolContext {
  readonly run: Run;
  readonly caller: Caller;
  readonly activity?: RequestActivity | undefined;
  /** The first segment of the path, for a protocol that serves segments. */
  readonly segment: string;
  /** Counts work that goes on after the response as running. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A protocol of an API: REST or GraphQL. The handler treats all protocols alike. */
export interface Protocol {
  readonly name: RequestActivity["style"];
  readonly routes: readonly Route[];
  /** A single path, or all paths with one of these first segments. */
  readonly serves: { readonly path: string } | { readonly segments: ReadonlySet<string> };
  /** Returns the methods of a path, or an empty list for an unknown path. */
  readonly methodsAt: (path: string) => readonly string[];
  /** Resolves to `null` if the path is not part of the API. */
  readonly handle: (request: HttpRequest, context: ProtocolContext) => MaybePromise<HttpResponse | null>;
  /**
   * Creates the response for an error that occurred before or around `handle`, in the format that the client accepts.
   */
  readonly refuse: (error: BifocalError, request: HttpRequest) => HttpResponse;
}

/** The handler of one WebSocket. */
export interface SocketConnection {
  /** Called once, when the client has initialized the connection or the socket is closed. */
  onceInitialized: (() => void) | undefined;
  receive(data: Uint8Array): void;
  pinged(): void;
  closed(): void;
}

/** The part of a WebSocket that protocols use. */
export interface ProtocolSocket {
  readonly protocol: string;
  /** Number of bytes that were sent but not written yet. */
  readonly bufferedAmount: number;
  /** `onWritten` is called when the text was written or can no longer be written. */
  send(text: string, onWritten?: () => void): void;
  close(code: number, reason: string): void;
}

/** Where a WebSocket comes from: the part of its request that identifies the caller. */
export type SocketOrigin = Pick<HttpRequest, "address" | "headers" | "repeats" | "raw">;

/** Handles upgraded connections of a protocol. */
export interface SocketProtocol {
  readonly path: string;
  readonly subprotocol: string;
  readonly open: (socket: ProtocolSocket, origin: SocketOrigin) => SocketConnection;
}
