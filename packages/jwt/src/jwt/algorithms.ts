import type { KeyObject } from "node:crypto";

/** How a token may be signed (RFC 7518 §3.1, RFC 8037, RFC 9864). `none` is not among them. */
export type JwtAlgorithm =
  | ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512")
  | ("ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519")
  | ("HS256" | "HS384" | "HS512");

interface KeyNeeds {
  /** What Node calls the kind of key. */
  readonly type: "secret" | "rsa" | "ec" | "ed25519";
  readonly curve?: string;
  /** Of an RSA modulus or a secret: bits. */
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
  // A secret is to be as long as the hash (RFC 7518 §3.2).
  HS256: { type: "secret", bits: 256 },
  HS384: { type: "secret", bits: 384 },
  HS512: { type: "secret", bits: 512 },
};

/** Which of the algorithms a key is good for: what it is decides, and never what a token says. */
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

/** Throws for a list that is empty, names what there is not, or mixes secrets with public keys (RFC 8725 §3.1). */
export function checkAlgorithms(algorithms: readonly JwtAlgorithm[]): void {
  if (algorithms.length === 0) throw new Error("'algorithms' is to list how tokens are signed: ['RS256'], say.");
  const unknown = algorithms.find((algorithm) => !Object.hasOwn(NEEDS, algorithm));
  if (unknown !== undefined) throw new Error(`'${unknown}' is no algorithm for tokens.`);
  const secret = algorithms.filter((algorithm) => NEEDS[algorithm].type === "secret");
  if (secret.length > 0 && secret.length < algorithms.length) {
    throw new Error("Tokens are signed with a secret (HS…) or with a private key (the others), and not with either.");
  }
}
