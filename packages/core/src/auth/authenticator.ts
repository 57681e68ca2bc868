import type { Principal } from "../definition/principal.ts";

/** What a caller showed. Header names in lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The payload of `connection_init` on a WebSocket. */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
  /** The framework's request, for hosts whose own middleware has signed the caller in. */
  readonly raw?: unknown;
}

type Answer = Principal | Authenticated | null;

/** Who calls, by a credential that ends: what it opened ends with it. */
export interface Authenticated {
  readonly principal: Principal;
  /** When the credential is good no more. */
  readonly expires: Date;
}

/**
 * Finds out who calls. `null`: no credential of this kind. Throws `BifocalError("UNAUTHENTICATED")` for one that is
 * wrong: a wrong credential is never anonymous.
 */
export interface Authenticator {
  readonly authenticate: (credentials: Credentials) => Answer | Promise<Answer>;
  /** What `WWW-Authenticate` says (RFC 9110 §11.6.1): `Bearer realm="api"`. */
  readonly challenge: string;
  /** The headers that it looks at, for `Vary`. Default: those that `schemes` name. */
  readonly headers?: readonly string[];
  /** The security schemes of OpenAPI 3.1, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
