import type { BifocalError } from "./client-error.ts";

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/** Returns the milliseconds to wait before the next attempt; undefined if another attempt wouldn't help. */
export function retryDelay({ code, headers }: BifocalError, failures: number): number | undefined {
  const after = headers["Retry-After"];
  // A conflict that passes: the first request with the same Idempotency-Key is still running.
  if (!isTransient(code) && !(code === "CONFLICT" && after)) return undefined;
  const wait = Number(after) * 1_000;
  if (Number.isNaN(wait)) return backoff(failures, FIRST_DELAY_MS);
  return wait > MAX_DELAY_MS ? undefined : wait + Math.random() * FIRST_DELAY_MS;
}

/** Doubles the delay after each failure. The jitter keeps clients from retrying at the same moment. */
export function backoff(failures: number, first: number): number {
  return Math.min(MAX_DELAY_MS, first * 2 ** failures) * (0.5 + Math.random() / 2);
}

/** Waits, or throws the reason of the signal. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop);
  });
}

/** Whether the same request could succeed later. */
export function isTransient(code: string): boolean {
  return /^(?:UNAVAILABLE|TIMEOUT|RATE_LIMITED)$/.test(code);
}
