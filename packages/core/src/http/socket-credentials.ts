import type { IncomingMessage } from "node:http";
import type { Credentials } from "../auth/authenticator.ts";
import { repeatsHeader } from "./node/repeats-header.ts";

/** What a caller showed on a WebSocket: by the headers of the upgrade, and in `connection_init`. */
export function socketCredentials(
  request: unknown,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
): Credentials {
  const { headers = {}, rawHeaders = [] } = (request ?? {}) as Partial<IncomingMessage>;
  const credentials = { headers, raw: request, repeats: (name: string) => repeatsHeader({ rawHeaders }, name) };
  return connectionParams === undefined ? credentials : { ...credentials, connectionParams };
}
