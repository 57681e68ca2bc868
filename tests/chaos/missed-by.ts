import { setTimeout as sleep } from "node:timers/promises";
import type { Subscriber } from "./subscriber.ts";

/** Milliseconds within which a subscriber that lags receives an event. */
const SILENCE = 20_000;

/** Waits until each subscriber has received all keys, or nothing for a long time. */
export async function untilAllHeard(
  subscribers: readonly Subscriber[],
  keys: readonly number[],
  missed: (one: Subscriber, keys: readonly number[]) => readonly number[] = missedBy,
): Promise<void> {
  let [heard, since] = [0, Date.now()];
  while (subscribers.some((one) => missed(one, keys).length > 0)) {
    const now = subscribers.reduce((sum, one) => sum + one.heard.length, 0);
    if (now > heard) [heard, since] = [now, Date.now()];
    else if (Date.now() - since > SILENCE) return;
    await sleep(200);
  }
}

/** The keys that a subscriber has not received. */
export function missedBy({ heard }: Subscriber, keys: readonly number[]): readonly number[] {
  const own = new Set(heard.map(({ key }) => key));
  return keys.filter((key) => !own.has(key));
}

/**
 * Like `missed`, but without the events that the subscriber reads again after a reset (those sent before it).
 */
export function unaccountedBy(
  subscriber: Subscriber,
  keys: readonly number[],
  sentAt: (key: number) => number,
): readonly number[] {
  return missedBy(subscriber, keys).filter((key) => sentAt(key) > subscriber.lastReset());
}
