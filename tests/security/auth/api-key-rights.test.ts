import {
  apiKeyResource,
  apiKeys,
  asSystem,
  createApiKey,
  defineApi,
  hasRole,
  owner,
  rotateApiKey,
  signedIn,
  silentLog,
  type Store,
} from "@bifocal/core";
import { describe, expect, test } from "vitest";
import { bearerOf, PLACES, withApi } from "../writes/each-store.ts";

const PEOPLE = {
  ann: { id: "ann", roles: ["editor"], scopes: ["read", "write"] },
  admin: { id: "admin", roles: ["admin"] },
};
const open = { create: signedIn, update: owner("principalId"), delete: owner("principalId") };

/** Keys that their owners can create and change. `isGranting`: admins can assign any roles. */
function createApi(store: Store, isGranting: boolean) {
  const fields = { roles: { write: hasRole("admin") }, principalId: { write: hasRole("admin") } };
  const apiKey = apiKeyResource({ access: isGranting ? { ...open, fields } : open });
  return defineApi({
    resources: [apiKey],
    store,
    auth: [bearerOf(PEOPLE), apiKeys({ resource: "apiKey" })],
    log: silentLog,
  });
}

const made = { id: "k1", name: "mine", principalId: "ann", roles: ["editor"], scopes: ["read"] };
const graphql = (query: string) => ({ body: { query }, headers: { accept: "application/graphql-response+json" } });

describe.each(PLACES)("a resource of API keys that callers can write, on $name", (place) => {
  test.skipIf(place.missing !== undefined)("gives a key no more rights than its creator has", async () => {
    await withApi(
      place,
      (store) => createApi(store, false),
      async (ask) => {
        for (const more of [
          { roles: ["admin"] },
          { roles: ["editor", "admin"] },
          { scopes: ["read", "delete"] },
          { principalId: "admin" },
          { revokedAt: null },
          { lastUsedAt: "2026-01-01T00:00:00Z" },
          { previousUntil: "2036-01-01T00:00:00Z" },
        ]) {
          const { status, json } = await ask("ann", "POST", "/api-keys", { body: { ...made, ...more } });
          // A field that no caller can write is a 422, one that this caller can't write a 403.
          expect([more, [403, 422].includes(status)]).toEqual([more, true]);
          expect(json).toMatchObject({ errors: [{ path: [Object.keys(more)[0]], code: "not_writable" }] });
        }
        const mutation = `mutation { createApiKey(input: { id: "k1", name: "x", principalId: "ann", roles: ["admin"], scopes: [] }) { id } }`;
        expect((await ask("ann", "POST", "/graphql", graphql(mutation))).text).toContain("FORBIDDEN");
        expect((await ask("ann", "POST", "/api-keys", { body: made })).status).toBe(201);
      },
    );
  });

  test.skipIf(place.missing !== undefined)("never changes the rights and times of a key", async () => {
    await withApi(
      place,
      (store) => createApi(store, false),
      async (ask) => {
        expect((await ask("ann", "POST", "/api-keys", { body: made })).status).toBe(201);
        for (const change of [
          { roles: ["editor", "admin"] },
          { roles: [] },
          { scopes: ["write"] },
          { expiresAt: "2099-01-01T00:00:00Z" },
          { principalId: "admin" },
          { createdAt: "2026-01-01T00:00:00Z" },
          { revokedAt: "2026-01-01T00:00:00Z" },
          { lastUsedAt: "2026-01-01T00:00:00Z" },
          { previousUntil: "2099-01-01T00:00:00Z" },
        ]) {
          const { status } = await ask("ann", "PATCH", "/api-keys/k1", { body: change });
          expect([change, [403, 422].includes(status)]).toEqual([change, true]);
        }
        // Current values of fields that callers can't write are accepted, and change nothing.
        const current = { expiresAt: null, revokedAt: null, lastUsedAt: null };
        const renamed = await ask("ann", "PATCH", "/api-keys/k1", { body: { name: "renamed", ...current } });
        expect([renamed.status, renamed.json]).toMatchObject([200, { ...made, name: "renamed", ...current }]);
      },
    );
  });

  test.skipIf(place.missing !== undefined)("lets a rule grant more, and lets the application rotate keys", async () => {
    let api: ReturnType<typeof createApi> | undefined;
    const create = (store: Store) => (api = createApi(store, true));
    await withApi(place, create, async (ask) => {
      const granted = { ...made, principalId: "bob", roles: ["auditor"], scopes: [] };
      expect((await ask("ann", "POST", "/api-keys", { body: granted })).status).toBe(403);
      expect((await ask("admin", "POST", "/api-keys", { body: granted })).status).toBe(201);
      const own = api as ReturnType<typeof createApi>;
      const { id } = await createApiKey(own, { name: "by code", principalId: "ann", roles: ["root"] });
      const rotated = await rotateApiKey(own, id, { expiresAt: new Date(Date.now() + 60_000) });
      const kept = await own.as(asSystem("a test")).apiKey.get(id);
      expect(kept).toMatchObject({ roles: ["root"], expiresAt: rotated.expiresAt });
    });
  });
});
