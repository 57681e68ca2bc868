import { createHash, randomBytes, timingSafeEqual } from "../../runtime/crypto.ts";

const ID_BYTES = 10;
const SECRET_BYTES = 32;
/** The id has 20 hexadecimal digits; the secret has 256 bits in base64url (RFC 4648 §5). */
const FORM = /^([a-z][a-z0-9]{0,15})_([0-9a-f]{20})_([A-Za-z0-9_-]{43})$/;

export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

export function makeId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * Formats a key as `bk_<id>_<secret>`. Secret scanners recognize leaked keys by the prefix. The id finds the key, and
 * the secret proves possession.
 */
export function writeKey(prefix: string, { id, secret }: KeyParts): string {
  return `${prefix}_${id}_${secret}`;
}

/** Returns undefined if the text is not a key with this prefix. */
export function parseKey(prefix: string, text: string): KeyParts | undefined {
  const [, found, id, secret] = FORM.exec(text) ?? [];
  return found !== prefix || id === undefined || secret === undefined ? undefined : { id, secret };
}

/**
 * Hashes a secret for storage. Unlike passwords, 256 random bits cannot be guessed, so a fast hash is enough, and each
 * request computes it.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, "base64url"), Buffer.from(other, "base64url")];
  return left.length === right.length && timingSafeEqual(left, right);
}
