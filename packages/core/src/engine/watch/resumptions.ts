import { createHash } from "../../runtime/crypto.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import { callerKey } from "../../operation/caller-key.ts";
import type { Caller } from "../../operation/run.ts";
import { TokenBucket } from "../../util/token-bucket.ts";

/** Seconds after which a caller may resume once more. */
const INTERVAL_SECONDS = 5;
/** Maximum number of callers with their own count. */
const MAX_CALLERS = 10_000;
/** Number of counts that all further callers share. */
const SHARES = 1_024;

/**
 * Limits how often each caller can resume a stream. If there are too many callers, new ones share counts. A caller with
 * many addresses therefore gains no advantage, and no count is dropped before it is full again.
 */
export class Resumptions {
  readonly #most: number;
  readonly #mostCallers: number;
  readonly #callers = new Map<string, TokenBucket>();
  readonly #shared = new Map<number, TokenBucket>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(most: number, mostCallers = MAX_CALLERS) {
    this.#most = most;
    this.#mostCallers = mostCallers;
  }

  get size(): number {
    return this.#callers.size + this.#shared.size;
  }

  /** Counts a resumption. Throws RATE_LIMITED if the caller resumes too often. */
  take(caller: Pick<Caller, "principal" | "address">): void {
    const key = callerKey(caller);
    if (key === undefined || this.#allowanceOf(key).take()) return;
    const message = `Too many subscriptions were resumed. The limit is ${this.#most} at once, plus one every ${INTERVAL_SECONDS} seconds.`;
    throw new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": String(INTERVAL_SECONDS) } });
  }

  #allowanceOf(key: string): TokenBucket {
    const known = this.#callers.get(key);
    if (known !== undefined) return known;
    if (this.#callers.size >= this.#mostCallers) this.#sweep();
    if (this.#callers.size < this.#mostCallers) return this.#add(this.#callers, key);
    const share = createHash("sha256").update(key).digest().readUInt16BE(0) % SHARES;
    return this.#shared.get(share) ?? this.#add(this.#shared, share);
  }

  #add<K>(to: Map<K, TokenBucket>, key: K): TokenBucket {
    const allowance = new TokenBucket(1 / INTERVAL_SECONDS, this.#most);
    to.set(key, allowance);
    return allowance;
  }

  /** Drops the counts that are full again. Runs rarely, because it visits all of them. */
  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < INTERVAL_SECONDS * 1_000) return;
    this.#sweptAt = now;
    for (const [key, allowance] of this.#callers) if (allowance.isFull) this.#callers.delete(key);
  }
}
