import { z } from "zod";
import { defineResource } from "../../definition/define-resource.ts";
import { now } from "../../definition/generated.ts";
import type { Access } from "../../definition/resource-config.ts";
import type { RuleContext } from "../../definition/rule.ts";
import { deny, owner } from "../../definition/rules.ts";
import { checkCallOptions } from "../../util/check-call.ts";
import type { ApiKey } from "./key-store.ts";

type Row = { -readonly [K in keyof ApiKey]: ApiKey[K] extends readonly string[] ? string[] : ApiKey[K] } & {
  secretHash: string | null;
  previousHash: string | null;
};

export interface ApiKeyResourceOptions<Name extends string> {
  /** Default: `"apiKey"`. */
  readonly name?: Name;
  /**
   * Access rules for the API. Default: the principal that a key belongs to can read it, and all writes are denied. If
   * you allow `create`, callers can give a key only their own id, roles and scopes, unless `fields` has a `write` rule
   * for these. The roles, scopes and expiry of a key can never change through the API. Its other times can change only
   * through a `write` rule in `fields`.
   */
  readonly access?: Partial<Access<Row, never>>;
}

/** A key never has more rights than its creator. Its times are set by the server only. */
const FIELD_RULES = {
  principalId: {
    write: ({ principal, input }: RuleContext) => principal !== null && input?.["principalId"] === principal.id,
  },
  roles: { write: ({ principal, input }: RuleContext) => holds(principal?.roles, input?.["roles"]) },
  scopes: { write: ({ principal, input }: RuleContext) => holds(principal?.scopes, input?.["scopes"]) },
  revokedAt: { write: deny },
  lastUsedAt: { write: deny },
  previousUntil: { write: deny },
};

function holds(own: readonly string[] = [], given: unknown): boolean {
  return Array.isArray(given) && given.every((one) => own.includes(String(one)));
}

/**
 * Creates a resource that stores API keys, for `apiKeys({ resource: "apiKey" })`. It stores only the hash of a secret,
 * in a field that is part of no schema and no event.
 *
 * @example defineApi({ resources: [book, apiKeyResource()], auth: apiKeys({ resource: "apiKey" }) });
 */
export function apiKeyResource<const Name extends string = "apiKey">(options: ApiKeyResourceOptions<Name> = {}) {
  checkCallOptions("apiKeyResource", options, { name: "a string", access: "an object" });
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
    immutable: ["id", "principalId", "roles", "scopes", "expiresAt"],
    access: {
      read: owner("principalId"),
      create: deny,
      update: deny,
      delete: deny,
      ...options.access,
      fields: { ...FIELD_RULES, ...options.access?.fields },
    },
    filterable: ["principalId", "expiresAt", "revokedAt"],
    sortable: ["createdAt"],
  });
}
