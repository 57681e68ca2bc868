import type { Principal } from "../definition/principal.ts";

/** What a caller showed. Header names in lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The payload of `connection_init` on a WebSocket. */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
  /** The framework's request, for hosts whose own middleware has signed the caller in. */
  readonly raw?: unknown;
}

/**
 * Finds out who calls. `null`: no credential of this kind. Throws `BifocalError("UNAUTHENTICATED")` for one that is
 * wrong: a wrong credential is never anonymous.
 */
export interface Authenticator {
  readonly authenticate: (credentials: Credentials) => Principal | null | Promise<Principal | null>;
  /** What `WWW-Authenticate` says (RFC 9110 §11.6.1): `Bearer realm="api"`. */
  readonly challenge: string;
  /** The headers that it looks at, for `Vary`. Default: those that `schemes` name. */
  readonly headers?: readonly string[];
  /** The security schemes of OpenAPI 3.1, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
