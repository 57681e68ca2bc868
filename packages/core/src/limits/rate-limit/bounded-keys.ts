const MAX_KEYS = 100_000;
const SHARES = 1_024;

/**
 * Limits the memory for counting. After 100,000 keys in one period, new keys share counters: creating more keys yields
 * no fresh points, and existing counters are kept.
 */
export class BoundedKeys {
  readonly #milliseconds: number;
  readonly #most: number;
  readonly #known = new Set<string>();
  #since = performance.now();

  constructor(seconds: number, most = MAX_KEYS) {
    this.#milliseconds = seconds * 1_000;
    this.#most = most;
  }

  /**
   * Returns the key itself or a shared one. Keys are digests in base64url, so their first bytes are evenly distributed.
   */
  fold(key: string): string {
    const now = performance.now();
    if (now - this.#since >= this.#milliseconds) {
      this.#known.clear();
      this.#since = now;
    }
    if (this.#known.has(key)) return key;
    if (this.#known.size >= this.#most)
      return `shared ${Buffer.from(key.slice(0, 4), "base64url").readUIntBE(0, 3) % SHARES}`;
    this.#known.add(key);
    return key;
  }
}
