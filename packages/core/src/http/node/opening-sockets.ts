/** How many sockets of each address have not said yet who they are. */
export class OpeningSockets {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether an address has as many as it may. */
  isFull(address: string | undefined): boolean {
    return address !== undefined && (this.#counts.get(address) ?? 0) >= this.#most;
  }

  /** Counts one more, and returns what ends that; to be called once. */
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
