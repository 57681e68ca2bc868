import type { Credentials } from "../auth/authenticator.ts";
import type { SocketOrigin } from "../message/protocol.ts";

/** Collects the credentials of a WebSocket: the headers of the upgrade, and the payload of `connection_init`. */
export function socketCredentials(
  origin: SocketOrigin,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
): Credentials {
  const { headers, raw } = origin;
  const credentials = { headers, raw, repeats: (name: string) => origin.repeats(name) };
  return connectionParams === undefined ? credentials : { ...credentials, connectionParams };
}
