import { createCipheriv, createDecipheriv, createHash, randomBytes } from "../runtime/crypto.ts";

/** Creates the name of a new log: 128 random bits, which are never sent to clients. */
export function createLogName(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * Returns the id of a change: its offset in the log, encrypted with the log's name. Offsets also count changes that a
 * subscriber cannot see, so they must stay secret. A change always has the same id.
 */
export function eventId(log: string, offset: number): string {
  const block = Buffer.alloc(BLOCK);
  block.writeUIntBE(offset, BLOCK - OFFSET_BYTES, OFFSET_BYTES);
  return createCipheriv(CIPHER, keyOf(log), null).setAutoPadding(false).update(block).toString("base64url");
}

/** Returns the offset in an id, or undefined if the id doesn't belong to this log. */
export function offsetOf(log: string, id: string): number | undefined {
  const enciphered = Buffer.from(id, "base64url");
  if (enciphered.length !== BLOCK || enciphered.toString("base64url") !== id) return undefined;
  const block = createDecipheriv(CIPHER, keyOf(log), null).setAutoPadding(false).update(enciphered);
  // Decryption with another key would not result in ten zero bytes.
  if (block.subarray(0, BLOCK - OFFSET_BYTES).some((byte) => byte !== 0)) return undefined;
  return block.readUIntBE(BLOCK - OFFSET_BYTES, OFFSET_BYTES);
}

/** A single block, so ECB does not chain: each offset is encrypted independently. */
const CIPHER = "aes-128-ecb";
const BLOCK = 16;
/** Integers up to 2^48. */
const OFFSET_BYTES = 6;

let last: { readonly log: string; readonly key: Buffer } | undefined;

function keyOf(log: string): Buffer {
  if (last?.log !== log) last = { log, key: createHash("sha256").update(log).digest().subarray(0, BLOCK) };
  return last.key;
}
