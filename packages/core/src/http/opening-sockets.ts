/** Counts the sockets of each address that are not initialized yet. */
export class OpeningSockets {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether an address has the maximum number of such sockets. */
  isFull(address: string | undefined): boolean {
    return address !== undefined && (this.#counts.get(address) ?? 0) >= this.#most;
  }

  /** Counts one more socket. Returns a function that ends the count, which must be called once. */
  add(address: string | undefined): () => void {
    if (address === undefined) return () => {};
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(address) ?? 1) - 1;
      if (left > 0) this.#counts.set(address, left);
      else this.#counts.delete(address);
    };
  }
}
