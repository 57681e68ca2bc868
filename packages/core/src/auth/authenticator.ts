import type { RowStore } from "../definition/actions.ts";
import type { Principal } from "../definition/principal.ts";
import type { Model } from "../model/model.ts";
import type { JsonObject } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { Warning } from "../errors/warning.ts";

/** What a caller showed. Header names in lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether a header came more than once: of some Node keeps the first alone. */
  repeats?(name: string): boolean;
  /** The payload of `connection_init` on a WebSocket. */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
  /** The framework's request, for hosts whose own middleware has signed the caller in. */
  readonly raw?: unknown;
}

export type Answer = Principal | Authenticated | null;

/** Who calls, by a credential that ends: what it opened ends with it. */
export interface Authenticated {
  readonly principal: Principal;
  /** When the credential is good no more. Default: never. */
  readonly expires?: Date;
  /**
   * Whether the credential is still good, and still makes the same caller. Asked every four seconds while a socket or a stream that it opened stays open;
   * `false`, or `UNAUTHENTICATED`, closes that. Default: it is good until it expires.
   */
  readonly recheck?: () => MaybePromise<boolean>;
}

/** Where a credential comes from. */
export interface CredentialSource {
  /**
   * Runs the lookup of a credential, at another server or in a store, when it is its address's turn. `name` is a digest of
   * the credential. Rejects with RATE_LIMITED, without a lookup, if the address has sent too many invalid ones or too many of
   * its lookups wait.
   */
  lookUp<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Finds out who calls. `null`: no credential of this kind. Throws `BifocalError("UNAUTHENTICATED")` for one that is
 * wrong: a wrong credential is never anonymous.
 */
export interface Authenticator {
  readonly authenticate: (credentials: Credentials, source?: CredentialSource) => MaybePromise<Answer>;
  /** What `WWW-Authenticate` says (RFC 9110 §11.6.1): `Bearer realm="api"`. */
  readonly challenge: string;
  /** The headers that it looks at, for `Vary`, and to tell two credentials from one. Default: those that `schemes` name. */
  readonly headers?: readonly string[];
  /** The security schemes of OpenAPI 3.1, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Documents that say more of it, by path: RFC 9728's is one. */
  readonly documents?: Readonly<Record<string, JsonObject>>;
  /** What of its configuration is not for production. Default: nothing. */
  readonly warnings?: readonly Warning[];
  /** Called once, when the API is defined. Throws `DefinitionError` for what it needs and the API lacks. */
  readonly open?: (host: AuthHost) => void;
}

/** Rows of a resource, past all rules. */
export interface TrustedRows extends RowStore<Record<string, unknown>, unknown> {
  /** Changes a row only while it has these values, in one step; whether it did. */
  updateWhere(
    id: unknown,
    values: Readonly<Record<string, unknown>> | undefined,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<boolean>;
}

/** The API that an authenticator is part of. */
export interface AuthHost {
  readonly model: Model;
  /** The rows of a resource, past all rules. */
  readonly rowsOf: (resource: string) => TrustedRows;
  readonly log: Log;
}
