const TIMEOUT_MS = 10_000;

/** Rejects if the promise doesn't settle within ten seconds. */
export async function inTime<T>(coming: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Too late: ${what}`)), TIMEOUT_MS);
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
