import { createPublicKey, createSecretKey, type JsonWebKey, KeyObject } from "node:crypto";
import { algorithmsOf, type JwtAlgorithm } from "./algorithms.ts";

interface Named {
  /** Which tokens it is for, by their `kid`. Default: those that name none, or where it is the only key. */
  readonly kid?: string;
  /** The one algorithm that it is for. Default: those of `algorithms` that it fits. */
  readonly alg?: JwtAlgorithm;
}

/** A key that stands in the configuration: a JWK, a public key in PEM, a key object of Node's, or a secret of at least 32 bytes. */
export type JwtKey =
  | PublicJwk
  | (Named & { readonly pem: string })
  | (Named & { readonly key: KeyObject })
  | (Named & { readonly secret: string | Uint8Array });

/** A public key as RFC 7517 writes it. */
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

/** A key with what it is good for. */
export interface VerificationKey {
  readonly kid: string | undefined;
  readonly algorithms: readonly JwtAlgorithm[];
  readonly key: KeyObject;
}

/** Throws for a key that nothing can be verified with. */
export function toVerificationKey(given: JwtKey, allowed: readonly JwtAlgorithm[]): VerificationKey {
  const key = importKey(given);
  const { alg, kid } = given;
  const algorithms = algorithmsOf(key, alg === undefined ? allowed : allowed.filter((one) => one === alg));
  if (algorithms.length === 0) {
    throw new Error(
      `A key${kid === undefined ? "" : ` ('${kid}')`} fits none of the algorithms ${allowed.join(", ")}.`,
    );
  }
  return { kid, algorithms, key };
}

function importKey(given: JwtKey): KeyObject {
  if ("secret" in given) {
    const secret = Buffer.from(given.secret as string);
    // Whoever has the public key could sign with it (RFC 8725 §2.1).
    if (/-----BEGIN|"kty"/.test(secret.toString("latin1"))) throw new Error("A secret is no key in PEM or JWK.");
    return createSecretKey(secret);
  }
  if ("pem" in given) {
    if (given.pem.includes("PRIVATE KEY")) throw new Error("What verifies tokens needs the public key alone.");
    return createPublicKey(given.pem);
  }
  if ("key" in given && given.key instanceof KeyObject) {
    return given.key.type === "private" ? createPublicKey(given.key) : given.key;
  }
  const jwk = { ...given } as JsonWebKey;
  if (jwk.d !== undefined || jwk.k !== undefined) throw new Error("What verifies tokens needs the public key alone.");
  return createPublicKey({ key: jwk, format: "jwk" });
}

/**
 * The one key of a set that a token may be signed with. None where there are several: which it is must not be tried out. A
 * token without `kid` needs a set in which one key fits.
 */
export function selectKey(
  keys: readonly VerificationKey[],
  kid: string | undefined,
  algorithm: string,
): VerificationKey | undefined {
  const fitting = keys.filter((key) => (key.algorithms as readonly string[]).includes(algorithm));
  const named = kid === undefined ? fitting : fitting.filter((key) => key.kid === kid);
  // Where the only key has no name, every name means it.
  const chosen = named.length === 0 && fitting.length === 1 && fitting[0]?.kid === undefined ? fitting : named;
  return chosen.length === 1 ? chosen[0] : undefined;
}
