import { createPublicKey, createSecretKey, type JsonWebKey, KeyObject } from "node:crypto";
import { algorithmsOf, type JwtAlgorithm } from "./algorithms.ts";

interface Named {
  /** The `kid` of the tokens that it verifies. Default: tokens without `kid`, or all tokens if it is the only key. */
  readonly kid?: string;
  /** The only algorithm that it may be used with. Default: those of `algorithms` that fit. */
  readonly alg?: JwtAlgorithm;
}

/** A configured key: a JWK, a public key in PEM, a key object of Node, or a secret of at least 32 bytes. */
export type JwtKey =
  | PublicJwk
  | (Named & { readonly pem: string })
  | (Named & { readonly key: KeyObject })
  | (Named & { readonly secret: string | Uint8Array });

/** A public key as a JWK (RFC 7517). */
export interface PublicJwk {
  readonly kty: string;
  readonly kid?: string | undefined;
  readonly alg?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
}

/** A key and the algorithms that it may be used with. */
export interface VerificationKey {
  readonly kid: string | undefined;
  readonly algorithms: readonly JwtAlgorithm[];
  /** A JWK, because workerd can't convert key objects of Node for Web Crypto. */
  readonly jwk: JsonWebKey;
}

/** Throws if the key supports no allowed algorithm. */
export function toVerificationKey(given: JwtKey, allowed: readonly JwtAlgorithm[]): VerificationKey {
  const key = importKey(given);
  const { alg, kid } = given;
  const algorithms = algorithmsOf(key, alg === undefined ? allowed : allowed.filter((one) => one === alg));
  if (algorithms.length === 0) {
    const name = kid === undefined ? "" : ` '${kid}'`;
    const size = key.symmetricKeySize ?? 0;
    const mistake =
      key.type === "secret" && size < 32
        ? `The secret${name} has ${size} bytes, but needs at least 32. If it comes from an environment variable, check that it is set.`
        : `The key${name} doesn't fit any of the configured algorithms: ${allowed.join(", ")}.`;
    throw new Error(mistake);
  }
  return { kid, algorithms, jwk: key.export({ format: "jwk" }) };
}

function importKey(given: JwtKey): KeyObject {
  if ("secret" in given) {
    const secret = Buffer.from(given.secret as string);
    // Otherwise anyone who has the public key could sign tokens (RFC 8725 §2.1).
    if (/-----BEGIN|"kty"/.test(secret.toString("latin1")))
      throw new Error("'secret' must not be a key in PEM or JWK format. Pass 'pem' or a JWK instead.");
    return createSecretKey(secret);
  }
  if ("pem" in given) {
    if (given.pem.includes("PRIVATE KEY"))
      throw new Error("A private key is not needed to verify tokens. Pass the public key instead.");
    return createPublicKey(given.pem);
  }
  if ("key" in given && given.key instanceof KeyObject) {
    return given.key.type === "private" ? createPublicKey(given.key) : given.key;
  }
  const jwk = { ...given } as JsonWebKey;
  if (jwk.d !== undefined || jwk.k !== undefined)
    throw new Error("A private key is not needed to verify tokens. Pass the public key instead.");
  return createPublicKey({ key: jwk, format: "jwk" });
}

/**
 * Returns the only key that can have signed a token. Returns `undefined` if there are several, because keys are never tried in
 * turn. A token without `kid` requires that exactly one key fits.
 */
export function selectKey(
  keys: readonly VerificationKey[],
  kid: string | undefined,
  algorithm: string,
): VerificationKey | undefined {
  const fitting = keys.filter((key) => (key.algorithms as readonly string[]).includes(algorithm));
  const named = kid === undefined ? fitting : fitting.filter((key) => key.kid === kid);
  // If the only key has no `kid`, it matches every `kid`.
  const chosen = named.length === 0 && fitting.length === 1 && fitting[0]?.kid === undefined ? fitting : named;
  return chosen.length === 1 ? chosen[0] : undefined;
}
