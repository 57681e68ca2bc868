import {
  allow,
  type Authenticator,
  defineApi,
  defineResource,
  hasRole,
  memoryStore,
  principalFrom,
} from "@bifocal/core";
import { graphql } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import { DOORS } from "./doors.ts";
import { ADAPTERS } from "./serve.ts";

/** A rule as applications write them: `includes` of a text finds parts of it, and `undefined` is not null. */
const caller = defineResource("caller", {
  fields: { id: z.int32(), name: z.string() },
  filterable: ["name"],
  access: {
    read: ({ principal }) =>
      principal === null ? { name: { eq: "nobody" } } : (principal.roles?.includes("admin") ?? true),
    create: hasRole("admin"),
    update: allow,
    delete: allow,
  },
});

function createApi(auth: Authenticator) {
  const logged: unknown[] = [];
  const write = (_message: string, details?: unknown): void => void logged.push(details);
  const log = { info: () => {}, warn: write, error: write };
  const store = memoryStore({ data: { caller: ["root", "nobody"].map((name, id) => ({ id, name })) } });
  return { api: defineApi({ resources: [caller], store, auth, log, warnings: false }), logged };
}

/** Returns what each door shows, and the first logged cause. */
async function seen(answer: unknown): Promise<{ readonly seen: readonly unknown[]; readonly cause: string }> {
  const { api, logged } = createApi(principalFrom(() => answer as never));
  const served = await ADAPTERS["node-http"](api);
  const shown = await Promise.all(Object.values(DOORS).map((door) => door(served.url, { cookie: "session=1" })));
  await served.close();
  const [first] = logged as readonly { readonly cause?: Error }[];
  return { seen: [...new Set(shown)], cause: String(first?.cause?.message) };
}

/** A query as database clients create it: it can be awaited, but isn't a `Promise`. */
function queryFor(found: unknown): object {
  // oxlint-disable-next-line unicorn/no-thenable -- The subject of the test.
  return Object.defineProperty({}, "then", { value: (resolve: (value: unknown) => void) => resolve(found) });
}

const id = "ann";
test.each<[what: string, answer: unknown, cause: string]>([
  [
    "a role as text",
    { id, roles: "superadmin" },
    "'roles' of the principal that an authenticator returned must be a list of strings",
  ],
  ["a set of roles", { id, roles: new Set(["admin"]) }, "received an object."],
  ["roles of null", { id, roles: null }, "received null."],
  ["a list in the list of roles", { id, roles: [["admin"]] }, "must be a list of strings"],
  [
    "scopes as text",
    { id, scopes: "books:read books:write" },
    "'scopes' of the principal that an authenticator returned",
  ],
  [
    "claims as text",
    { id, claims: "x" },
    "'claims' of the principal that an authenticator returned must be an object; received a string.",
  ],
  ["no id", { name: "ann" }, "The 'id' of the principal that an authenticator returned must be a string"],
  ["an empty id", { id: "" }, "received an empty one."],
  ["a number as id", { id: 7 }, "received a number."],
  ["a text", "ann", "The principal that an authenticator returned must be an object with an 'id'"],
  ["true", true, "received a boolean."],
  ["a list", [{ id }], "received a list."],
  [
    "a promise of a principal within the answer",
    { principal: Promise.resolve({ id }) },
    "received a promise. Await it first.",
  ],
  [
    "an expiry in seconds",
    { principal: { id }, expires: 60 },
    "'expires' that an authenticator returned must be a Date; received a number.",
  ],
  [
    "the result of a recheck",
    { principal: { id }, recheck: true },
    "'recheck' that an authenticator returned must be a function; received a boolean.",
  ],
])("%s in place of a principal fails without details for the client", async (_, answer, cause) => {
  const found = await seen(answer);
  expect(found.cause).toContain(cause);
  expect(new Set(found.seen)).toEqual(new Set([500, 1011]));
});

test.each<[what: string, answer: unknown]>([
  ["a promise of null", Promise.resolve(null)],
  ["a promise of undefined", Promise.resolve()],
  ["null within the answer", { principal: null }],
  ["undefined within the answer", { principal: undefined }],
  ["a query that finds nothing", queryFor(null)],
])("%s is an anonymous caller", async (_, answer) => {
  const found = await seen(answer);
  expect(found).toEqual({ seen: ["nobody"], cause: "undefined" });
});

test("awaits a query of a database client", async () => {
  const query = Object.assign(queryFor({ id: "ben", roles: ["admin"] }), { id: "ann", roles: [] });
  expect((await seen(query)).seen).toEqual(["root"]);
});

test("local calls, transactions and contexts of GraphQL check principals", async () => {
  const { api } = createApi(principalFrom(() => null));
  const wrong = { id, roles: "superadmin" } as never;
  expect(() => api.as(wrong)).toThrow("'roles' of the principal of api.as() must be a list of strings");
  expect(() => api.graphql.context(wrong)).toThrow("'roles' of the principal of api.graphql.context()");
  await expect(api.transaction(async () => {}, { principal: wrong })).rejects.toThrow(
    "of the principal of api.transaction()",
  );
  const contextValue = api.graphql.context(undefined as never);
  const result = await graphql({ schema: api.graphql.schema, source: "{ callers { nodes { name } } }", contextValue });
  expect(JSON.stringify(result)).not.toContain("root");
});
