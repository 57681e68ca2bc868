import type { Principal } from "../../definition/principal.ts";
import type { Authenticator } from "../authenticator.ts";
import { staticKeys } from "./static-keys.ts";
import { storedKeys, type StoredKeysAuthenticator, type StoredKeysOptions } from "./stored-keys.ts";

/**
 * Authenticates by API keys. Static keys are listed in the code, each with its principal, and are sent as
 * `Authorization: Bearer KEY` or `X-API-Key: KEY`. Stored keys are created with `createApiKey`; a resource stores their
 * hashes.
 *
 * Throws if a key is empty or `undefined`, for example because an environment variable is not set.
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

/** A principal is an object without a `get` method, so a key called `resource` or `store` causes no confusion. */
function isOptions(given: StoredKeysOptions | Readonly<Record<string, Principal>>): given is StoredKeysOptions {
  if (typeof given !== "object" || given === null) return false;
  const { resource, store } = given;
  return typeof resource === "string" || (typeof store === "object" && store !== null && "get" in store);
}
