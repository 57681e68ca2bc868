/** Waiting items of several callers. They are taken round-robin by caller, and in order within each caller. */
export class RoundRobin<Item> {
  // In the order of turns: a caller moves to the end after each turn.
  readonly #waiting = new Map<string, Item[]>();
  /** The number of waiting items. */
  size = 0;

  /** Returns the number of items that wait for a caller. */
  countOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  /** Returns the oldest item of a caller. */
  oldestOf(caller: string): Item | undefined {
    return this.#waiting.get(caller)?.[0];
  }

  add(caller: string, item: Item): void {
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [item]);
    else own.push(item);
    this.size += 1;
  }

  /** Takes the oldest item of the next caller that `mayTake` accepts. */
  take(mayTake: (caller: string) => boolean = always): Item | undefined {
    for (const [caller, items] of this.#waiting) {
      if (!mayTake(caller)) continue;
      this.#waiting.delete(caller);
      const item = items.shift();
      if (items.length > 0) this.#waiting.set(caller, items);
      this.size -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes the newest item of the caller with the most items. */
  dropFromLongest(): Item | undefined {
    let longest: readonly [string, Item[]] | undefined;
    for (const entry of this.#waiting) if (entry[1].length > (longest?.[1].length ?? 0)) longest = entry;
    if (longest === undefined) return undefined;
    const [caller, items] = longest;
    const item = items.pop();
    if (items.length === 0) this.#waiting.delete(caller);
    this.size -= 1;
    return item;
  }
}

function always(): boolean {
  return true;
}
