const TICK = 500;

const waiting = new Map<() => void, number>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls `expire` once the time (milliseconds since 1970) has come, up to half a second late; returns the function that
 * forgets it. All share one timer: a thousand subscribers should not pay for one each, and Node's own end after 24 days.
 */
export function onExpiry(expires: number, expire: () => void): () => void {
  waiting.set(expire, expires);
  timer ??= setInterval(tick, TICK).unref();
  return () => void waiting.delete(expire);
}

function tick(): void {
  const now = Date.now();
  for (const [expire, expires] of waiting) {
    if (expires > now) continue;
    waiting.delete(expire);
    expire();
  }
  if (waiting.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
