import type { Authenticated, Authenticator } from "./authenticator.ts";
import type { Principal } from "../definition/principal.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

export interface PrincipalFromOptions {
  /** The headers that the host's own sign-in reads. Default `["Cookie"]`: a session. */
  readonly headers?: readonly string[];
  /** What a 401 says in `WWW-Authenticate`. Default `Session`. */
  readonly challenge?: string;
  /** What OpenAPI says of it. Default: nothing. */
  readonly schemes?: Authenticator["schemes"];
}

/**
 * Takes the caller whom the host has signed in: by Passport, by a session, by a middleware of its own. `find` gets the
 * framework's request, and on a WebSocket Node's, which no middleware has seen; `null` is nobody.
 *
 * @example principalFrom((request: express.Request) => request.user ?? null)
 */
export function principalFrom<Request>(
  find: (request: Request) => MaybePromise<Principal | Authenticated | null>,
  { headers = ["Cookie"], challenge = "Session", schemes = {} }: PrincipalFromOptions = {},
): Authenticator {
  // Which framework mounts the API is the host's to know, and so is the type of its requests.
  return { headers, challenge, schemes, authenticate: ({ raw }) => find(raw as Request) };
}
