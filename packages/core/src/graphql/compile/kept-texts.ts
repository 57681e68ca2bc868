/** Maximum number of characters in all caches. When it is exceeded, the caches are emptied. */
const MAX_CHARACTERS = 16_777_216;
/** Estimated overhead of an entry, in characters. */
const OVERHEAD = 64;

/** Number of values that are written before the cache starts, so that a document that runs once caches nothing. */
const UNKEPT = 256;

/** Number of values that skip the cache after a value that isn't frozen, because a store freezes all rows or none. */
const UNCHECKED = 63;

let kept = 0;
let generation = 0;

/** Returns `text` with a value appended. */
type Append<Value> = (text: string, value: Value) => string;

/**
 * Caches the text of frozen rows, or of frozen lists of rows. A store that freezes them returns the same object until a
 * row is written.
 */
export function keepTexts<Value extends object>(write: Append<Value>): Append<Value> {
  let texts: WeakMap<Value, string> | undefined;
  let own = generation;
  let unchecked = UNKEPT;
  return (text, value) => {
    if (unchecked > 0) {
      unchecked -= 1;
      return write(text, value);
    }
    if (!Object.isFrozen(value)) {
      unchecked = UNCHECKED;
      return write(text, value);
    }
    if (texts === undefined || own !== generation) {
      texts = new WeakMap();
      own = generation;
    }
    const before = texts.get(value);
    if (before !== undefined) return text + before;
    const written = inOnePiece(write("", value));
    texts.set(value, written);
    kept += written.length + OVERHEAD;
    if (kept > MAX_CHARACTERS) {
      kept = 0;
      generation += 1;
    }
    return text + written;
  };
}

/** A concatenated string refers to its parts, and each response would have to flatten it again. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
