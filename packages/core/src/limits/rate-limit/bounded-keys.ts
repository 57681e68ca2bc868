const MOST = 100_000;
const SHARES = 1_024;

/**
 * Bounds the memory that counting takes. Beyond 100,000 keys in one duration, new ones share counts with others: so nobody
 * gets fresh points by making more keys, and no count that is there is forgotten.
 */
export class BoundedKeys {
  readonly #milliseconds: number;
  readonly #most: number;
  readonly #known = new Set<string>();
  #since = performance.now();

  constructor(seconds: number, most = MOST) {
    this.#milliseconds = seconds * 1_000;
    this.#most = most;
  }

  /** The key itself, or the one that it shares. Keys are digests in base64url, so their first bytes are spread evenly. */
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
