import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, startAuthorizationServer } from "../security/auth/authorization-server.ts";
import { refresh, revoke, signIn } from "../security/auth/tokens.ts";
import { MAX_START_MS } from "../runtimes/host.ts";
import { onEachOwnStore, type OwnStore } from "./stores.ts";

const RESOURCE = "https://bookstore.example";
const keys = { editor: "editor-key-for-tests" };
const server = await startAuthorizationServer({ [RESOURCE]: { format: "opaque" } });
afterAll(() => server.close());

onEachOwnStore("sign-in at an authorization server, on", (start) => {
  let store: OwnStore;
  beforeAll(async () => {
    const { client_id: clientId, client_secret: clientSecret } = CLIENTS.api;
    const authorizationServer = { issuer: server.issuer, resource: RESOURCE, clientId, clientSecret };
    store = await start({ keys, authorizationServer });
  }, MAX_START_MS);
  afterAll(() => store?.close());

  const ask = async (token: string, method: string, path: string, body?: object): Promise<Response> =>
    fetch(store.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const query = { query: "{ books(first: 1) { nodes { title } } }" };
  const expectAccepted = async (token: string): Promise<void> => {
    expect((await ask(token, "GET", "/books")).status).toBe(200);
    const graphql = await ask(token, "POST", "/graphql", query);
    expect(await graphql.json()).toEqual({ data: { books: { nodes: [{ title: expect.any(String) }] } } });
  };
  const expectRejected = async (token: string): Promise<void> => {
    expect((await ask(token, "GET", "/books")).status).toBe(401);
    expect((await ask(token, "POST", "/graphql", query)).status).toBe(401);
  };
  const afterCache = (): Promise<void> => sleep(1_100);

  const signInAndRefresh = async () => {
    const first = await signIn(server.issuer, RESOURCE, "offline_access callers:read");
    const second = await refresh(server.issuer, RESOURCE, first.refresh_token ?? "");
    await expectAccepted(second.access_token);
    return { first, second };
  };

  // Each of them waits until the bookstore forgets what it knows about a token.
  describe.concurrent("tokens", () => {
    test("a reader signs in by code and PKCE, can read but not write, until the token is revoked", async () => {
      const { access_token: token } = await signIn(server.issuer, RESOURCE, "callers:read");
      await expectAccepted(token);
      expect((await ask(token, "POST", "/books", {})).status).toBe(403);
      await revoke(server.issuer, token);
      await afterCache();
      await expectRejected(token);
    });

    test("a refreshed access token is accepted until it is revoked", async () => {
      const { first, second } = await signInAndRefresh();
      expect(second.access_token).not.toBe(first.access_token);
      await revoke(server.issuer, second.access_token);
      await afterCache();
      await expectRejected(second.access_token);
    });

    test("a refresh token works once, and its reuse revokes the access token issued for it", async () => {
      const { first, second } = await signInAndRefresh();
      const third = await refresh(server.issuer, RESOURCE, second.refresh_token ?? "");
      await expectAccepted(third.access_token);
      for (const { refresh_token: used = "" } of [first, second, third]) {
        await expect(refresh(server.issuer, RESOURCE, used)).rejects.toMatchObject({ error: "invalid_grant" });
      }
      await afterCache();
      await expectRejected(third.access_token);
    });
  });

  test("a made-up token is rejected, and keys of the bookstore work without the server", async () => {
    expect((await ask("made-up", "GET", "/books")).status).toBe(401);
    const asked = server.asked.length;
    expect((await ask(keys.editor, "GET", "/books")).status).toBe(200);
    expect(server.asked.length).toBe(asked);
  });
});
