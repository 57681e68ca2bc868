import type { Authenticated, Authenticator } from "./authenticator.ts";
import type { Principal } from "../definition/principal.ts";
import { checkCallOptions, kindOf } from "../util/check-call.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

export interface PrincipalFromOptions {
  /** The headers that the host's own authentication reads. Default: `["Cookie"]`, for a session. */
  readonly headers?: readonly string[];
  /** The value of `WWW-Authenticate` in 401 responses. Default: `Session`. */
  readonly challenge?: string;
  /** The security schemes in OpenAPI. Default: none. */
  readonly schemes?: Authenticator["schemes"];
}

/**
 * Uses the caller that the host has authenticated, with Passport, a session or its own middleware. `find` receives the
 * framework's request. On a WebSocket, it receives Node's request, which no middleware has processed. `null` means that
 * the caller is anonymous.
 *
 * @example principalFrom((request: express.Request) => request.user ?? null)
 */
export function principalFrom<Request>(
  find: (request: Request) => MaybePromise<Principal | Authenticated | null>,
  options: PrincipalFromOptions = {},
): Authenticator {
  if (typeof find !== "function")
    throw new TypeError(`principalFrom() must receive a function of the request; received ${kindOf(find)}.`);
  checkCallOptions("principalFrom", options, {
    headers: "a list of strings",
    challenge: "a string",
    schemes: "an object",
  });
  const { headers = ["Cookie"], challenge = "Session", schemes = {} } = options;
  // The type of the request depends on the framework, which only the host knows.
  return { headers, challenge, schemes, authenticate: ({ raw }) => find(raw as Request) };
}
