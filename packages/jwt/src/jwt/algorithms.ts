import type { KeyObject } from "node:crypto";

/** The supported signature algorithms (RFC 7518 §3.1, RFC 8037, RFC 9864). `none` is never accepted. */
export type JwtAlgorithm =
  | ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512")
  | ("ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519")
  | ("HS256" | "HS384" | "HS512");

interface KeyNeeds {
  /** The key type, as Node names it. */
  readonly type: "secret" | "rsa" | "ec" | "ed25519";
  readonly curve?: string;
  /** Minimum number of bits of an RSA modulus or a secret. */
  readonly bits?: number;
}

const RSA: KeyNeeds = { type: "rsa", bits: 2_048 };
const NEEDS: Readonly<Record<JwtAlgorithm, KeyNeeds>> = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: RSA,
  PS384: RSA,
  PS512: RSA,
  ES256: { type: "ec", curve: "prime256v1" },
  ES384: { type: "ec", curve: "secp384r1" },
  ES512: { type: "ec", curve: "secp521r1" },
  EdDSA: { type: "ed25519" },
  Ed25519: { type: "ed25519" },
  // A secret must be at least as long as the hash (RFC 7518 §3.2).
  HS256: { type: "secret", bits: 256 },
  HS384: { type: "secret", bits: 384 },
  HS512: { type: "secret", bits: 512 },
};

/** Returns the allowed algorithms that fit a key. The key alone decides, and never the token. */
export function algorithmsOf(key: KeyObject, allowed: readonly JwtAlgorithm[]): readonly JwtAlgorithm[] {
  const { type, asymmetricKeyType, asymmetricKeyDetails } = key;
  return allowed.filter((algorithm) => {
    const needs = NEEDS[algorithm];
    if (needs.type === "secret") return type === "secret" && (key.symmetricKeySize ?? 0) * 8 >= (needs.bits ?? 0);
    if (type !== "public" || asymmetricKeyType !== needs.type) return false;
    if (needs.curve !== undefined) return asymmetricKeyDetails?.namedCurve === needs.curve;
    return needs.bits === undefined || (asymmetricKeyDetails?.modulusLength ?? 0) >= needs.bits;
  });
}

/** Throws if the list is empty, contains an unknown algorithm, or mixes secrets with public keys (RFC 8725 §3.1). */
export function checkAlgorithms(algorithms: readonly JwtAlgorithm[] | undefined): void {
  if (algorithms === undefined || algorithms.length === 0)
    throw new Error("'algorithms' must not be empty. List how tokens are signed, such as ['ES256'].");
  const unknown = algorithms.find((algorithm) => !Object.hasOwn(NEEDS, algorithm));
  if (unknown !== undefined)
    throw new Error(`Unknown algorithm '${unknown}'. Supported: ${Object.keys(NEEDS).join(", ")}.`);
  const secret = algorithms.filter((algorithm) => NEEDS[algorithm].type === "secret");
  if (secret.length > 0 && secret.length < algorithms.length) {
    throw new Error(
      "'algorithms' mixes secrets (HS256, HS384, HS512) and public keys (all others). List one kind only.",
    );
  }
}
