import { Refreshed } from "../outbound/refreshed.ts";
import type { Fetch } from "../outbound/request-by-fetch.ts";
import { requestJson } from "../outbound/request-json.ts";
import type { JwtAlgorithm } from "./algorithms.ts";
import { type PublicJwk, selectKey, toVerificationKey, type VerificationKey } from "./verification-key.ts";

export type FindKey = (kid: string | undefined, algorithm: string) => Promise<VerificationKey | undefined>;

/** The URL of a set of keys. `named` is from the configuration, `found` from the issuer's metadata. */
export interface JwksPlace {
  readonly url: URL;
  readonly origin: "named" | "found";
}

/** All times are in milliseconds. */
export interface JwksTimes {
  /** How long to cache a set. Default: ten minutes. */
  readonly age?: number;
  /** Minimum time between two requests for the set, if a `kid` is not in it. Default: 30 seconds. */
  readonly cooldown?: number;
  /** How long to use the last set if its server is unreachable. Default: one day. */
  readonly stale?: number;
  /** Timeout of a request. Default: 5 seconds. */
  readonly timeout?: number;
}

const MAX_KEYS = 100;

/** Returns a function that finds keys in the issuer's JWK Set (RFC 7517 §5), and nowhere else. */
export function remoteKeys(
  place: () => Promise<JwksPlace>,
  algorithms: readonly JwtAlgorithm[],
  { age = 600_000, cooldown = 30_000, stale = 86_400_000, timeout = 5_000 }: JwksTimes = {},
  fetch?: Fetch,
): FindKey {
  const load = async (): Promise<readonly VerificationKey[]> =>
    readSet(await requestJson({ ...(await place()), timeout, fetch }), algorithms);
  const set = new Refreshed(load, { age, cooldown, stale });
  return async (kid, algorithm) => {
    const known = selectKey(await set.get(), kid, algorithm);
    if (known !== undefined) return known;
    // The issuer may have started to sign with a new key.
    await set.renew();
    return selectKey(await set.get(), kid, algorithm);
  };
}

/** Returns the public signature keys that fit. Throws if no key fits or the set has too many. The caller then keeps the previous set. */
function readSet(set: unknown, algorithms: readonly JwtAlgorithm[]): readonly VerificationKey[] {
  const keys = (set as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new Error(`The response must be a JWK Set with at most ${MAX_KEYS} keys.`);
  const usable = keys.flatMap((jwk: unknown) => readKey(jwk, algorithms));
  if (usable.length === 0) throw new Error("The set contains no usable key.");
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
    // Ignores keys that are secret, private, invalid, too small or of another type.
    return [];
  }
}
