import { BifocalError } from "../../errors/bifocal-error.ts";
import { checkPrincipal } from "../../definition/principal.ts";
import { checkCallOptions, kindOf } from "../../util/check-call.ts";
import { hashSecret, makeId, makeSecret, writeKey } from "./key-format.ts";
import { type ApiKey, type KeyRing, type StoredKey, withoutHashes } from "./key-store.ts";

const DAY = 86_400;
/** In seconds. */
const LIFETIME = 90 * DAY;
const LONG = "The API key is valid for more than 90 days. Set an earlier expiry and rotate the key before then.";

/** An API that stores its keys. */
export interface WithKeys {
  readonly "~keys": KeyRing | undefined;
}

export interface NewApiKey {
  /** A name for people. */
  readonly name: string;
  /** The id of the principal that the key authenticates. */
  readonly principalId: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** When the key expires; `null` means never. Default: in 90 days. A later expiry logs a warning. */
  readonly expiresAt?: Date | null;
}

/** A new key with its text, which cannot be retrieved later. */
export interface IssuedApiKey extends ApiKey {
  readonly key: string;
}

export interface RotateOptions {
  /** Seconds for which the old secret remains valid. Default: one day. 0 ends it immediately. */
  readonly overlap?: number;
  /** When the key expires. Default: in 90 days, or never if it never expired before. */
  readonly expiresAt?: Date | null;
}

/** Creates an API key. Only the result contains the text of the key. */
export async function createApiKey(api: WithKeys, input: NewApiKey): Promise<IssuedApiKey> {
  const { store, prefix } = ringOf(api);
  checkCallOptions("createApiKey", input, {
    name: true,
    principalId: true,
    roles: true,
    scopes: true,
    expiresAt: true,
  });
  const { name, principalId, roles = [], scopes = [], expiresAt = after(LIFETIME) } = input;
  for (const [option, value] of Object.entries({ name, principalId }))
    if (typeof value !== "string" || value === "")
      throw new TypeError(
        `createApiKey() needs '${option}': { name: "CI", principalId: "ann" }; received ${value === "" ? "an empty string" : kindOf(value)}.`,
      );
  checkPrincipal("the principal of an API key", { id: principalId, roles, scopes });
  checkExpiry("createApiKey", expiresAt);
  const [id, secret] = [makeId(), makeSecret()];
  const times = { createdAt: new Date().toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  const unused = { revokedAt: null, lastUsedAt: null, previousUntil: null };
  const key: ApiKey = { id, name, principalId, roles, scopes, ...times, ...unused };
  await store.create({ ...key, secretHash: hashSecret(secret), previousHash: null });
  warnOfLength(api, key);
  return { ...key, key: writeKey(prefix, { id, secret }) };
}

/** Lists the API keys of one principal or all keys, newest first. */
export async function listApiKeys(
  api: WithKeys,
  query: { readonly principalId?: string } = {},
): Promise<readonly ApiKey[]> {
  checkCallOptions("listApiKeys", query, { principalId: "a string" });
  return (await ringOf(api).store.list(query)).map(withoutHashes);
}

/** Revokes a key. Further requests with it return 401, and its sockets are closed. Throws NOT_FOUND. */
export async function revokeApiKey(api: WithKeys, id: string): Promise<ApiKey> {
  const { store } = ringOf(api);
  const key = await requireKey(api, id);
  if (key.revokedAt !== null) return withoutHashes(key);
  const revokedAt = new Date().toISOString();
  await store.update(id, { revokedAt });
  return { ...withoutHashes(key), revokedAt };
}

/**
 * Gives a key a new secret. The old one remains valid for a while, so that clients can switch without downtime. Throws
 * NOT_FOUND or CONFLICT.
 */
export async function rotateApiKey(api: WithKeys, id: string, options: RotateOptions = {}): Promise<IssuedApiKey> {
  const { store, prefix } = ringOf(api);
  checkCallOptions("rotateApiKey", options, { overlap: "a number of at least 0", expiresAt: true });
  checkExpiry("rotateApiKey", options.expiresAt);
  const key = await requireKey(api, id);
  if (key.revokedAt !== null) throw new BifocalError("CONFLICT", "The API key was revoked. Create a new one.");
  const { overlap = DAY, expiresAt = key.expiresAt === null ? null : after(LIFETIME) } = options;
  const secret = makeSecret();
  const oldEnd = Math.min(after(overlap).getTime(), key.expiresAt === null ? Infinity : Date.parse(key.expiresAt));
  const changes = {
    secretHash: hashSecret(secret),
    previousHash: key.secretHash,
    previousUntil: new Date(oldEnd).toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
  if (!(await store.update(id, changes, { secretHash: key.secretHash }))) {
    throw new BifocalError("CONFLICT", "The API key was rotated by another request at the same time.");
  }
  warnOfLength(api, { ...key, ...changes });
  return { ...withoutHashes({ ...key, ...changes }), key: writeKey(prefix, { id, secret }) };
}

function warnOfLength(api: WithKeys, { id, expiresAt }: ApiKey): void {
  if (expiresAt === null || Date.parse(expiresAt) > after(LIFETIME).getTime())
    ringOf(api).warn(LONG, { id, expiresAt });
}

async function requireKey(api: WithKeys, id: string): Promise<StoredKey> {
  const key = await ringOf(api).store.get(id);
  if (key === undefined) throw new BifocalError("NOT_FOUND", "There is no API key with this id.");
  return key;
}

function ringOf(api: WithKeys): KeyRing {
  const ring = api["~keys"];
  if (ring === undefined) throw new Error("API keys are not enabled. Set auth: apiKeys({ resource: … }).");
  return ring;
}

function after(seconds: number): Date {
  return new Date(Date.now() + seconds * 1_000);
}

/** Throws a `TypeError` unless a time of expiry is absent, null or a valid date. */
function checkExpiry(call: string, expiresAt: unknown): void {
  if (expiresAt === undefined || expiresAt === null) return;
  if (expiresAt instanceof Date && !Number.isNaN(expiresAt.getTime())) return;
  const received = expiresAt instanceof Date ? "an invalid Date" : kindOf(expiresAt);
  throw new TypeError(
    `The option 'expiresAt' of ${call}() must be a Date, or null for no expiry; received ${received}.`,
  );
}
