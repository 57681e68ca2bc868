import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, DefinitionError, defineResource } from "../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
// As untyped JavaScript could pass it.
const define = (options: object): unknown => defineApi(options as { readonly resources: [typeof note] });
const resources = [note];

test.each<[object, string, string]>([
  [{}, "resources", "Expected a list."],
  [{ resources, authentication: [] }, "defineApi.authentication", "Unknown option 'authentication'."],
  [{ resources, limits: { query: { timout: 5 } } }, "limits.query.timout", "Did you mean 'timeout'?"],
  [{ resources, limits: { timeout: 5 } }, "limits.timeout", "Write limits: { query: { timeout } }."],
  [{ resources, title: "Notes" }, "defineApi.title", "Write info: { title }."],
  [{ resources, info: { titl: "Notes" } }, "info.titl", "Did you mean 'title'?"],
  [{ resources, limits: { https: {} } }, "limits.https", "Did you mean 'http'?"],
  [{ resources, limits: { query: 5 } }, "limits.query", "Expected an object."],
  [{ resources, limits: { query: { timeout: "5s" } } }, "limits.query.timeout", "Expected a number."],
  [{ resources, graphql: { graphigl: true } }, "graphql.graphigl", "Did you mean 'graphiql'?"],
  [{ resources, cors: { origin: "*" } }, "cors.origins", "The origins are missing."],
  [{ resources, auth: { key: "x" } }, "auth", "Expected an authenticator."],
  [{ resources, auth: [{}] }, "auth", "Expected an authenticator."],
  [{ resources, store: "sqlite:x.db" }, "store", "Expected a store."],
  [{ resources, stores: { note: {} } }, "stores.note", "Expected a store."],
  [{ resources, cors: true }, "cors", 'Pass { origins: ["https://app.example.com"] }, or { origins: "*" }.'],
  [{ resources, events: "redis://localhost" }, "events", "Pass a bus, such as redisBus({ url })"],
  [{ resources, rateLimit: true }, "rateLimit", "Pass rateLimit({ … }) from @bifocal/core/rate-limit, or false."],
  [{ resources, docs: () => {} }, "docs", "Pass scalar() from @bifocal/scalar"],
  [{ resources, graphql: { graphiql: true } }, "graphql.graphiql", "Pass graphiql() from @bifocal/graphiql."],
  [{ resources, trustedProxies: true }, "trustedProxies", 'Pass addresses and networks: ["10.0.0.0/8"]'],
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
