import type { MaybePromise } from "../util/maybe-promise.ts";

/** How long a credential is good for. */
export interface Validity {
  /** When it ends, in milliseconds since 1970. */
  readonly expires?: number | undefined;
  /** Whether it is still good; `false` where it was taken back. */
  readonly recheck?: (() => MaybePromise<boolean>) | undefined;
}

const TICK = 500;
const TICKS_PER_RECHECK = 8;
/** A minute without an answer: then nobody can say that it is good. */
const MOST_FAILURES = 15;

type Recheck = NonNullable<Validity["recheck"]>;

interface Watched extends Validity {
  isAsking: boolean;
  failures: number;
}

const waiting = new Map<() => void, Watched>();
let timer: NodeJS.Timeout | undefined;
let ticks = 0;

/**
 * Calls `end` once a credential is good no more: half a second after its time at the latest, and about four seconds after it
 * was taken back. Returns the function that forgets it; undefined where it has no end. All share one timer: a thousand subscribers should not pay for one
 * each, and Node's own end after 24 days.
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
  // A socket and all that runs on it have one credential: they ask once.
  const asked = new Map<Recheck, Promise<unknown>>();
  for (const [end, watched] of waiting) {
    if (watched.expires !== undefined && watched.expires <= now) finish(end);
    else if (ticks === 0 && watched.recheck !== undefined) {
      const { recheck } = watched;
      // One that does not answer is not asked again, and not waited for any longer than one that fails.
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
  if (watched.failures >= MOST_FAILURES && waiting.get(end) === watched) finish(end);
}

function finish(end: () => void): void {
  waiting.delete(end);
  end();
}
