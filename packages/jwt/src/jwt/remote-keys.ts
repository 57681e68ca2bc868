import { Refreshed } from "../outbound/refreshed.ts";
import { requestJson } from "../outbound/request-json.ts";
import type { JwtAlgorithm } from "./algorithms.ts";
import { type PublicJwk, selectKey, toVerificationKey, type VerificationKey } from "./verification-key.ts";

export type FindKey = (kid: string | undefined, algorithm: string) => Promise<VerificationKey | undefined>;

/** Where a set of keys is, and how that is known. */
export interface JwksPlace {
  readonly url: URL;
  readonly origin: "named" | "found";
}

/** Milliseconds. */
export interface JwksTimes {
  /** How long a set is kept. Default ten minutes. */
  readonly age?: number;
  /** How soon it may be asked for again, for a `kid` that is not in it. Default 30 seconds. */
  readonly cooldown?: number;
  /** How long the keys of the last set are good while there is no newer one. Default a day. */
  readonly stale?: number;
  /** For one answer. Default 5 seconds. */
  readonly timeout?: number;
}

const MOST_KEYS = 100;

/** Keys by a JWK Set of the issuer's (RFC 7517 §5). A `kid` is looked for in the set, and nowhere else. */
export function remoteKeys(
  place: () => Promise<JwksPlace>,
  algorithms: readonly JwtAlgorithm[],
  { age = 600_000, cooldown = 30_000, stale = 86_400_000, timeout = 5_000 }: JwksTimes = {},
): FindKey {
  const load = async (): Promise<readonly VerificationKey[]> =>
    readSet(await requestJson({ ...(await place()), timeout }), algorithms);
  const set = new Refreshed(load, { age, cooldown, stale });
  return async (kid, algorithm) => {
    const known = selectKey(await set.get(), kid, algorithm);
    if (known !== undefined) return known;
    // The issuer may have begun to sign with a new one.
    await set.renew();
    return selectKey(await set.get(), kid, algorithm);
  };
}

/** The keys of a set that are public, for signatures, and fit. Throws where there are none, or far too many: then the old set is kept. */
function readSet(set: unknown, algorithms: readonly JwtAlgorithm[]): readonly VerificationKey[] {
  const keys = (set as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw new Error("What came is no set of keys.");
  const usable = keys.flatMap((jwk: unknown) => readKey(jwk, algorithms));
  if (usable.length === 0) throw new Error("None of the keys in the set can be used.");
  return usable;
}

function readKey(jwk: unknown, algorithms: readonly JwtAlgorithm[]): readonly VerificationKey[] {
  if (typeof jwk !== "object" || jwk === null) return [];
  const { use, key_ops: operations, kid } = jwk as Readonly<Record<string, unknown>>;
  if (use !== undefined && use !== "sig") return [];
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return [];
  if (kid !== undefined && typeof kid !== "string") return [];
  try {
    return [toVerificationKey(jwk as PublicJwk, algorithms)];
  } catch {
    // One that is secret, private, off its curve, too small or of another kind is as if it were not there.
    return [];
  }
}
