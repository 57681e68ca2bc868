import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, DefinitionError, defineResource, memoryIdempotency } from "../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
// As untyped JavaScript could pass it.
const define = (options: object): unknown => defineApi(options as { readonly resources: [typeof note] });
const resources = [note];

test.each<[object, string, string]>([
  [{}, "resources", "Expected a list; received undefined."],
  [{ resources, authentication: [] }, "defineApi.authentication", "Unknown option 'authentication'."],
  [{ resources, limits: { query: { timout: 5 } } }, "limits.query.timout", "Did you mean 'timeout'?"],
  [{ resources, limits: { timeout: 5 } }, "limits.timeout", "Write limits: { query: { timeout } }."],
  [{ resources, title: "Notes" }, "defineApi.title", "Write info: { title }."],
  [{ resources, info: { titl: "Notes" } }, "info.titl", "Did you mean 'title'?"],
  [{ resources, limits: { https: {} } }, "limits.https", "Did you mean 'http'?"],
  [{ resources, limits: { query: 5 } }, "limits.query", "Expected an object; received a number."],
  [
    { resources, limits: { query: { timeout: "5s" } } },
    "limits.query.timeout",
    "Expected a number; received a string.",
  ],
  [{ resources, graphql: { graphigl: true } }, "graphql.graphigl", "Did you mean 'graphiql'?"],
  [{ resources, cors: { origin: "*" } }, "cors.origins", "The origins are missing."],
  [{ resources, auth: { key: "x" } }, "auth", "Expected an authenticator or a list of them; received an object."],
  [{ resources, auth: [{}] }, "auth[0]", "Expected an authenticator; received an object."],
  [{ resources, store: "sqlite:x.db" }, "store", "Expected a store; received a string."],
  [{ resources, stores: { note: {} } }, "stores.note", "Expected a store; received an object."],
  [{ resources, cors: true }, "cors", 'Pass { origins: ["https://app.example.com"] }, or { origins: "*" }.'],
  [{ resources, events: "redis://localhost" }, "events", "Pass a bus, such as redisBus({ url })"],
  [{ resources, rateLimit: true }, "rateLimit", "Pass rateLimit({ … }) from @bifocal/core/rate-limit, or false."],
  [{ resources, docs: () => {} }, "docs", "Pass scalar() from @bifocal/scalar"],
  [{ resources, graphql: { graphiql: true } }, "graphql.graphiql", "Pass graphiql() from @bifocal/graphiql."],
  [{ resources, trustedProxies: true }, "trustedProxies", 'Pass addresses and networks: ["10.0.0.0/8"]'],
  [{ resources, trustedProxies: [null] }, "trustedProxies", "Expected a list of strings; received a list."],
  [
    { resources, formats: ["csv"] },
    "formats[0]",
    "Expected a format with a 'mediaType' in lower case; received a string.",
  ],
  [{ resources, formats: "csv" }, "formats", 'Pass formats from "@bifocal/core/formats": [csv, htmlPages].'],
  [{ resources, formats: [null] }, "formats[0]", "received null."],
  [
    { resources, formats: [{ mediaType: "Text/CSV" }] },
    "formats[0]",
    "Expected a format with a 'mediaType' in lower case",
  ],
  [{ resources, openapi: "3.0" }, "openapi", 'Expected "3.1" or "3.2"; received "3.0".'],
  [{ resources, openapi: 3.1 }, "openapi", 'Expected "3.1" or "3.2"; received 3.1.'],
  [{ resources, log: false }, "log", "Expected a log; received a boolean."],
  [{ resources, log: { error: () => {} } }, "log", "Pass an object with these methods: console, or silentLog."],
  [{ resources, warnings: "off" }, "warnings", "Expected true, false or an object; received a string."],
  [{ resources, warnings: ["introspection"] }, "warnings", '{ except: ["introspection"] }'],
  [{ resources, warnings: { except: "introspection" } }, "warnings.except", "Expected a list of strings;"],
  [{ resources, warnings: { expect: [] } }, "warnings.expect", "Did you mean 'except'?"],
  [{ resources, secret: 5 }, "secret", "Expected a string; received a number."],
  [{ resources, secret: null }, "secret", "Expected a string; received null."],
  // Each of these texts would have turned the option on.
  [{ resources, introspection: "false" }, "introspection", "Expected true or false; received a string."],
  [{ resources, developerPages: "false" }, "developerPages", 'process.env.DEBUG === "true"'],
  [{ resources, explain: "no" }, "explain", "Expected true or false; received a string."],
  [{ resources, graphql: { introspection: "false" } }, "graphql.introspection", "Expected true or false;"],
  [{ resources, cors: { origins: [], credentials: "false" } }, "cors.credentials", "Expected true or false;"],
  [{ resources, serverTiming: "private" }, "serverTiming", 'Expected true, false or "public"; received "private".'],
  [
    { resources, graphql: { status: "2026" } },
    "graphql.status",
    'Expected "classic" or "draft-2026"; received "2026".',
  ],
  [{ resources, graphql: { persisted: { document: {} } } }, "graphql.persisted.document", "Did you mean 'documents'?"],
  [
    { resources, graphql: { persisted: { documents: { a: 5 } } } },
    "graphql.persisted.documents.a",
    "Expected a string;",
  ],
  [
    { resources, graphql: { extend: null } },
    "graphql.extend",
    "Pass { typeDefs, resolvers }, or a list of such objects.",
  ],
  [{ resources, graphql: { extend: { typedefs: "" } } }, "graphql.extend.typedefs", "Did you mean 'typeDefs'?"],
  [{ resources, graphql: { extend: [{ typeDefs: 5 }] } }, "graphql.extend[0].typeDefs", "Expected a string or a list"],
  [{ resources, info: { title: 5 } }, "info.title", "Expected a string; received a number."],
  [{ resources, info: { license: "MIT" } }, "info.license", 'Pass { name: "MIT" }.'],
  [{ resources, info: { contact: { mail: "a@b.example" } } }, "info.contact.mail", "Did you mean 'email'?"],
  [{ resources, cors: { origins: "https://a.example" } }, "cors.origins", 'a list of strings, "*" or a function;'],
  [
    { resources, cors: { origins: [], headers: "X-Tenant" } },
    "cors.headers",
    "Expected a list of strings; received a string.",
  ],
  [
    { resources, cors: { origins: [], maxAge: "600" } },
    "cors.maxAge",
    "Expected a number of at least 0; received a string.",
  ],
  [{ resources, events: { pol: 5 } }, "events.pol", "Did you mean 'poll'?"],
  [{ resources, events: { bus: {} } }, "events.bus", "Expected a bus; received an object."],
  [{ resources, events: Promise.resolve() }, "events", "received a promise. Await it first."],
  [{ resources, events: { keep: NaN } }, "events.keep", "Expected a number of at least 0; received NaN."],
  [{ resources, limits: { query: { cost: NaN } } }, "limits.query.cost", "Expected a number; received NaN."],
  [
    { resources, idempotency: { store: {} } },
    "idempotency.store",
    "Pass memoryIdempotency(), or sqlIdempotency({ … })",
  ],
  [{ resources, idempotency: { ttl: "1d" } }, "idempotency.ttl", "Pass seconds: { ttl: 86_400 }."],
  [{ resources, idempotency: memoryIdempotency() }, "idempotency.claim", "Available: store, ttl."],
  [{ resources, rateLimit: { points: 5 } }, "rateLimit", "Expected a rate limiter or false; received an object."],
  [{ resources, telemetry: {} }, "telemetry", "Expected a telemetry; received an object."],
  [{ resources, docs: {} }, "docs", "Expected a page; received an object."],
  [[note], "defineApi", "Pass { resources: [author, book] }."],
])("rejects %j by name", (options, at, text) => {
  expect(() => define(options)).toThrow(DefinitionError);
  expect(() => define(options)).toThrow(at);
  expect(() => define(options)).toThrow(text);
});

test("uses the default for a limit of undefined", () => {
  expect(() => define({ resources, limits: { query: { timeout: undefined } } })).not.toThrow();
});

test("accepts resource names that are members of Object.prototype", () => {
  const named = defineResource("constructor", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  expect(() => define({ resources: [named] })).not.toThrow();
});
