import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const ID_BYTES = 10;
const SECRET_BYTES = 32;
/** 20 hexadecimal digits to find it by, and 256 bits in base64url (RFC 4648 §5). */
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

/** `bk_<id>_<secret>`: the prefix tells scanners what leaked, the id finds the key, the secret proves it. */
export function writeKey(prefix: string, { id, secret }: KeyParts): string {
  return `${prefix}_${id}_${secret}`;
}

/** Undefined: not a key with this prefix. */
export function parseKey(prefix: string, text: string): KeyParts | undefined {
  const [, found, id, secret] = FORM.exec(text) ?? [];
  return found !== prefix || id === undefined || secret === undefined ? undefined : { id, secret };
}

/**
 * What is stored instead of a secret. SHA-256 is enough, where a password needs a slow hash: 256 random bits cannot be
 * guessed however fast one tries, and each request has to be checked.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** In a time that does not depend on how much is equal. */
export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, "base64url"), Buffer.from(other, "base64url")];
  return left.length === right.length && timingSafeEqual(left, right);
}
