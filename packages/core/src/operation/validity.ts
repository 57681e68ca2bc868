import type { MaybePromise } from "../util/maybe-promise.ts";

/** The validity of a credential. */
export interface Validity {
  /** When it expires, in milliseconds since 1970. */
  readonly expires?: number | undefined;
  /** Returns whether the credential is still valid; `false` if it was revoked. */
  readonly recheck?: (() => MaybePromise<boolean>) | undefined;
}

const TICK = 500;
const TICKS_PER_RECHECK = 8;
/** After a minute without a result, the credential counts as invalid. */
const MAX_FAILURES = 15;

type Recheck = NonNullable<Validity["recheck"]>;

interface Watched extends Validity {
  isAsking: boolean;
  failures: number;
}

const waiting = new Map<() => void, Watched>();
let timer: NodeJS.Timeout | undefined;
let ticks = 0;

/**
 * Calls `end` when a credential becomes invalid: at most half a second after its expiry, and about four seconds after
 * its revocation. Returns a function that stops watching; undefined if the credential can't become invalid. All
 * credentials share one timer: a thousand subscribers would otherwise need a timer each, and Node's timers are limited
 * to 24 days.
 */
export function onEnd({ expires, recheck }: Validity, end: () => void): (() => void) | undefined {
  if (expires === undefined && recheck === undefined) return undefined;
  waiting.set(end, { expires, recheck, isAsking: false, failures: 0 });
  timer ??= setInterval(tick, TICK).unref();
  return () => void waiting.delete(end);
}

function tick(): void {
  const now = Date.now();
  ticks = (ticks + 1) % TICKS_PER_RECHECK;
  // A socket and all its streams have the same credential, so it is checked once.
  const asked = new Map<Recheck, Promise<unknown>>();
  for (const [end, watched] of waiting) {
    if (watched.expires !== undefined && watched.expires <= now) finish(end);
    else if (ticks === 0 && watched.recheck !== undefined) {
      const { recheck } = watched;
      // A pending check isn't repeated, but counts as a failure.
      if (watched.isAsking) fail(end, watched);
      else {
        const answer = asked.get(recheck) ?? (async () => recheck())();
        asked.set(recheck, answer);
        void take(answer, end, watched);
      }
    }
  }
  if (waiting.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

async function take(answer: Promise<unknown>, end: () => void, watched: Watched): Promise<void> {
  watched.isAsking = true;
  try {
    const isGood = await answer;
    watched.failures = 0;
    if (isGood !== true && waiting.get(end) === watched) finish(end);
  } catch {
    fail(end, watched);
  } finally {
    watched.isAsking = false;
  }
}

function fail(end: () => void, watched: Watched): void {
  watched.failures += 1;
  if (watched.failures >= MAX_FAILURES && waiting.get(end) === watched) finish(end);
}

function finish(end: () => void): void {
  waiting.delete(end);
  end();
}
