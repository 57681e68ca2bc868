import type { IncomingMessage } from "node:http";
import type { Credentials } from "../auth/authenticator.ts";
import type { HttpRequest } from "../message/message.ts";
import { repeatsHeader } from "./node/to-http-request.ts";

/** Returns the address and headers of a socket, as far as the upgrade request has them. */
export function socketOrigin(request: unknown): Pick<HttpRequest, "address" | "headers"> {
  const { headers = {}, socket } = (request ?? {}) as Partial<IncomingMessage>;
  return { headers, address: socket?.remoteAddress };
}

/** Collects the credentials of a WebSocket: the headers of the upgrade, and the payload of `connection_init`. */
export function socketCredentials(
  request: unknown,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
): Credentials {
  const { headers = {}, rawHeaders = [] } = (request ?? {}) as Partial<IncomingMessage>;
  const credentials = { headers, raw: request, repeats: (name: string) => repeatsHeader({ rawHeaders }, name) };
  return connectionParams === undefined ? credentials : { ...credentials, connectionParams };
}
