import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";

/** How many WebSockets and event streams each principal has open. Who is not known is not counted. */
export class CallerConnections {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more, and returns what ends it. Throws RATE_LIMITED where there are as many as may be. */
  open(principal: Principal | null): () => void {
    if (principal === null) return () => {};
    const key = JSON.stringify([principal.id, principal.claims?.["iss"] ?? null]);
    const before = this.#open.get(key) ?? 0;
    if (before >= this.#most) {
      const message = `You may have ${this.#most} WebSockets and event streams open at a time.`;
      throw new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": "5" } });
    }
    this.#open.set(key, before + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}
