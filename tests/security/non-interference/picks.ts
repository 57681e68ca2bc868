import fc from "fast-check";

/** Drawn numbers that choose a request among those possible in a world. */
export const pickNumbers = fc.array(fc.nat(10_000), { minLength: 16, maxLength: 16 });

export type Picks = ReturnType<typeof createPicks>;

/** Makes choices with drawn numbers, in order. */
export function createPicks(numbers: readonly number[]) {
  let at = 0;
  const next = (): number => {
    const turn = Math.floor(at / numbers.length);
    const number = numbers[at++ % numbers.length] ?? 0;
    // The choices are different the second time.
    return Math.floor(number / 7 ** turn) + turn;
  };
  return {
    number: (below: number): number => next() % below,
    /** Returns true in `often` of ten cases. */
    chance: (often: number): boolean => next() % 10 < often,
    of: <T>(items: readonly T[]): T | undefined => (items.length === 0 ? undefined : items[next() % items.length]),
    /** Chooses an item of a non-empty list. */
    one: <T>(...items: readonly [T, ...T[]]): T => items[next() % items.length] as T,
  };
}
