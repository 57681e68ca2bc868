/** Maximum number of characters in all caches. When it is exceeded, the caches are emptied. */
const MAX_CHARACTERS = 16_777_216;
/** Estimated overhead of an entry, in characters. */
const OVERHEAD = 64;

/** Number of values that are written before the cache starts, so that a document that runs once caches nothing. */
const UNKEPT = 256;

let kept = 0;
let generation = 0;

/**
 * Caches the text of frozen rows, or of frozen lists of rows. A store that freezes them returns the same object until a
 * row is written.
 */
export function keepTexts<Value extends object>(write: (value: Value) => string): (value: Value) => string {
  let texts: WeakMap<Value, string> | undefined;
  let own = generation;
  let count = 0;
  return (value) => {
    if (count < UNKEPT) {
      count += 1;
      return write(value);
    }
    if (texts === undefined || own !== generation) {
      texts = new WeakMap();
      own = generation;
    }
    const before = texts.get(value);
    if (before !== undefined) return before;
    const written = write(value);
    if (!Object.isFrozen(value)) return written;
    const text = inOnePiece(written);
    texts.set(value, text);
    kept += text.length + OVERHEAD;
    if (kept > MAX_CHARACTERS) {
      kept = 0;
      generation += 1;
    }
    return text;
  };
}

/** A concatenated string refers to its parts, and each response would have to flatten it again. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
