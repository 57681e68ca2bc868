import type { IncomingMessage } from "node:http";
import type { SocketRequest } from "../socket-admission.ts";
import { repeatsHeader } from "./to-http-request.ts";

/** Wraps an `upgrade` of Node's server in the neutral interface. */
export function toSocketRequest(request: IncomingMessage, query: string): SocketRequest {
  return {
    query,
    headers: request.headers,
    headerCount: request.rawHeaders.length / 2,
    address: request.socket.remoteAddress,
    raw: request,
    repeats: (name) => repeatsHeader(request, name),
  };
}
