import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** A name for a log that begins: 128 random bits, which no client is told. */
export function createLogName(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The id of a change: its place in the log, enciphered by the log's name. Places count all changes, also those that a
 * subscriber may not see, so nobody is told them. The same change has the same id always.
 */
export function eventId(log: string, place: number): string {
  const block = Buffer.alloc(BLOCK);
  block.writeUIntBE(place, BLOCK - PLACE_BYTES, PLACE_BYTES);
  return createCipheriv(CIPHER, keyOf(log), null).setAutoPadding(false).update(block).toString("base64url");
}

/** The place in an id of this log; undefined in any other. */
export function placeOf(log: string, id: string): number | undefined {
  const enciphered = Buffer.from(id, "base64url");
  if (enciphered.length !== BLOCK || enciphered.toString("base64url") !== id) return undefined;
  const block = createDecipheriv(CIPHER, keyOf(log), null).setAutoPadding(false).update(enciphered);
  // Ten bytes that are zero are what another key does not give.
  if (block.subarray(0, BLOCK - PLACE_BYTES).some((byte) => byte !== 0)) return undefined;
  return block.readUIntBE(BLOCK - PLACE_BYTES, PLACE_BYTES);
}

/** One block, so nothing is chained: each place is enciphered by itself. */
const CIPHER = "aes-128-ecb";
const BLOCK = 16;
/** Whole numbers up to 2^48. */
const PLACE_BYTES = 6;

let last: { readonly log: string; readonly key: Buffer } | undefined;

function keyOf(log: string): Buffer {
  if (last?.log !== log) last = { log, key: createHash("sha256").update(log).digest().subarray(0, BLOCK) };
  return last.key;
}
