import { BifocalError } from "../../errors/bifocal-error.ts";
import { hashSecret, makeId, makeSecret, writeKey } from "./key-format.ts";
import { type ApiKey, type KeyRing, type StoredKey, withoutHashes } from "./key-store.ts";

const DAY = 86_400;
/** Seconds. */
const LIFETIME = 90 * DAY;
const LONG = "The API key is valid for more than 90 days. Set an earlier expiry and rotate the key before then.";

/** An API whose keys are kept in a store. */
export interface WithKeys {
  readonly "~keys": KeyRing | undefined;
}

export interface NewApiKey {
  /** What people call it. */
  readonly name: string;
  /** Who calls by it. */
  readonly principalId: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** `null`: never. Default: in 90 days; what is later is told to the log. */
  readonly expiresAt?: Date | null;
}

/** A key with its text, which is shown this once. */
export interface IssuedApiKey extends ApiKey {
  readonly key: string;
}

export interface RotateOptions {
  /** For how many seconds the old secret stays good. Default a day; 0 ends it at once. */
  readonly overlap?: number;
  /** When the key ends. Default: in 90 days, or never where it never did. */
  readonly expiresAt?: Date | null;
}

/** Makes an API key. Its text is in the answer and nowhere else. */
export async function createApiKey(api: WithKeys, input: NewApiKey): Promise<IssuedApiKey> {
  const { store, prefix } = ringOf(api);
  const { name, principalId, roles = [], scopes = [], expiresAt = after(LIFETIME) } = input;
  const [id, secret] = [makeId(), makeSecret()];
  const times = { createdAt: new Date().toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  const unused = { revokedAt: null, lastUsedAt: null, previousUntil: null };
  const key: ApiKey = { id, name, principalId, roles, scopes, ...times, ...unused };
  await store.create({ ...key, secretHash: hashSecret(secret), previousHash: null });
  warnOfLength(api, key);
  return { ...key, key: writeKey(prefix, { id, secret }) };
}

/** The API keys, the newest first; of one principal, or all. */
export async function listApiKeys(
  api: WithKeys,
  query: { readonly principalId?: string } = {},
): Promise<readonly ApiKey[]> {
  return (await ringOf(api).store.list(query)).map(withoutHashes);
}

/** Takes a key back: requests by it are 401 from now on, and its sockets close. Throws NOT_FOUND. */
export async function revokeApiKey(api: WithKeys, id: string): Promise<ApiKey> {
  const { store } = ringOf(api);
  const key = await requireKey(api, id);
  if (key.revokedAt !== null) return withoutHashes(key);
  const revokedAt = new Date().toISOString();
  await store.update(id, { revokedAt });
  return { ...withoutHashes(key), revokedAt };
}

/** Gives a key a new secret; the old one stays good for a while, so that nobody is cut off. Throws NOT_FOUND, CONFLICT. */
export async function rotateApiKey(api: WithKeys, id: string, options: RotateOptions = {}): Promise<IssuedApiKey> {
  const { store, prefix } = ringOf(api);
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
