import type { Authentication, KnownCaller } from "../auth/authentication.ts";
import type { Credentials, CredentialSource } from "../auth/authenticator.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import { FAILED_CREDENTIAL_COST } from "../limits/cost.ts";
import type { Allowance } from "../operation/allowance.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import { CredentialLookups } from "./credential-lookups.ts";
import { ExhaustedCallers } from "./exhausted-callers.ts";

/** The sender of credentials, who is charged for invalid ones. */
export type Sender = Pick<Caller, "address" | "onCharge">;

/** Identifies the caller. Charges the sender's address for an invalid credential. */
export type IdentifyCaller = (credentials: Credentials, sender: Sender) => Promise<KnownCaller>;

export interface IdentifyCallerOptions {
  readonly identify: NonNullable<Authentication["identify"]>;
  readonly limiter: RateLimiter | undefined;
  /** Maximum number of concurrent credential lookups of one address. */
  readonly addressLookups: number;
}

export function createIdentifyCaller(options: IdentifyCallerOptions): IdentifyCaller {
  const { identify, limiter } = options;
  const lookups = new CredentialLookups(options.addressLookups);
  /** By address. */
  const exhausted = new ExhaustedCallers();

  const sourceOf = (sender: Sender): CredentialSource => ({
    async lookUp(name, work) {
      const { address } = sender;
      // For an address without points, only credentials that were valid before are looked up.
      const allowance = lookups.isKnown(name) ? undefined : exhausted.find(address);
      if (allowance !== undefined) throw rateLimited(allowance);
      return lookups.run(address, name, work);
    },
  });

  /** Charges the sender's address. Throws RATE_LIMITED if no points are left. */
  async function charge(taking: Promise<Allowance | undefined> | undefined, sender: Sender): Promise<void> {
    const allowance = await taking;
    if (allowance === undefined) return;
    sender.onCharge?.(allowance);
    if (!allowance.isExceeded) return;
    exhausted.add(sender.address, allowance);
    throw rateLimited(allowance);
  }

  return async (credentials, sender) => {
    try {
      return await identify(credentials, sourceOf(sender));
    } catch (thrown) {
      if (isBifocalError(thrown) && thrown.code === "UNAUTHENTICATED" && sender.address !== undefined) {
        await charge(limiter?.take({ principal: null, address: sender.address }, FAILED_CREDENTIAL_COST), sender);
      }
      throw thrown;
    }
  };
}
