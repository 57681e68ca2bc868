import type { Principal } from "../../definition/principal.ts";
import type { Authenticator } from "../authenticator.ts";
import type { KeyRing } from "./key-store.ts";
import { staticKeys } from "./static-keys.ts";
import { storedKeys, type StoredKeysAuthenticator, type StoredKeysOptions } from "./stored-keys.ts";

/**
 * API keys. Either those that the application knows, each with its principal, which travel as `Authorization: Bearer KEY` or
 * `X-API-Key: KEY`; or those of a resource, of which hashes are stored, made by `createApiKey`.
 *
 * Throws for a key that is empty or `undefined`: one that was never set.
 *
 * @example apiKeys({ [process.env.ADMIN_KEY]: { id: "ann", roles: ["admin"] } })
 * @example apiKeys({ resource: "apiKey" })
 */
export function apiKeys(
  options: StoredKeysOptions & ({ resource: string } | { store: object }),
): StoredKeysAuthenticator;
export function apiKeys(keys: Readonly<Record<string, Principal>>): Authenticator;
export function apiKeys(given: StoredKeysOptions | Readonly<Record<string, Principal>>): Authenticator {
  return isOptions(given) ? storedKeys(given) : staticKeys(given);
}

/** A principal is neither a name nor a store, whatever its key is called. */
function isOptions(given: StoredKeysOptions | Readonly<Record<string, Principal>>): given is StoredKeysOptions {
  const { resource, store } = given;
  return typeof resource === "string" || (typeof store === "object" && "get" in store);
}

/** The stored keys among the authenticators of an API. */
export function keyRingOf(authenticators: readonly Authenticator[]): KeyRing | undefined {
  return authenticators
    .map((one) => (one as Partial<StoredKeysAuthenticator>)["~keys"])
    .find((ring) => ring !== undefined);
}
