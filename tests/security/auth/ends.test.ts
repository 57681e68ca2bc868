import {
  allow,
  apiKeys,
  type Authenticator,
  defineApi,
  apiKeyResource,
  defineResource,
  deny,
  silentLog,
} from "@bifocal/core";
import { jwt } from "@bifocal/jwt";
import { SignJWT } from "jose";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { ADAPTERS, type Served } from "../access/doors.ts";

const note = defineResource("note", {
  fields: { id: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

/** Returns the status and the challenge for a caller with this key or these headers. */
async function ask(auth: Authenticator, shown: string | Record<string, string>): Promise<readonly [number, string]> {
  const api = defineApi({ resources: [note], auth, log: silentLog });
  const served = await (ADAPTERS["node-http"] as (given: typeof api) => Promise<Served>)(api);
  try {
    const response = await fetch(`${served.url}/notes`, {
      headers: typeof shown === "string" ? { "x-api-key": shown } : shown,
    });
    return [response.status, await response.text()];
  } finally {
    await served.close();
  }
}

const until = (expires: Date): Authenticator => ({
  challenge: "ApiKey",
  headers: ["X-API-Key"],
  schemes: {},
  authenticate: ({ headers }) => (headers["x-api-key"] === undefined ? null : { principal: { id: "ann" }, expires }),
});

test.each([
  ["to come", new Date(Date.now() + 60_000), 200],
  ["past", new Date(Date.now() - 1), 401],
  ["the earliest date", new Date(0), 401],
  ["an invalid date", new Date(Number.NaN), 401],
])("checks an expiry from an authenticator: %s", async (_what, expires, status) => {
  expect(await ask(until(expires), "any")).toMatchObject([status, expect.any(String)]);
});

test.each([
  ["to come", new Date(Date.now() + 60_000).toISOString(), 200],
  ["past", new Date(Date.now() - 1).toISOString(), 401],
  ["an invalid date", "tomorrow", 401],
])("checks an expiry from a key store: %s", async (_what, expiresAt, status) => {
  const secret = "s".repeat(43);
  const none = { revokedAt: null, lastUsedAt: null, previousUntil: null, previousHash: null };
  const row = {
    ...none,
    id: "0".repeat(20),
    name: "n",
    principalId: "ann",
    roles: [],
    scopes: [],
    createdAt: new Date(0).toISOString(),
    expiresAt,
    secretHash: createHash("sha256").update(secret).digest("base64url"),
  };
  const store = {
    get: () => Promise.resolve(row),
    list: () => Promise.resolve([]),
    create: async () => {},
    update: () => Promise.resolve(true),
  };
  expect(await ask(apiKeys({ store }), `bk_${row.id}_${secret}`)).toMatchObject([status, expect.any(String)]);
});

test.each([
  ["as the schema requires", { tenant: "north" }, "ann", 200],
  ["of another type", { tenant: 5 }, "ann", 401],
  ["missing", {}, "ann", 401],
  ["for a caller who is not allowed", { tenant: "north" }, "ben", 401],
])("checks claims of a token: %s", async (_what, claims, subject, status) => {
  const secret = "s".repeat(32);
  const token = new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setSubject(subject);
  token.setIssuer("https://id.example.com").setAudience("https://api.example.com").setExpirationTime("1m");
  const auth = jwt({
    issuer: "https://id.example.com",
    audience: "https://api.example.com",
    algorithms: ["HS256"],
    keys: [{ secret }],
    claims: z.object({ tenant: z.string() }),
    isActive: ({ id }) => id === "ann",
  });
  const shown = { authorization: `Bearer ${await token.sign(Buffer.from(secret))}` };
  expect(await ask(auth, shown)).toMatchObject([status, expect.any(String)]);
});

test("reports an unknown key as such", async () => {
  const [status, text] = await ask(apiKeys({ ["k".repeat(32)]: { id: "ann" } }), "other");
  expect([status, text]).toEqual([401, expect.stringContaining("Invalid API key or token.")]);
});

test("refuses to store keys in a resource whose hashes could be read", () => {
  const texts = ["id", "name", "principalId", "secretHash", "previousHash"];
  const times = ["createdAt", "expiresAt", "revokedAt", "lastUsedAt", "previousUntil"];
  const lists = Object.fromEntries(["roles", "scopes"].map((name) => [name, z.array(z.string())]));
  const open = defineResource("apiKey", {
    fields: { id: z.string(), ...lists, ...Object.fromEntries([...texts, ...times].map((name) => [name, z.string()])) },
    access: { read: allow, create: deny, update: deny, delete: deny },
  });
  expect(() => defineApi({ resources: [open], auth: apiKeys({ resource: "apiKey" }) })).toThrow(/must be internal/);
  const { graphql } = defineApi({ resources: [apiKeyResource()], auth: apiKeys({ resource: "apiKey" }) });
  expect(graphql.sdl()).not.toMatch(/hash/i);
});
