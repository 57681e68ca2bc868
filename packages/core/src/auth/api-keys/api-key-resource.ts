import { z } from "zod";
import { defineResource } from "../../definition/define-resource.ts";
import { now } from "../../definition/generated.ts";
import type { Access } from "../../definition/resource.ts";
import { deny, owner } from "../../definition/rules.ts";
import type { ApiKey } from "./key-store.ts";

type Row = { -readonly [K in keyof ApiKey]: ApiKey[K] extends readonly string[] ? string[] : ApiKey[K] } & {
  secretHash: string | null;
  previousHash: string | null;
};

export interface ApiKeyResourceOptions<Name extends string> {
  /** Default `"apiKey"`. */
  readonly name?: Name;
  /** Who may do what through the API. Default: whoever a key belongs to may read it, and nobody may write. */
  readonly access?: Partial<Access<Row, never>>;
}

/**
 * A resource that holds API keys, for `apiKeys({ resource: "apiKey" })`. Of a secret it has the hash alone, in a field that
 * exists in no schema and in no event.
 *
 * @example defineApi({ resources: [book, apiKeyResource()], auth: apiKeys({ resource: "apiKey" }) });
 */
export function apiKeyResource<const Name extends string = "apiKey">(options: ApiKeyResourceOptions<Name> = {}) {
  const time = z.iso.datetime().nullable().default(null);
  return defineResource((options.name ?? "apiKey") as Name, {
    fields: {
      id: z.string().min(1).max(64),
      name: z.string().min(1).max(200),
      principalId: z.string().min(1),
      roles: z.array(z.string()),
      scopes: z.array(z.string()),
      createdAt: z.iso.datetime(),
      expiresAt: time,
      revokedAt: time,
      lastUsedAt: time,
      previousUntil: time,
      secretHash: z.string().nullable(),
      previousHash: z.string().nullable(),
    },
    generated: { createdAt: now() },
    internal: ["secretHash", "previousHash"],
    secret: ["secretHash", "previousHash"],
    immutable: ["id", "principalId"],
    access: { read: owner("principalId"), create: deny, update: deny, delete: deny, ...options.access },
    filterable: ["principalId", "expiresAt", "revokedAt"],
    sortable: ["createdAt"],
  });
}
