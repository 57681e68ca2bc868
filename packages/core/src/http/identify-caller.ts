import type { Authentication, KnownCaller } from "../auth/authentication.ts";
import type { Credentials, CredentialSource } from "../auth/authenticator.ts";
import { type BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import { FAILED_CREDENTIAL_COST } from "../limits/cost.ts";
import type { Allowance } from "../operation/allowance.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import { CredentialLookups } from "./credential-lookups.ts";

/** The sender of credentials, who is charged for invalid ones. */
export type Sender = Pick<Caller, "address" | "onCharge">;

/** Identifies the caller. Charges the sender's address for an invalid credential. */
export type IdentifyCaller = (credentials: Credentials, sender: Sender) => Promise<KnownCaller>;

export interface IdentifyCallerOptions {
  readonly identify: Authentication["identify"];
  readonly limiter: RateLimiter | undefined;
  /** Maximum number of concurrent credential lookups of one address. */
  readonly addressLookups: number;
}

/** Returns undefined if the API has no authenticators. */
export function createIdentifyCaller(options: IdentifyCallerOptions): IdentifyCaller | undefined {
  const { identify, limiter } = options;
  if (identify === undefined) return undefined;
  const lookups = new CredentialLookups(options.addressLookups);
  const exhausted = new ExhaustedAddresses();

  const sourceOf = (sender: Sender): CredentialSource => ({
    async lookUp(name, work) {
      const { address } = sender;
      // For an address without points, only credentials that were valid before are looked up.
      const refusal = lookups.isKnown(name) ? undefined : exhausted.refusal(address);
      if (refusal !== undefined) throw refusal;
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

const MAX_ADDRESSES = 10_000;

/** Addresses that sent too many invalid credentials, until their points have been restored. */
class ExhaustedAddresses {
  readonly #until = new Map<string, Allowance & { readonly at: number }>();

  add(address: string | undefined, allowance: Allowance): void {
    if (address === undefined) return;
    this.#until.delete(address);
    this.#until.set(address, { ...allowance, at: performance.now() + allowance.reset * 1_000 });
    const [oldest] = this.#until.keys();
    if (this.#until.size > MAX_ADDRESSES && oldest !== undefined) this.#until.delete(oldest);
  }

  refusal(address: string | undefined): BifocalError | undefined {
    const found = address === undefined ? undefined : this.#until.get(address);
    if (found === undefined) return undefined;
    const left = found.at - performance.now();
    if (left > 0) return rateLimited({ ...found, reset: Math.ceil(left / 1_000) });
    this.#until.delete(address as string);
    return undefined;
  }
}
