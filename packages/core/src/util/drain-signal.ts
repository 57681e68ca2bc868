/** Milliseconds after which a reader that takes nothing counts as stalled. */
const STALL_TIMEOUT_MS = 30_000;

/** Lets writers wait until a reader has consumed their data. */
export class DrainSignal {
  #wait: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** All waiting writers share one promise. */
  wait(): Promise<void> {
    return (this.#wait ??= new Promise((resolve) => {
      this.#resolve = resolve;
    }));
  }

  notify(): void {
    this.#resolve?.();
    this.#wait = undefined;
    this.#resolve = undefined;
  }
}

/** Waits for a reader, but at most `most` milliseconds. */
export async function waitForDrain(drain: Promise<void> | undefined, most = STALL_TIMEOUT_MS): Promise<void> {
  if (drain === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, most).unref();
  });
  await Promise.race([drain, late]);
  clearTimeout(timer);
}
