import { apiKeyResource, apiKeys, createApiKey, defineApi, memoryIdempotency, memoryStore } from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { apiConsole } from "@bifocal/console";
import { bunSockets } from "@bifocal/fetch";
import { graphiql } from "@bifocal/graphiql";
import { jwt, oauth } from "@bifocal/jwt";
import { openTelemetry } from "@bifocal/opentelemetry";
import { redisBus, redisIdempotency, redisRateLimits } from "@bifocal/redis";
import { scalar } from "@bifocal/scalar";
import { sqlIdempotency } from "@bifocal/sql";
import { swaggerUi } from "@bifocal/swagger-ui";
import { expect, test } from "vitest";

type Call = (options?: unknown) => unknown;

/** Functions with the name of one of their options. */
const CALLS: Readonly<Record<string, readonly [call: Call, option: string]>> = {
  memoryStore: [memoryStore as Call, "data"],
  memoryIdempotency: [memoryIdempotency as Call, "bytes"],
  rateLimit: [rateLimit as Call, "anonymousPoints"],
  apiConsole: [apiConsole as Call, "css"],
  graphiql: [graphiql as Call, "query"],
  scalar: [scalar as Call, "color"],
  swaggerUi: [swaggerUi as Call, "oauth"],
  jwt: [jwt as Call, "audience"],
  oauth: [oauth as Call, "resource"],
  openTelemetry: [openTelemetry as Call, "documents"],
  redisBus: [redisBus as Call, "channel"],
  redisIdempotency: [redisIdempotency as Call, "prefix"],
  redisRateLimits: [redisRateLimits as Call, "url"],
  sqlIdempotency: [sqlIdempotency as Call, "table"],
};

test.each(Object.entries(CALLS))("%s rejects options without types that it would ignore", (name, [call, option]) => {
  const misspelled = `${option.slice(0, -1)}_${option.slice(-1)}`;
  expect(() => call({ [misspelled]: "x" })).toThrow(
    `${name}() has no option '${misspelled}'. Did you mean '${option}'? Available: `,
  );
  expect(() => call(null)).toThrow(`The options of ${name}() must be an object; received null.`);
});

test("bunSockets rejects a value that isn't an API", () => {
  expect(() => bunSockets({} as never)).toThrow("bunSockets() must receive an API, the result of defineApi();");
});

test("rateLimit rejects values that it would treat as others", () => {
  expect(() => rateLimit({ whenDown: "reject" } as never)).toThrow(
    "The option 'whenDown' of rateLimit() must be 'count', 'refuse' or 'allow'; received 'reject'.",
  );
  expect(() => rateLimit({ by: "ip" } as never)).toThrow(
    "The option 'by' of rateLimit() must be 'principal', 'address' or a function; received 'ip'.",
  );
});

test("apiKeys and createApiKey reject options without types that they would ignore", async () => {
  expect(() => apiKeys({ resource: "apiKey", lastUse: 60 } as never)).toThrow(
    "apiKeys() has no option 'lastUse'. Did you mean 'lastUsed'? Available: resource, store, ",
  );
  const api = defineApi({ resources: [apiKeyResource()], auth: apiKeys({ resource: "apiKey" }), warnings: false });
  await expect(createApiKey(api, { name: "CI", principalId: "ann", role: ["x"] } as never)).rejects.toThrow(
    "createApiKey() has no option 'role'. Did you mean 'roles'? Available: name, principalId, roles, scopes, expiresAt.",
  );
  await expect(createApiKey(api, { name: "CI" } as never)).rejects.toThrow(
    `createApiKey() needs 'principalId': { name: "CI", principalId: "ann" }; received undefined.`,
  );
  await expect(createApiKey(api, { name: "CI", principalId: "ann", roles: "editor" } as never)).rejects.toThrow(
    "'roles' of the principal of an API key must be a list of strings",
  );
});

test.each([
  ["a name", "ann", 'must be an object with an \'id\', such as { id: "ann", roles: ["editor"] }; received a string.'],
  ["no id", { roles: ["editor"] }, 'must be a string, such as { id: "ann", roles: ["editor"] }; received undefined.'],
  ["a number as id", { id: 1 }, "received a number."],
  ["an empty id", { id: "" }, "received an empty one."],
  // "superadmin" contains "admin".
  ["a role without a list", { id: "ann", roles: "superadmin" }, "'roles' of the principal of "],
  ["scopes as one text", { id: "ann", scopes: "books:read books:write" }, "must be a list of strings"],
])("principals with %s are rejected where the code lists them", (_, principal, message) => {
  expect(() => apiKeys({ "a-key-with-22-characters": principal } as never)).toThrow(message);
  const api = defineApi({ resources: [apiKeyResource()], warnings: false });
  expect(() => api.as(principal as never)).toThrow(message);
});

test("apiKeys rejects a list, whose indexes would be keys", () => {
  expect(() => apiKeys(["a-key-with-22-characters"] as never)).toThrow(
    "apiKeys() must receive an object that maps each key to its principal, or { resource }; received a list.",
  );
});
