import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Caller } from "../../operation/run.ts";
import { Allowance } from "../../util/allowance.ts";

/** Seconds after which one more may resume. */
const EACH = 5;
/** Callers that are remembered before those who have been quiet are forgotten. */
const MOST_CALLERS = 10_000;

/** How often each caller has changes read again that were told already: by principal, or by address where nobody is known. */
export class Resumptions {
  readonly #most: number;
  readonly #callers = new Map<string, Allowance>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more. Throws RATE_LIMITED where there were too many. */
  take({ principal, address }: Pick<Caller, "principal" | "address">): void {
    if (principal === null && address === undefined) return;
    const key = JSON.stringify(principal === null ? address : [principal.id, principal.claims?.["iss"] ?? null]);
    let allowance = this.#callers.get(key);
    if (allowance === undefined) {
      if (this.#callers.size >= MOST_CALLERS) this.#forgetQuiet();
      this.#callers.set(key, (allowance = new Allowance(1 / EACH, this.#most)));
    }
    if (allowance.take()) return;
    const message = `You may resume ${this.#most} subscriptions at once, and one more each ${EACH} seconds.`;
    throw new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": String(EACH) } });
  }

  #forgetQuiet(): void {
    for (const [key, allowance] of this.#callers) if (allowance.isFull) this.#callers.delete(key);
  }
}
