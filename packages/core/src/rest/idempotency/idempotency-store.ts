type MaybePromise<T> = T | Promise<T>;

/** Where the answers to requests with an `Idempotency-Key` are kept. Several instances share one. */
export interface IdempotencyStore {
  /** Takes a token for one request, in one step: of many at once just one hears `new`. */
  claim(claim: Claim): MaybePromise<ClaimResult>;
  /** Keeps the answer to the request that has the token. */
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

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Kept extends Claim {
  readonly answer: KeptAnswer | undefined;
}

/** Keeps answers in memory, at most `max` (default 100,000): beyond them the oldest go first. */
export function memoryIdempotency({ max = 100_000 }: { readonly max?: number } = {}): IdempotencyStore {
  const kept = new Map<string, Kept>();

  /** What lives longest came last, so the oldest stand in front. */
  function sweep(): void {
    for (const [token, { expires }] of kept) {
      if (expires > Date.now() && kept.size < max) return;
      kept.delete(token);
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
      sweep();
      kept.delete(claim.token);
      kept.set(claim.token, { ...claim, answer: undefined });
      return { kind: "new" };
    },
    complete(token, answer) {
      const claim = kept.get(token);
      if (claim !== undefined) kept.set(token, { ...claim, answer });
    },
    release: (token) => void kept.delete(token),
  };
}
