import { randomFillSync } from "./crypto.ts";

/** Number of ids for which random bytes are requested at once. */
const BATCH = 128;
const BYTES = 16;
const DIGITS = Buffer.from("0123456789abcdef");

const random = Buffer.alloc(BATCH * BYTES);
let used = random.length;
/** The text of an id. Its hyphens stay, and its digits are replaced. */
const text = Buffer.from("00000000-0000-4000-8000-000000000000");

/**
 * Returns a random UUID, version 4 (RFC 9562). Node composes the one of `randomUUID` from 20 strings, and V8 copies them into
 * one when the id becomes the key of a `Map`, which takes several times as long.
 */
export function createUuid(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  let at = 0;
  for (let index = 0; index < BYTES; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) at++;
    const byte = withVersion(index, random[used++] as number);
    text[at++] = DIGITS[byte >> 4] as number;
    text[at++] = DIGITS[byte & 15] as number;
  }
  return text.toString("latin1");
}

/** Sets the bits of the version and the variant (RFC 9562 §5.4). */
function withVersion(index: number, byte: number): number {
  if (index === 6) return 0x40 | (byte & 0x0f);
  return index === 8 ? 0x80 | (byte & 0x3f) : byte;
}
