import type { Row } from "../../model/model.ts";

/** Characters that are kept in all; beyond it everything is let go, and what is asked for again is kept anew. */
const MOST = 16_777_216;
/** Estimated overhead of an entry, in characters. */
const OVERHEAD = 64;

/** Rows that are written before any is kept: a document that is asked once pays for no memory of it. */
const UNKEPT = 256;

let kept = 0;
let generation = 0;

/**
 * Remembers what was written of a row that cannot change any more: nothing serializes faster than what is not
 * serialized again. A store that freezes its rows answers a row by the same object until it is written.
 */
export function keepTexts(write: (row: Row) => string): (row: Row) => string {
  let texts = new WeakMap<Row, string>();
  let own = generation;
  let count = 0;
  return (row) => {
    if (count < UNKEPT) {
      count += 1;
      return write(row);
    }
    if (own !== generation) {
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
    if (kept > MOST) {
      kept = 0;
      generation += 1;
    }
    return text;
  };
}

/** What was put together of many texts refers to all of them, and each answer that it stands in would go through them again. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
