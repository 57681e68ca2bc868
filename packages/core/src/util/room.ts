/** Who takes nothing for so long, in milliseconds, does not read. */
const PATIENCE = 30_000;

/** Where writers wait until a reader has taken what they wrote. */
export class Room {
  #wait: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** All who ask wait for the same. */
  wait(): Promise<void> {
    return (this.#wait ??= new Promise((resolve) => {
      this.#resolve = resolve;
    }));
  }

  free(): void {
    this.#resolve?.();
    this.#wait = undefined;
    this.#resolve = undefined;
  }
}

/** Waits for a reader, but not for one who does not read. */
export async function patiently(room: Promise<void> | undefined, most = PATIENCE): Promise<void> {
  if (room === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, most).unref();
  });
  await Promise.race([room, late]);
  clearTimeout(timer);
}
