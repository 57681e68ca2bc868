import type { Principal } from "../../definition/principal.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Log } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { checkCallOptions } from "../../util/check-call.ts";
import { memoizeFor } from "./memoize-for.ts";
import type { Authenticated, Authenticator } from "../authenticator.ts";
import { challengeOf } from "../challenge.ts";
import { bearerToken, credentialIn } from "../credentials.ts";
import { isSameCaller } from "../same-caller.ts";
import { hashSecret, isSameHash, parseKey } from "./key-format.ts";
import { type ApiKey, type KeyRing, type KeyStore, type StoredKey, withoutHashes } from "./key-store.ts";
import { ResourceKeyStore } from "./resource-key-store.ts";

export interface StoredKeysOptions {
  /** The name of the API's resource that stores the keys: `apiKeyResource()`. */
  readonly resource?: string;
  /** A store of your own, instead of a resource. */
  readonly store?: KeyStore;
  /** The header that carries the key. Default: `X-API-Key`. */
  readonly header?: string;
  /** Whether keys are also accepted as `Authorization: Bearer`. Default: false. */
  readonly bearer?: boolean;
  /** The prefix of keys, in lower-case letters and digits. Default: `bk`. */
  readonly prefix?: string;
  /** Minimum number of seconds between two updates of a key's last use. Default: the last use is not recorded. */
  readonly lastUsed?: number;
  /** Returns the principal for a key, or `null` to reject the key. Default: `{ id: principalId, roles, scopes }`. */
  readonly principal?: (key: ApiKey) => MaybePromise<Principal | null>;
}

export interface StoredKeysAuthenticator extends Authenticator {
  readonly "~keys": KeyRing;
}

/** Milliseconds for which the result of rechecking a key is shared by the sockets and streams that it opened. */
const SHARED = 2_000;
/** Compared with if the key doesn't exist, so that the check takes the same time as for a wrong secret. */
const NO_HASH = hashSecret("");

/** Authenticates by keys whose hashes are stored. */
export function storedKeys(options: StoredKeysOptions): StoredKeysAuthenticator {
  checkCallOptions("apiKeys", options, {
    resource: "a string",
    store: "an object",
    header: "a string",
    bearer: "true or false",
    prefix: "a string",
    lastUsed: "a number of at least 0",
    principal: "a function",
  });
  const { resource = "apiKey", header = "X-API-Key", prefix = "bk", bearer = false, lastUsed } = options;
  if (!/^[a-z][a-z0-9]{0,15}$/.test(prefix))
    throw new Error(`'${prefix}' is not a valid API key prefix. Use letters and digits.`);
  const own = new ResourceKeyStore(resource);
  const { store = own } = options;
  const principalOf = options.principal ?? toPrincipal;
  const readAgain = memoizeFor(SHARED, async (id: string) => store.get(id));
  const used = new Map<string, number>();
  let log: Log | undefined;

  /** Throws UNAUTHENTICATED. The message for an unknown id is the same as for a wrong secret. */
  async function check(key: StoredKey | undefined, hash: string): Promise<Authenticated> {
    const isCurrent = isSameHash(hash, key?.secretHash ?? NO_HASH);
    const isPrevious = isSameHash(hash, key?.previousHash ?? NO_HASH);
    if (key === undefined || !(isCurrent || isPrevious)) throw refused("The API key is invalid.");
    if (key.revokedAt !== null) throw refused("The API key was revoked.");
    const ends = [key.expiresAt, isCurrent ? null : (key.previousUntil ?? new Date(0).toISOString())].flatMap((time) =>
      time === null ? [] : [Date.parse(time)],
    );
    // An invalid date counts as expired.
    if (ends.some((end) => !(end > Date.now()))) throw refused("The API key has expired.");
    const principal = await principalOf(withoutHashes(key));
    if (principal === null) throw refused("The API key's owner is not allowed to call this API.");
    return ends.length === 0 ? { principal } : { principal, expires: new Date(Math.min(...ends)) };
  }

  function noteUse({ id }: StoredKey): void {
    const now = Date.now();
    if (lastUsed === undefined || now - (used.get(id) ?? 0) < lastUsed * 1_000) return;
    used.set(id, now);
    const fail = (cause: unknown): void => log?.warn("The last use of an API key could not be recorded.", { cause });
    void Promise.resolve(store.update(id, { lastUsedAt: new Date(now).toISOString() })).catch(fail);
  }

  return {
    "~keys": { store, prefix, warn: (message, details) => log?.warn(message, details) },
    challenge: bearer ? "Bearer" : challengeOf("ApiKey", { header }),
    headers: bearer ? ["Authorization", header] : [header],
    schemes: {
      apiKey: { type: "apiKey", in: "header", name: header },
      ...(bearer ? { bearer: { type: "http", scheme: "bearer", description: "An API key." } } : {}),
    },
    open: (host) => {
      ({ log } = host);
      if (store === own) own.open(host);
    },
    async authenticate(credentials, source) {
      const text = credentialIn(credentials, header) ?? (bearer ? bearerToken(credentials) : undefined);
      const parts = text === undefined ? undefined : parseKey(prefix, text);
      if (parts === undefined) return null;
      const hash = hashSecret(parts.secret);
      const look = async (): Promise<Authenticated> => {
        const key = await store.get(parts.id);
        const found = await check(key, hash);
        if (key !== undefined) noteUse(key);
        return found;
      };
      const known = await (source === undefined ? look() : source.lookUp(`${parts.id} ${hash}`, look));
      const recheck = async (): Promise<boolean> => {
        const { principal } = await check(await readAgain(parts.id), hash);
        return isSameCaller(known.principal, principal);
      };
      return { ...known, recheck };
    },
  };
}

function toPrincipal({ principalId, roles, scopes }: ApiKey): Principal {
  return { id: principalId, roles, scopes };
}

function refused(message: string): BifocalError {
  return new BifocalError("UNAUTHENTICATED", message);
}
