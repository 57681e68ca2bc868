import type { Principal } from "../definition/principal.ts";
import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { Validity } from "./validity.ts";
import type { Operation } from "./operation.ts";
import type { Outcome } from "./outcome.ts";
import type { Allowance } from "./allowance.ts";

/** On whose behalf, and until when: no change reaches it once its credential has ended. */
export interface Caller extends Validity {
  readonly principal: Principal | null;
  /** Aborted when the caller has gone or the deadline has passed; reaches the store. */
  readonly signal: AbortSignal | undefined;
  /** Where its failures are logged. Default: the log of the API. */
  readonly log?: Log | undefined;
  /** Of the client, where it came over a network: an IPv4 address, or the network of an IPv6 address (`2001:db8:0:100::/56`). */
  readonly address?: string | undefined;
  /** The least that was left to spend after an operation; undefined until one was paid for. */
  readonly allowance?: Allowance | undefined;
  /** Told what is left to spend, each time something was taken off. */
  onCharge?(allowance: Allowance): void;
  /** Called for each request, or document of a request, that was parsed and runs no operation: its caller is charged for it. */
  readonly onMalformed?: (() => void) | undefined;
  /** A digest of the principal and its credential, or of the address of an anonymous caller. Absent in local calls. */
  clientDigest?(): string;
  /** Names the request in the log and in masked errors; made when first needed. */
  readonly requestId: () => string;
}

/** The engine, as both styles see it. Never throws: what goes wrong is a `failure`. At once where nothing has to be waited for. */
export type Run = (operation: Operation, caller: Caller) => MaybePromise<Outcome>;
