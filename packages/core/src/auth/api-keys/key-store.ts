import type { LogDetails } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";

/** An API key without its secret. Times are RFC 3339 in UTC. */
export interface ApiKey {
  /** The part of the key between prefix and secret; no secret itself. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** Who calls by it. */
  readonly principalId: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  readonly createdAt: string;
  /** `null`: never. */
  readonly expiresAt: string | null;
  /** When it was taken back. */
  readonly revokedAt: string | null;
  /** Roughly, where that is noted. */
  readonly lastUsedAt: string | null;
  /** Until when the secret before the last rotation is good. */
  readonly previousUntil: string | null;
}

/** An API key as it is stored: with hashes of its secrets. */
export interface StoredKey extends ApiKey {
  readonly secretHash: string;
  readonly previousHash: string | null;
}

/** Where API keys are. Rejects where it is out of reach. */
export interface KeyStore {
  get(id: string): MaybePromise<StoredKey | undefined>;
  /** The newest first; of one principal, or all. */
  list(query: { readonly principalId?: string }): MaybePromise<readonly StoredKey[]>;
  create(key: StoredKey): MaybePromise<void>;
  /**
   * Changes a key in one step. With `expected` only while its secret has this hash: of two rotations at once one is to know.
   * `false`: nothing was changed, because it has another, or there is no such key.
   */
  update(id: string, changes: Partial<StoredKey>, expected?: Pick<StoredKey, "secretHash">): MaybePromise<boolean>;
}

/** A store with the prefix of the keys that are made for it. */
export interface KeyRing {
  readonly store: KeyStore;
  readonly prefix: string;
  /** Told of keys that live long. */
  readonly warn: (message: string, details: LogDetails) => void;
}

export function withoutHashes(key: StoredKey): ApiKey {
  const { secretHash: _, previousHash: __, ...shown } = key;
  return shown;
}
