import {
  allow,
  apiKeyResource,
  apiKeys,
  asSystem,
  type Authenticator,
  createApiKey,
  defineApi,
  defineResource,
  deny,
  hasRole,
  type Principal,
  silentLog,
} from "@bifocal/core";
import { oauth } from "@bifocal/jwt";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { closedWith, openSocket } from "./doors.ts";
import { seconds, sendJson, startServer } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const ISSUER = "https://id.example.com";
const RESOURCE = "https://api.example.com";
let answer: object;
const server = await startServer((_request, response) => sendJson(response, answer));
afterAll(() => server.close());

const note = defineResource("note", {
  fields: { id: z.string() },
  access: { read: hasRole("editor"), create: allow, update: allow, delete: allow },
  actions: {
    // The rights of a key never change through the API, so the application's own code changes them.
    changeKey: {
      on: "collection",
      input: z.object({ id: z.string(), changes: z.record(z.string(), z.json()) }),
      access: deny,
      run: async ({ input, stores }) => void (await stores("apiKey").update(input.id, input.changes)),
    },
  },
});

/** An API with keys, one of its keys, and a function that changes its row. */
async function byKey(principal?: () => Principal) {
  const auth = apiKeys({ resource: "apiKey", ...(principal === undefined ? {} : { principal }) });
  const api = defineApi({ resources: [note, apiKeyResource()], auth, log: silentLog });
  const roles = ["editor", "author"];
  const { id, key } = await createApiKey(api, { name: "CI", principalId: "ann", roles, scopes: ["notes:read"] });
  const update = (changes: Record<string, z.core.util.JSONType>): Promise<unknown> =>
    api.as(asSystem("a test")).note.actions.changeKey({ id, changes });
  return { api, auth, key, update };
}

/** Returns whether a connection of the credential may stay open. */
async function open(auth: Authenticator, headers: Record<string, string>): Promise<() => unknown> {
  const known = await auth.authenticate({ headers });
  if (known === null || !("principal" in known) || known.recheck === undefined) throw new Error("It is not known.");
  return known.recheck;
}

test.each([
  ["nothing else", {}, true],
  ["another name", { name: "laptop" }, true],
  ["its roles in another order", { roles: ["author", "editor"] }, true],
  ["a role less", { roles: ["author"] }, false],
  ["a role more", { roles: ["editor", "author", "admin"] }, false],
  ["no scope", { scopes: [] }, false],
])("ends the connections of a key only if its rights change: the key gets %s", async (_what, changes, expected) => {
  const { auth, key, update } = await byKey();
  const recheck = await open(auth, { "x-api-key": key });
  await update(changes);
  expect(await recheck()).toBe(expected);
});

test.each<[what: string, principal: Principal, goesOn: boolean]>([
  ["the same", { id: "ann", roles: ["editor"], claims: { since: new Date(0), tenant: 1n } }, true],
  ["without roles", { id: "ann", claims: { since: new Date(0), tenant: 1n } }, false],
  ["with another claim", { id: "ann", roles: ["editor"], claims: { since: new Date(0), tenant: 2n } }, false],
])("ends the connections of a key if `principal` returns another caller: %s", async (_what, principal, goesOn) => {
  let now: Principal = { claims: { tenant: 1n, since: new Date(0) }, id: "ann", roles: ["editor"] };
  const { auth, key } = await byKey(() => now);
  const recheck = await open(auth, { "x-api-key": key });
  now = principal;
  expect(await recheck()).toBe(goesOn);
});

test.each([
  ["the same", {}, true],
  ["a later end", { exp: seconds() + 600, iat: seconds() }, true],
  ["fewer scopes", { scope: "read" }, false],
  ["another tenant", { tenant: "south" }, false],
  ["an invalid claim", { tenant: 5 }, false],
])(
  "ends the connections of a token only if introspection returns other rights: %s",
  async (_what, changes, expected) => {
    const good = {
      active: true,
      sub: "ann",
      aud: RESOURCE,
      exp: seconds() + 300,
      scope: "read write",
      tenant: "north",
    };
    answer = good;
    const introspection = { clientId: "api", clientSecret: "secret", url: `${server.url}/introspect`, cache: 0 };
    const claims = z.object({ tenant: z.string() });
    const auth = oauth({ issuer: ISSUER, resource: RESOURCE, introspection, claims });
    const recheck = await open(auth, { authorization: "Bearer token" });
    answer = { ...good, ...changes };
    expect(await recheck()).toBe(expected);
  },
);

test("F07: closes sockets and streams of a key that loses a role, and sends nothing after that", async () => {
  const { api, key, update } = await byKey();
  const served = await ADAPTERS["node-http"](api);
  const shown = { "x-api-key": key };
  const stream = await fetch(`${served.url}/notes`, { headers: { ...shown, accept: "text/event-stream" } });
  const socket = await openSocket(served.url, shown);
  const closed = closedWith(socket);
  socket.send('{"type":"connection_init"}');
  await new Promise((resolve) => socket.once("message", resolve));
  await update({ roles: [] });
  expect(await closed).toBe(4401);
  const text = await stream.text();
  expect(text).toMatch(/event: error\ndata: {[^\n]*"code":"UNAUTHENTICATED"/);
  const again = await fetch(`${served.url}/notes`, { headers: shown });
  expect(again.status).toBe(403);
  await served.close();
});
