import { oauth } from "@bifocal/jwt";
import { nodeHttp } from "@bifocal/node-http";
import * as client from "oauth4webapi";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, startAuthorizationServer } from "./authorization-server.ts";
import { createCallers } from "./callers.ts";
import { atDoor, closedWith, DOORS, openSocket } from "./doors.ts";
import { ADAPTERS, type Served } from "./serve.ts";
import { INSECURE, revoke, signIn, signInAsJob } from "./tokens.ts";

const API = "https://api.example.com";
const OTHER_API = "https://other.example.com";
const OPAQUE_API = "https://opaque.example.com";
const SHORT_API = "https://short.example.com";

const server = await startAuthorizationServer({
  [API]: { format: "jwt" },
  [OTHER_API]: { format: "jwt" },
  [OPAQUE_API]: { format: "opaque" },
  [SHORT_API]: { format: "opaque", lifetime: 4 },
});
const { issuer } = server;
afterAll(() => server.close());

const introspection = { clientId: CLIENTS.api.client_id, clientSecret: CLIENTS.api.client_secret };
const scopes = { "callers:read": "Read callers", "callers:write": "Write callers" };
const person = await signIn(issuer, API, "callers:read callers:write");
const reader = await signIn(issuer, API, "callers:read");
const job = await signInAsJob(issuer, API, "callers:write");
const elsewhere = await signInAsJob(issuer, OTHER_API, "callers:write");
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function create(url: string, token: string): Promise<Response> {
  const headers = { "content-type": "application/json", ...bearer(token) };
  const body = JSON.stringify({ id: Math.floor(Math.random() * 1e9), name: "new" });
  return fetch(`${url}/callers`, { method: "POST", headers, body });
}

test("issues tokens that follow RFC 9068", () => {
  expect(decodeProtectedHeader(person.access_token)).toMatchObject({ typ: "at+jwt", alg: "ES256" });
  expect(decodeJwt(person.access_token)).toMatchObject({ iss: issuer, aud: API, sub: "ann", client_id: "app" });
});

describe.each(Object.entries(ADAPTERS))("JWT access tokens on %s", (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(createCallers(oauth({ issuer, resource: API, algorithms: ["ES256"], scopes })));
  });
  afterAll(() => served.close());

  test.each(Object.entries(DOORS))(
    "accepts a user with code and PKCE, and a job with client credentials, through %s",
    async (door, ask) => {
      expect(await ask(served.url, bearer(person.access_token))).toBe("ann");
      expect(await ask(served.url, bearer(job))).toBe("client");
      for (const [what, token] of Object.entries({
        "H08 an ID token": person.id_token ?? "none",
        "H08 for another API of the same issuer": elsewhere,
        "an opaque one, which nobody looks up": "opaque",
      })) {
        expect([what, await ask(served.url, bearer(token))]).toEqual([what, atDoor(door, 401)]);
      }
    },
  );

  test("returns 201 with the scope, and a 403 that names the missing scope (RFC 6750 §3.1)", async () => {
    expect((await create(served.url, person.access_token)).status).toBe(201);
    expect((await create(served.url, job)).status).toBe(201);
    const refused = await create(served.url, reader.access_token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      `Bearer resource_metadata="${API}/.well-known/oauth-protected-resource", error="insufficient_scope", scope="callers:write"`,
    ]);
  });

  test("RFC 9728: serves the metadata at its path and in the challenge", async () => {
    const response = await fetch(`${served.url}/.well-known/oauth-protected-resource`);
    expect(await response.json()).toEqual({
      resource: API,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: ["callers:read", "callers:write"],
    });
    const challenged = await fetch(`${served.url}/callers`, { headers: bearer("wrong") });
    expect(challenged.headers.get("www-authenticate")).toContain(
      `resource_metadata="${API}/.well-known/oauth-protected-resource"`,
    );
  });
});

test("lets a client start from the API alone: 401, metadata, authorization server, token", async () => {
  const host = createServer();
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  const listener = nodeHttp(createCallers(oauth({ issuer, resource: url, algorithms: ["ES256"], scopes })));
  host.on("request", listener);
  const nobody = await client
    .protectedResourceRequest("none", "GET", new URL(`${url}callers`), undefined, undefined, INSECURE)
    .catch((thrown: unknown) => thrown as client.WWWAuthenticateChallengeError);
  expect(nobody).toMatchObject({ status: 401, cause: [{ scheme: "bearer", parameters: { error: "invalid_token" } }] });
  const resource = new URL(url);
  const found = await client.processResourceDiscoveryResponse(
    resource,
    await client.resourceDiscoveryRequest(resource, INSECURE),
  );
  const [authorizationServer = ""] = found.authorization_servers ?? [];
  const { access_token: token } = await signIn(authorizationServer, found.resource, "callers:read");
  const answered = await client.protectedResourceRequest(
    token,
    "GET",
    new URL(`${url}callers`),
    undefined,
    undefined,
    INSECURE,
  );
  expect(await answered.json()).toEqual([{ id: 1, name: "ann" }]);
  await listener.close(host);
});

describe("opaque tokens, by introspection (RFC 7662)", () => {
  const counted = (): number => server.asked.filter((path) => path.startsWith("/token/introspection")).length;

  test.each(Object.entries(DOORS))("accepts a user and a job, through %s", async (door, ask) => {
    const auth = oauth({ issuer, resource: OPAQUE_API, introspection });
    const served = await ADAPTERS.fastify(createCallers(auth));
    const { access_token: token } = await signIn(issuer, OPAQUE_API, "callers:read");
    expect(token.split(".")).toHaveLength(1);
    expect(await ask(served.url, bearer(token))).toBe("ann");
    expect(await ask(served.url, bearer(await signInAsJob(issuer, OPAQUE_API, "callers:write")))).toBe("client");
    expect(await ask(served.url, bearer("made-up"))).toBe(atDoor(door, 401));
    // The token is active, but for another API.
    const foreign = await signInAsJob(issuer, SHORT_API, "callers:write");
    expect(await ask(served.url, bearer(foreign))).toBe(atDoor(door, 401));
    await served.close();
  });

  test("verifies JWTs locally and introspects other tokens, with one configuration", async () => {
    const auth = oauth({ issuer, resource: API, audience: [API, OPAQUE_API], algorithms: ["ES256"], introspection });
    const served = await ADAPTERS["node-http"](createCallers(auth));
    const before = counted();
    expect(await DOORS["REST"]?.(served.url, bearer(person.access_token))).toBe("ann");
    expect(counted()).toBe(before);
    expect(await DOORS["REST"]?.(served.url, bearer(await signInAsJob(issuer, OPAQUE_API, "callers:read")))).toBe(
      "client",
    );
    expect(counted()).toBe(before + 1);
    await served.close();
  });

  test("caches a result, shares concurrent lookups, and caches a rejection for a short time", async () => {
    const served = await ADAPTERS.express(createCallers(oauth({ issuer, resource: OPAQUE_API, introspection })));
    const token = await signInAsJob(issuer, OPAQUE_API, "callers:write");
    const before = counted();
    await Promise.all(Array.from({ length: 30 }, async () => DOORS["REST"]?.(served.url, bearer(token))));
    expect(counted()).toBe(before + 1);
    for (let index = 0; index < 5; index += 1) expect(await DOORS["REST"]?.(served.url, bearer("made-up"))).toBe(401);
    expect(counted()).toBe(before + 2);
    await served.close();
  });

  test("never caches a result longer than the token is valid", async () => {
    const served = await ADAPTERS.express(createCallers(oauth({ issuer, resource: SHORT_API, introspection })));
    const token = await signInAsJob(issuer, SHORT_API, "callers:write");
    const socket = await openSocket(served.url, bearer(token));
    socket.send('{"type":"connection_init"}');
    const closed = closedWith(socket);
    expect(await DOORS["REST"]?.(served.url, bearer(token))).toBe("client");
    expect(await closed).toBe(4401);
    await sleep(500);
    expect(await DOORS["REST"]?.(served.url, bearer(token))).toBe(401);
    await served.close();
  });

  test("H16: rejects a revoked token when its cached result expires, and closes its sockets", async () => {
    const auth = oauth({ issuer, resource: OPAQUE_API, introspection: { ...introspection, cache: 1 } });
    const served = await ADAPTERS["node-http"](createCallers(auth));
    const token = await signInAsJob(issuer, OPAQUE_API, "callers:write");
    const socket = await openSocket(served.url, bearer(token));
    socket.send('{"type":"connection_init"}');
    const closed = closedWith(socket);
    expect(await DOORS["REST"]?.(served.url, bearer(token))).toBe("client");
    await revoke(issuer, token);
    await sleep(1_050);
    expect(await DOORS["REST"]?.(served.url, bearer(token))).toBe(401);
    const start = performance.now();
    expect(await closed).toBe(4401);
    expect(performance.now() - start).toBeLessThan(5_000);
    await served.close();
  });

  test("returns 503 if the authorization server rejects the API's own credentials", async () => {
    const wrong = { ...introspection, clientSecret: "wrong" };
    const served = await ADAPTERS["node-http"](
      createCallers(oauth({ issuer, resource: OPAQUE_API, introspection: wrong })),
    );
    const token = await signInAsJob(issuer, OPAQUE_API, "callers:write");
    expect(await DOORS["REST"]?.(served.url, bearer(token))).toBe(503);
    await served.close();
  });
});

describe("H15: duties of the authorization server and its client", () => {
  // The API doesn't redirect, issue tokens or keep sessions, so it doesn't handle redirect_uri, state, PKCE, code
  // replay or refresh rotation. A mix-up attack can only send it a token of the wrong issuer or audience, which the
  // tests above reject.
  test("the server of these tests rejects 'plain'", async () => {
    const authorizationServer = new URL("/auth", issuer);
    authorizationServer.search = new URLSearchParams({
      client_id: "app",
      redirect_uri: "http://127.0.0.1/callback",
      response_type: "code",
      scope: "openid",
      code_challenge: "c".repeat(43),
      code_challenge_method: "plain",
    }).toString();
    const response = await fetch(authorizationServer, { redirect: "manual" });
    expect(response.headers.get("location")).toContain("error=invalid_request");
  });
});
