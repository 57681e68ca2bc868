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
  return keysOf(log).cipher.update(block).toString("base64url");
}

/** Returns the offset in an id, or undefined if the id doesn't belong to this log. */
export function offsetOf(log: string, id: string): number | undefined {
  const enciphered = Buffer.from(id, "base64url");
  if (enciphered.length !== BLOCK || enciphered.toString("base64url") !== id) return undefined;
  const block = createDecipheriv(CIPHER, keysOf(log).key, null).setAutoPadding(false).update(enciphered);
  // Decryption with another key would not result in ten zero bytes.
  if (block.subarray(0, BLOCK - OFFSET_BYTES).some((byte) => byte !== 0)) return undefined;
  return block.readUIntBE(BLOCK - OFFSET_BYTES, OFFSET_BYTES);
}

/** A single block, so ECB does not chain: each offset is encrypted independently. */
const CIPHER = "aes-128-ecb";
const BLOCK = 16;
/** Integers up to 2^48. */
const OFFSET_BYTES = 6;

interface Keys {
  readonly log: string;
  readonly key: Buffer;
  /** Used again, because creating one takes much longer than encrypting a block. */
  readonly cipher: ReturnType<typeof createCipheriv>;
}

let last: Keys | undefined;

function keysOf(log: string): Keys {
  if (last?.log !== log) {
    const key = createHash("sha256").update(log).digest().subarray(0, BLOCK);
    last = { log, key, cipher: createCipheriv(CIPHER, key, null).setAutoPadding(false) };
  }
  return last;
}
