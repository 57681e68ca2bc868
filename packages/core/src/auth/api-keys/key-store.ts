import type { LogDetails } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";

/** An API key without its secret. Times are in RFC 3339 format, in UTC. */
export interface ApiKey {
  /** The part of the key between the prefix and the secret. It is not secret. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** The id of the principal that the key authenticates. */
  readonly principalId: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** `null` if the key never expires. */
  readonly expiresAt: string | null;
  /** When the key was revoked; otherwise `null`. */
  readonly revokedAt: string | null;
  /** Approximate time of the last use, if it is recorded. */
  readonly lastUsedAt: string | null;
  /** When the secret before the last rotation expires. */
  readonly previousUntil: string | null;
}

/** An API key as it is stored, with hashes of its secrets. */
export interface StoredKey extends ApiKey {
  readonly secretHash: string;
  readonly previousHash: string | null;
}

/** Stores API keys. Methods reject if the store is unavailable. */
export interface KeyStore {
  get(id: string): MaybePromise<StoredKey | undefined>;
  /** Lists the keys of one principal or all keys, newest first. */
  list(query: { readonly principalId?: string }): MaybePromise<readonly StoredKey[]>;
  create(key: StoredKey): MaybePromise<void>;
  /**
   * Updates a key atomically. With `expected`, only if its current secret has this hash, so that of two concurrent
   * rotations one fails. Returns `false` if nothing was updated, because the hash differs or the key doesn't exist.
   */
  update(id: string, changes: Partial<StoredKey>, expected?: Pick<StoredKey, "secretHash">): MaybePromise<boolean>;
}

/** A store, and the prefix of the keys that are created in it. */
export interface KeyRing {
  readonly store: KeyStore;
  readonly prefix: string;
  /** Called for keys with a long lifetime. */
  readonly warn: (message: string, details: LogDetails) => void;
}

export function withoutHashes(key: StoredKey): ApiKey {
  const { secretHash: _, previousHash: __, ...shown } = key;
  return shown;
}
