import type { Json } from "../../util/json.ts";

type MaybePromise<T> = T | Promise<T>;

/** Where it is kept which requests with an `Idempotency-Key` were done. Several instances share one. */
export interface IdempotencyStore {
  /** Takes a token for one request, in one step: of many at once just one hears `new`. */
  claim(claim: Claim): MaybePromise<ClaimResult>;
  /** Keeps what is needed to answer again for the request that has the token. */
  complete(token: string, answer: KeptAnswer): MaybePromise<void>;
  /** Gives the token back: the request came to nothing. */
  release(token: string): MaybePromise<void>;
}

/** Times in milliseconds since 1970. */
export interface Claim {
  readonly token: string;
  /** What is asked for, as a digest. */
  readonly fingerprint: string;
  /** Until when the request is taken to be running; then another try may have the token. */
  readonly lease: number;
  /** When the answer may be forgotten. */
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
  /** Of the answer. */
  readonly bytes: number;
}

interface MemoryIdempotencyOptions {
  /** How many requests are remembered. Default: 100,000. */
  readonly max?: number;
  /** How large their answers may be, all together. Default: 64 MiB. */
  readonly bytes?: number;
}

/** Keeps answers in memory. Beyond `max` of them, or `bytes` of all together, the oldest that are finished go first. */
export function memoryIdempotency({
  max = 100_000,
  bytes: mostBytes = 67_108_864,
}: MemoryIdempotencyOptions = {}): IdempotencyStore {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function keep(token: string, one: Kept): void {
    bytes += one.bytes - (kept.get(token)?.bytes ?? 0);
    kept.set(token, one);
  }

  function forget(token: string): void {
    bytes -= kept.get(token)?.bytes ?? 0;
    kept.delete(token);
  }

  /** What lives longest came last, so the oldest stand in front. Those under way stay: each would be done twice. */
  function sweep(): void {
    const now = Date.now();
    for (const [token, one] of kept) {
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
      keep(claim.token, { ...claim, answer: undefined, bytes: 0 });
      sweep();
      return { kind: "new" };
    },
    complete(token, answer) {
      const claim = kept.get(token);
      if (claim === undefined) return;
      keep(token, { ...claim, answer, bytes: Buffer.byteLength(JSON.stringify(answer)) });
      sweep();
    },
    release: forget,
  };
}

function isRunning({ answer, lease }: Kept, now: number): boolean {
  return answer === undefined && lease > now;
}
