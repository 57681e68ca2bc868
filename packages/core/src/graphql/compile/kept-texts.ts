import type { Row } from "../../model/model.ts";

/** Maximum number of characters in all caches. When it is exceeded, the caches are emptied. */
const MAX_CHARACTERS = 16_777_216;
/** Estimated overhead of an entry, in characters. */
const OVERHEAD = 64;

/** Number of rows that are written before the cache starts, so that a document that runs once caches nothing. */
const UNKEPT = 256;

let kept = 0;
let generation = 0;

/**
 * Caches the text of frozen rows. A store that freezes its rows returns the same object for a row until the row is
 * written.
 */
export function keepTexts(write: (row: Row) => string): (row: Row) => string {
  let texts: WeakMap<Row, string> | undefined;
  let own = generation;
  let count = 0;
  return (row) => {
    if (count < UNKEPT) {
      count += 1;
      return write(row);
    }
    if (texts === undefined || own !== generation) {
      texts = new WeakMap();
      own = generation;
    }
    const before = texts.get(row);
    if (before !== undefined) return before;
    const written = write(row);
    if (!Object.isFrozen(row)) return written;
    const text = inOnePiece(written);
    texts.set(row, text);
    kept += text.length + OVERHEAD;
    if (kept > MAX_CHARACTERS) {
      kept = 0;
      generation += 1;
    }
    return text;
  };
}

/** A concatenated string refers to its parts, and each response would have to flatten it again. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
