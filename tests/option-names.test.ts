import {
  apiKeyResource,
  apiKeys,
  createApiKey,
  defineApi,
  listApiKeys,
  memoryIdempotency,
  memoryStore,
  principalFrom,
  rotateApiKey,
} from "@bifocal/core";
import { createHtmlPages } from "@bifocal/core/formats";
import { rateLimit } from "@bifocal/core/rate-limit";
import { apiConsole } from "@bifocal/console";
import { expressRouter } from "@bifocal/express";
import { bunSockets, denoSockets, fetchHandler } from "@bifocal/fetch";
import { graphiql } from "@bifocal/graphiql";
import { jwt, oauth } from "@bifocal/jwt";
import { natsBus } from "@bifocal/nats";
import { nodeHttp } from "@bifocal/node-http";
import { openTelemetry } from "@bifocal/opentelemetry";
import { redisBus, redisIdempotency, redisRateLimits } from "@bifocal/redis";
import { scalar } from "@bifocal/scalar";
import { postgresBus, sqlIdempotency, sqlStore } from "@bifocal/sql";
import { swaggerUi } from "@bifocal/swagger-ui";
import { auditRest } from "@bifocal/testing";
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

const api = defineApi({ resources: [apiKeyResource()], warnings: false });
const token = { issuer: "https://id.example.com", algorithms: ["ES256"] };

test.each<[name: string, call: () => unknown, message: string]>([
  [
    "memoryStore",
    () => memoryStore({ data: [] } as never),
    "'data' of memoryStore() must be an object; received a list.",
  ],
  [
    "memoryIdempotency",
    () => memoryIdempotency({ max: "5" } as never),
    "must be a number of at least 0; received a string.",
  ],
  [
    "rateLimit",
    () => rateLimit({ store: "redis" } as never),
    "'store' of rateLimit() must be an object; received a string.",
  ],
  ["apiConsole", () => apiConsole({ css: 5 } as never), "'css' of apiConsole() must be a string; received a number."],
  [
    "graphiql",
    () => graphiql({ headers: "x" } as never),
    "'headers' of graphiql() must be an object; received a string.",
  ],
  ["scalar", () => scalar({ mark: null } as never), "'mark' of scalar() must be a string; received null."],
  [
    "swaggerUi",
    () => swaggerUi({ oauth: true } as never),
    "'oauth' of swaggerUi() must be an object; received a boolean.",
  ],
  [
    "createHtmlPages",
    () => createHtmlPages({ nam: "x" } as never),
    "createHtmlPages() has no option 'nam'. Did you mean 'name'?",
  ],
  [
    "createHtmlPages",
    () => createHtmlPages({ imageOrigins: "x" } as never),
    "must be a list of strings; received a string.",
  ],
  [
    "apiKeyResource",
    () => apiKeyResource({ acces: {} } as never),
    "apiKeyResource() has no option 'acces'. Did you mean 'access'?",
  ],
  [
    "apiKeys",
    () => apiKeys({ resource: "apiKey", bearer: "false" } as never),
    "'bearer' of apiKeys() must be true or false;",
  ],
  [
    "apiKeys",
    () => apiKeys({ resource: "apiKey", lastUsed: NaN }),
    "'lastUsed' of apiKeys() must be a number of at least 0;",
  ],
  [
    "principalFrom",
    () => principalFrom({} as never),
    "principalFrom() must receive a function of the request; received an object.",
  ],
  [
    "principalFrom",
    () => principalFrom(() => null, { headers: "Cookie" } as never),
    "must be a list of strings; received a string.",
  ],
  [
    "jwt",
    () => jwt({ ...token, audience: "a", jwksUrl: "https://id.example.com/jwks", isActive: true } as never),
    "'isActive' of jwt() must be a function; received a boolean.",
  ],
  [
    "oauth",
    () => oauth({ ...token, resource: "https://a.example", hosts: "b.example" } as never),
    "'hosts' of oauth() must be a list of strings;",
  ],
  [
    "oauth",
    () => oauth({ algorithms: ["ES256"] } as never),
    "oauth() needs 'issuer', such as { issuer: \"https://id.example.com\" }.",
  ],
  [
    "openTelemetry",
    () => openTelemetry({ documents: "true" } as never),
    "'documents' of openTelemetry() must be true or false;",
  ],
  ["redisBus", () => redisBus({} as never), "redisBus() needs 'url', such as { url: \"redis://localhost\" }."],
  [
    "redisIdempotency",
    () => redisIdempotency({ url: "" }),
    "If it comes from an environment variable, check that it is set.",
  ],
  ["redisRateLimits", () => redisRateLimits({ url: undefined } as never), "redisRateLimits() needs 'url'"],
  ["natsBus", () => natsBus({} as never), "natsBus() needs 'servers', such as { servers: \"nats://localhost\" }."],
  ["natsBus", () => natsBus(null as never), "The options of natsBus() must be an object"],
  ["postgresBus", () => postgresBus({ url: "postgres://localhost", chanel: "x" } as never), "Did you mean 'channel'?"],
  [
    "sqlIdempotency",
    () => sqlIdempotency({} as never),
    "sqlIdempotency() needs 'url', such as { url: \"postgres://localhost/books\" }.",
  ],
  [
    "sqlStore",
    () => sqlStore({ url: ":memory:", autoCreate: "false" } as never),
    "'autoCreate' of sqlStore() must be true or false;",
  ],
  [
    "sqlStore",
    () => sqlStore({ url: ":memory:", max: "20" } as never),
    "'max' of sqlStore() must be a number of at least 0;",
  ],
  [
    "expressRouter",
    () => expressRouter(api, { notFound: "false" } as never),
    "'notFound' of expressRouter() must be true or false;",
  ],
  [
    "fetchHandler",
    () => fetchHandler(api, { sockets: denoSockets } as never),
    "'sockets' of fetchHandler() must be an object; received a function.",
  ],
  [
    "fetchHandler",
    () => fetchHandler(api, { prefix: null } as never),
    "'prefix' of fetchHandler() must be a string; received null.",
  ],
  [
    "nodeHttp",
    () => nodeHttp(api, { fallback: {} } as never),
    "'fallback' of nodeHttp() must be a function; received an object.",
  ],
])("%s rejects a wrong option (%#)", (_, call, message) => {
  expect(call).toThrow(message);
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

test("functions for API keys reject times that aren't dates, and unknown options", async () => {
  const api = defineApi({ resources: [apiKeyResource()], auth: apiKeys({ resource: "apiKey" }), warnings: false });
  const create = async (expiresAt: unknown): Promise<unknown> =>
    createApiKey(api, { name: "CI", principalId: "ann", expiresAt } as never);
  const message = "The option 'expiresAt' of createApiKey() must be a Date, or null for no expiry; received";
  await expect(create("2027-01-01")).rejects.toThrow(`${message} a string.`);
  await expect(create(3_600)).rejects.toThrow(`${message} a number.`);
  await expect(create(new Date("soon"))).rejects.toThrow(`${message} an invalid Date.`);
  const { id } = await createApiKey(api, { name: "CI", principalId: "ann" });
  const rotate = async (options: object): Promise<unknown> => rotateApiKey(api, id, options);
  // It would list the keys of all principals.
  await expect(listApiKeys(api, { principalID: "ann" } as never)).rejects.toThrow("Did you mean 'principalId'?");
  await expect(rotate({ overlp: 0 })).rejects.toThrow("rotateApiKey() has no option 'overlp'. Did you mean 'overlap'?");
  await expect(rotate({ overlap: "0" })).rejects.toThrow("must be a number of at least 0; received a string.");
  await expect(rotate({ overlap: -1 })).rejects.toThrow("must be a number of at least 0; received a number.");
  await expect(rotate({ expiresAt: "never" })).rejects.toThrow("'expiresAt' of rotateApiKey() must be a Date");
});

test("auditRest rejects a missing URL and unknown options", async () => {
  await expect(auditRest({} as never)).rejects.toThrow("auditRest() needs 'url', such as");
  await expect(auditRest({ ulr: "x" } as never)).rejects.toThrow("Did you mean 'url'?");
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
