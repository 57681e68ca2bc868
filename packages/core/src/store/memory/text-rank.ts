import { compareText } from "../compare-values.ts";

/** Number of characters that decide about a rank: as many as a number can store. */
const LENGTH = 7;
const BASE = 128;
/** All characters from here on have the same place, because code units aren't in the order of characters. */
const LAST = BASE - 1;

/**
 * Returns a number for a text, so that a text with a lower one sorts first. It depends on the characters after a prefix
 * that most texts have in common.
 */
export function textRank(text: string, prefix: string): number {
  if (!text.startsWith(prefix)) return compareText(text, prefix) < 0 ? -1 : BASE ** LENGTH;
  let rank = 0;
  let isExact = true;
  for (let index = prefix.length; index < prefix.length + LENGTH; index++) {
    const place = isExact && index < text.length ? Math.min(text.charCodeAt(index) + 1, LAST) : 0;
    // Characters after one that isn't exact don't count.
    if (place === LAST) isExact = false;
    rank = rank * BASE + place;
  }
  return rank;
}

export function commonPrefix(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
