import type { RowStore } from "../definition/row-store.ts";
import type { Principal } from "../definition/principal.ts";
import type { Model } from "../model/model.ts";
import type { JsonObject } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { Warning } from "../errors/warning.ts";

/** The credentials of a request. Header names are in lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether a header was sent more than once. Node keeps only the first value of some headers. */
  repeats?(name: string): boolean;
  /** The payload of `connection_init` on a WebSocket. */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
  /** The framework's request, for hosts whose own middleware has authenticated the caller. */
  readonly raw?: unknown;
}

export type Answer = Principal | Authenticated | null;

/** A caller whose credential may expire. Sockets and streams that it opened end with it. */
export interface Authenticated {
  readonly principal: Principal;
  /** When the credential expires. Default: never. */
  readonly expires?: Date;
  /**
   * Returns whether the credential is still valid for the same caller. Called every four seconds while a socket or
   * stream of the caller is open; `false` or `UNAUTHENTICATED` closes it. Default: the credential is valid until it
   * expires.
   */
  readonly recheck?: () => MaybePromise<boolean>;
}

/** The source of a credential. */
export interface CredentialSource {
  /**
   * Runs the lookup of a credential, at another server or in a store, when its address has its turn. `name` is a digest
   * of the credential. Rejects with RATE_LIMITED, without a lookup, if the address has sent too many invalid
   * credentials or too many of its lookups are waiting.
   */
  lookUp<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Identifies callers. `authenticate` returns `null` if the request has no credential of its kind. It throws
 * `BifocalError("UNAUTHENTICATED")` for a wrong credential, which never makes a caller anonymous.
 */
export interface Authenticator {
  readonly authenticate: (credentials: Credentials, source?: CredentialSource) => MaybePromise<Answer>;
  /** The value of `WWW-Authenticate` (RFC 9110 §11.6.1), such as `Bearer realm="api"`. */
  readonly challenge: string;
  /**
   * The headers that it reads. They determine `Vary`, and whether a request has two credentials. Default: the headers
   * in `schemes`.
   */
  readonly headers?: readonly string[];
  /** The security schemes of OpenAPI 3.1, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Documents to serve, by path, such as that of RFC 9728. */
  readonly documents?: Readonly<Record<string, JsonObject>>;
  /** Warnings about its configuration that apply in production. Default: none. */
  readonly warnings?: readonly Warning[];
  /** Called once, when the API is defined. Throws a `DefinitionError` if the API lacks something that it needs. */
  readonly open?: (host: AuthHost) => void;
}

/** Access to the rows of a resource without access rules. */
export interface TrustedRows extends RowStore<Record<string, unknown>, unknown> {
  /** Updates a row only if it currently has these values, atomically. Returns whether it did. */
  updateWhere(
    id: unknown,
    values: Readonly<Record<string, unknown>> | undefined,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<boolean>;
}

/** The API of an authenticator. */
export interface AuthHost {
  readonly model: Model;
  /** Returns the rows of a resource, without access rules. */
  readonly rowsOf: (resource: string) => TrustedRows;
  readonly log: Log;
}
