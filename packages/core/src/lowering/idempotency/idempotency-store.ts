import { checkCallOptions } from "../../util/check-call.ts";
import type { Json } from "../../util/json.ts";
import { LinkedList, type Link } from "../../util/linked-list.ts";

type MaybePromise<T> = T | Promise<T>;

/** Records which requests with an `Idempotency-Key` were done. Several instances can share a store. */
export interface IdempotencyStore {
  /** Claims a token for one request, in one step. Only one of several concurrent claims returns `new`. */
  claim(claim: Claim): MaybePromise<ClaimResult>;
  /** Stores the data for replaying the request that holds the token. */
  complete(token: string, answer: KeptAnswer): MaybePromise<void>;
  /** Releases the token of a failed request. */
  release(token: string): MaybePromise<void>;
}

/** The claim of a request. Times are in milliseconds since 1970. */
export interface Claim {
  readonly token: string;
  /** A digest of the request. */
  readonly fingerprint: string;
  /** When the request counts as lost, so that a retry may claim the token. */
  readonly lease: number;
  /** When the record can be deleted. */
  readonly expires: number;
}

export type ClaimResult =
  | { readonly kind: "new" }
  | { readonly kind: "running"; readonly fingerprint: string }
  | { readonly kind: "done"; readonly fingerprint: string; readonly answer: KeptAnswer };

/** The stored part of a completed request: JSON that the store doesn't read. */
export interface KeptAnswer {
  /** The receipt of the operation, such as the key of the created row. Contains no fields of rows, except in results of actions. */
  readonly receipt: Json;
}

interface Kept extends Claim {
  readonly answer: KeptAnswer | undefined;
  /** Size of the stored answer. */
  readonly bytes: number;
  readonly byAge: Link<string>;
}

interface MemoryIdempotencyOptions {
  /** Maximum number of requests. Default 100,000. */
  readonly max?: number;
  /** Maximum total size of the receipts in bytes. Default 64 MiB. */
  readonly bytes?: number;
}

/**
 * Stores receipts in memory. If there are more than `max`, or their total size exceeds `bytes`, the oldest completed
 * ones are dropped first.
 */
export function memoryIdempotency(options: MemoryIdempotencyOptions = {}): IdempotencyStore {
  checkCallOptions("memoryIdempotency", options, { max: "a number of at least 0", bytes: "a number of at least 0" });
  const { max = 100_000, bytes: mostBytes = 67_108_864 } = options;
  const kept = new Map<string, Kept>();
  // An iterator of the map would step over all entries that were deleted since the map rebuilt its table.
  const byAge = new LinkedList<string>();
  let bytes = 0;

  function forget(token: string): void {
    const one = kept.get(token);
    if (one === undefined) return;
    bytes -= one.bytes;
    kept.delete(token);
    byAge.remove(one.byAge);
  }

  /**
   * All records have the same lifetime, so the oldest come first. Running requests are kept, because a retry would run
   * them twice.
   */
  function sweep(): void {
    const now = Date.now();
    for (const token of byAge) {
      const one = kept.get(token) as Kept;
      const isOver = kept.size > max || bytes > mostBytes;
      if (one.expires > now && !isOver) return;
      if (one.expires <= now || !isRunning(one, now)) forget(token);
    }
  }

  return {
    claim(claim) {
      const known = kept.get(claim.token);
      const now = Date.now();
      const isAlive = known !== undefined && known.expires > now && (known.answer !== undefined || known.lease > now);
      if (isAlive) {
        const { fingerprint, answer } = known;
        return answer === undefined ? { kind: "running", fingerprint } : { kind: "done", fingerprint, answer };
      }
      forget(claim.token);
      kept.set(claim.token, { ...claim, answer: undefined, bytes: 0, byAge: byAge.add(claim.token) });
      sweep();
      return { kind: "new" };
    },
    complete(token, answer) {
      const claim = kept.get(token);
      if (claim === undefined) return;
      const own = Buffer.byteLength(JSON.stringify(answer));
      bytes += own - claim.bytes;
      kept.set(token, { ...claim, answer, bytes: own });
      sweep();
    },
    release: forget,
  };
}

function isRunning({ answer, lease }: Kept, now: number): boolean {
  return answer === undefined && lease > now;
}
