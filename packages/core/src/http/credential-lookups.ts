import { BifocalError } from "../errors/bifocal-error.ts";
import { RoundRobin } from "./round-robin.ts";

/**
 * Maximum number of concurrent lookups, over all addresses. It protects authorization servers and connection pools from
 * floods.
 */
const AT_ONCE = 64;
/** Maximum number of waiting lookups of one address, as a multiple of its concurrent ones. */
const WAITING = 4;
/** Maximum number of remembered credentials that were valid at their last lookup. */
const MAX_KNOWN = 10_000;

interface Lookup {
  readonly lane: string;
  readonly start: () => void;
}

/**
 * Limits the load of credentials that require a lookup at an authorization server or in a store. Each address runs a
 * few lookups at a time, and addresses take turns. A credential that was valid before has its own turn, so that a flood
 * from its address doesn't delay it.
 */
export class CredentialLookups {
  readonly #perAddress: number;
  readonly #waiting = new RoundRobin<Lookup>();
  readonly #running = new Map<string, number>();
  readonly #known = new Set<string>();
  #total = 0;

  constructor(perAddress: number) {
    this.#perAddress = perAddress;
  }

  /** Whether a credential, identified by its digest, was valid at its last lookup. */
  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /**
   * Runs a lookup in its turn. If the lookup rejects with UNAUTHENTICATED, the credential is forgotten. Throws
   * RATE_LIMITED if too many lookups of its address are waiting.
   */
  async run<T>(address: string | undefined, name: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#known.has(name) ? `credential ${name}` : `address ${address ?? ""}`;
    if (this.#isFull(lane)) await this.#turn(lane);
    else this.#enter(lane);
    try {
      const found = await work();
      this.#remember(name);
      return found;
    } catch (thrown) {
      if (thrown instanceof BifocalError && thrown.code === "UNAUTHENTICATED") this.#known.delete(name);
      throw thrown;
    } finally {
      this.#leave(lane);
    }
  }

  readonly #isFree = (lane: string): boolean => (this.#running.get(lane) ?? 0) < this.#perAddress;

  #isFull(lane: string): boolean {
    return this.#total >= AT_ONCE || !this.#isFree(lane);
  }

  #turn(lane: string): Promise<void> {
    if (this.#waiting.countOf(lane) >= WAITING * this.#perAddress) throw tooMany();
    return new Promise((start) => this.#waiting.add(lane, { lane, start }));
  }

  #enter(lane: string): void {
    this.#total += 1;
    this.#running.set(lane, (this.#running.get(lane) ?? 0) + 1);
  }

  #leave(lane: string): void {
    this.#total -= 1;
    const left = (this.#running.get(lane) ?? 1) - 1;
    if (left > 0) this.#running.set(lane, left);
    else this.#running.delete(lane);
    const next = this.#total < AT_ONCE ? this.#waiting.take(this.#isFree) : undefined;
    if (next === undefined) return;
    this.#enter(next.lane);
    next.start();
  }

  #remember(name: string): void {
    this.#known.delete(name);
    this.#known.add(name);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function tooMany(): BifocalError {
  const message = "Too many credentials from this address are being checked. Try again in a few seconds.";
  return new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": "2" } });
}
