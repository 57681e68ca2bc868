import type { Principal } from "../definition/principal.ts";
import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { Validity } from "./validity.ts";
import type { Operation } from "./operation.ts";
import type { Outcome } from "./outcome.ts";
import type { Allowance } from "./allowance.ts";

/** The caller of an operation, and how long its credential is valid. Streams end when the credential expires. */
export interface Caller extends Validity {
  readonly principal: Principal | null;
  /** Aborts when the client disconnects or the deadline passes. It is passed on to the store. */
  readonly signal: AbortSignal | undefined;
  /** The log for its failures. Default: the log of the API. */
  readonly log?: Log | undefined;
  /**
   * Address of the client, if it is remote: an IPv4 address, or the network of an IPv6 address (`2001:db8:0:100::/56`).
   */
  readonly address?: string | undefined;
  /** The tightest budget after an operation; undefined until the first charge. */
  readonly allowance?: Allowance | undefined;
  /** Called with the remaining budget after each charge. */
  onCharge?(allowance: Allowance): void;
  /**
   * Called for each request, or document of a request, that was parsed but runs no operation, so that the caller is
   * charged for it.
   */
  onMalformed?(): void;
  /**
   * Returns a digest of the principal and its credential. For an anonymous caller, it is a digest of the address.
   * Absent in local calls.
   */
  clientDigest?(): string;
  /** Returns the id of the request for the log and masked errors. It is generated on first use. */
  requestId(): string;
}

/**
 * Runs an operation in the engine. Never throws: errors are outcomes of kind `failure`. Returns the outcome
 * synchronously if it doesn't have to wait. `cost` is passed on if it is already known, so that it is computed only once.
 */
export type Run = (operation: Operation, caller: Caller, cost?: number) => MaybePromise<Outcome>;
