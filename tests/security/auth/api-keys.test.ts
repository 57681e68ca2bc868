import {
  BifocalError,
  type KeyStore,
  type StoredKey,
  allow,
  apiKeyResource,
  apiKeys,
  createApiKey,
  defineApi,
  defineResource,
  DefinitionError,
  hasScope,
  listApiKeys,
  memoryStore,
  revokeApiKey,
  rotateApiKey,
  type Store,
} from "@bifocal/core";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createCallers } from "./callers.ts";
import { askSocket, atDoor, closedWith, DOORS, openSocket, type Seen } from "./doors.ts";
import { ADAPTERS, type Served } from "./serve.ts";

const caller = defineResource("caller", {
  fields: { id: z.int32(), name: z.string() },
  access: {
    read: ({ principal }) => ({ name: { eq: principal?.id ?? "nobody" } }),
    create: hasScope("callers:write"),
    update: allow,
    delete: allow,
  },
});
const written: unknown[] = [];
const note = (message: string, details?: unknown): void => void written.push(message, details);
const log = { info: note, warn: note, error: note };

/** The rows as a thief of the database sees them. */
const dump: unknown[] = [];
function dumped(store: Store): Store {
  return {
    ...store,
    transaction: (work, context) => store.transaction((handle) => work(dumped(handle)), context),
    insert: (command, context) => {
      dump.push(...command.rows);
      return store.insert(command, context);
    },
  };
}

const names = ["nobody", "ann", "ben"];
const disabled = new Set<string>();
const api = defineApi({
  resources: [caller, apiKeyResource()],
  store: dumped(memoryStore({ data: { caller: names.map((name, id) => ({ id, name })) } })),
  auth: apiKeys({
    resource: "apiKey",
    lastUsed: 1,
    principal: ({ principalId, scopes }) => (disabled.has(principalId) ? null : { id: principalId, scopes }),
  }),
  log,
});
const later = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
const ann = await createApiKey(api, { name: "laptop", principalId: "ann", scopes: ["callers:write"] });
const ben = await createApiKey(api, { name: "phone", principalId: "ben", expiresAt: null });
const expired = await createApiKey(api, { name: "old", principalId: "ann", expiresAt: later(-1) });
const revoked = await createApiKey(api, { name: "lost", principalId: "ann" });
await revokeApiKey(api, revoked.id);
const rotated = await createApiKey(api, { name: "rotated", principalId: "ann" });
const renewed = await rotateApiKey(api, rotated.id);
const replaced = await createApiKey(api, { name: "replaced", principalId: "ann" });
const replacement = await rotateApiKey(api, replaced.id, { overlap: 0 });
const twice = await createApiKey(api, { name: "twice", principalId: "ann" });
await rotateApiKey(api, twice.id);
await rotateApiKey(api, twice.id);
const stranger = "bk_00000000000000000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const secretOf = (key: string): string => key.slice(key.indexOf("_", 3) + 1);

/** The same key with a different last character of its secret, which changes its bits. */
const mistyped = (key: string): string => key.slice(0, -2) + (key.at(-2) === "A" ? "B" : "A") + key.at(-1);

const CASES: readonly (readonly [id: string, what: string, key: string, seen: Seen])[] = [
  ["H11", "a key", ann.key, "ann"],
  ["H11", "a key that never ends", ben.key, "ben"],
  ["H11", "no such id", stranger, 401],
  ["H11", "the id of one key with the secret of another", `bk_${ann.id}_${secretOf(ben.key)}`, 401],
  ["H11", "one wrong character", mistyped(ann.key), 401],
  ["H11", "a prefix of a key", ann.key.slice(0, -1), 401],
  ["H11", "a key with more characters", `${ann.key}A`, 401],
  ["H11", "a key in upper case", ann.key.toUpperCase(), 401],
  ["H11", "another prefix", ann.key.replace("bk_", "sk_"), 401],
  ["H11", "the id alone", ann.id, 401],
  ["H11", "the hash out of a dump of the database", "(hash)", 401],
  ["H11", "expired", expired.key, 401],
  ["H11", "revoked", revoked.key, 401],
  ["H11", "rotated: the new secret", renewed.key, "ann"],
  ["H11", "rotated: the old secret, during the overlap", rotated.key, "ann"],
  ["H11", "rotated: the old secret, without overlap", replaced.key, 401],
  ["H11", "rotated: the new secret, without overlap", replacement.key, "ann"],
  ["H11", "rotated twice: the first secret", twice.key, 401],
  ["H14", "two keys in one", `${ann.key}, ${ben.key}`, 401],
  ["H14", "with the Bearer scheme", `Bearer ${ann.key}`, 401],
  ["H14", "a constructor", "__proto__", 401],
  ["H14", "100,000 characters would be a header too long, and 8,000", "bk_".repeat(2_600), 401],
];

describe.each(Object.entries(ADAPTERS))("on %s", (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(api);
  });
  // All adapters share the API, so only the last one may close it.
  describe.each(Object.entries(DOORS))("through %s", (door, ask) => {
    test.each(CASES)("%s: %s", async (_id, _what, key, seen) => {
      const hash = (dump.find((row) => (row as { id?: string }).id === ann.id) as { secretHash: string }).secretHash;
      expect(await ask(served.url, { "x-api-key": key.replace("(hash)", `bk_${ann.id}_${hash}`) })).toBe(
        atDoor(door, seen),
      );
    });

    test("H11: a caller without a key is anonymous", async () => {
      expect(await ask(served.url, {})).toBe("nobody");
    });

    test("H14: rejects a Bearer token, because no authenticator reads it", async () => {
      expect(await ask(served.url, { authorization: `Bearer ${ann.key}` })).toBe(atDoor(door, 401));
    });
  });

  test.each([
    ["/callers?apikey=KEY", 400],
    ["/callers?x-api-key=KEY", 400],
    ["/callers?access_token=KEY", 400],
    ["/graphql?api_key=KEY", 400],
  ])("H12: rejects a key in the URL %s without repeating it", async (path, status) => {
    const response = await fetch(served.url + path.replace("KEY", ann.key), { headers: { "x-api-key": ben.key } });
    expect(response.status).toBe(status);
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(secretOf(ann.key));
  });

  test("H12: neither logs nor responses contain a secret or a hash", async () => {
    const answers = [
      await fetch(`${served.url}/callers`, { headers: { "x-api-key": mistyped(ann.key) } }),
      await fetch(`${served.url}/apiKeys`, { headers: { "x-api-key": ann.key, accept: "application/json" } }),
      await fetch(`${served.url}/api-keys`, { headers: { "x-api-key": ann.key } }),
      await fetch(`${served.url}/openapi.json`),
    ];
    const texts = await Promise.all(answers.map(async (one) => JSON.stringify([...one.headers]) + (await one.text())));
    const all = texts.join("") + JSON.stringify(written);
    for (const secret of [ann.key, mistyped(ann.key), ben.key].map(secretOf)) expect(all).not.toContain(secret);
    expect(all).not.toMatch(/secretHash|previousHash/);
    expect(texts[2]).toContain('"laptop"');
  });

  test("returns 403 if a scope is missing", async () => {
    const create = (key: string): Promise<Response> =>
      fetch(`${served.url}/callers`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ id: Math.floor(Math.random() * 1e9), name: "new" }),
      });
    expect([(await create(ann.key)).status, (await create(ben.key)).status]).toEqual([201, 403]);
  });

  test("names the header for keys in a 401", async () => {
    const response = await fetch(`${served.url}/callers`, { headers: { "x-api-key": stranger } });
    expect(response.headers.get("www-authenticate")).toBe('ApiKey header="X-API-Key"');
  });
});

describe("the store of keys", () => {
  test("H11: a dump of the database contains no secret", () => {
    const text = JSON.stringify(dump);
    expect(text).toContain(ann.id);
    for (const { key } of [ann, ben, expired, revoked, rotated]) expect(text).not.toContain(secretOf(key));
  });

  test("H11: each secret has 256 bits and is unique", async () => {
    const keys = await Promise.all(
      Array.from({ length: 50 }, async () => createApiKey(api, { name: "many", principalId: "many" })),
    );
    expect(new Set(keys.map(({ key }) => secretOf(key))).size).toBe(50);
    for (const { key } of keys) expect(Buffer.from(secretOf(key), "base64url")).toHaveLength(32);
  });

  test("lists keys by principal, without secrets", async () => {
    const listed = await listApiKeys(api, { principalId: "ben" });
    expect(listed).toEqual([
      expect.objectContaining({ id: ben.id, name: "phone", principalId: "ben", expiresAt: null, revokedAt: null }),
    ]);
    expect(Object.keys(listed[0] ?? {})).not.toContain("secretHash");
    expect((await listApiKeys(api)).length).toBeGreaterThan(7);
  });

  test("expires a key after 90 days by default", () => {
    const days = (Date.parse(ann.expiresAt ?? "") - Date.parse(ann.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  test("records when a key was last used", async () => {
    await expect
      .poll(async () => (await listApiKeys(api)).find(({ id }) => id === ann.id)?.lastUsedAt)
      .toMatch(/^20\d\d-/);
  });

  test("throws NOT_FOUND for an unknown key, and CONFLICT when a revoked key is rotated", async () => {
    await expect(revokeApiKey(api, "nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(rotateApiKey(api, "nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(rotateApiKey(api, revoked.id)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await revokeApiKey(api, revoked.id)).revokedAt).not.toBeNull();
  });

  test("throws if the API has no resource of keys", async () => {
    await expect(listApiKeys(defineApi({ resources: [caller] }))).rejects.toThrow("API keys are not enabled");
  });

  test.each([
    ["no such resource", () => defineApi({ resources: [caller], auth: apiKeys({ resource: "apiKey" }) })],
    ["a resource that holds no keys", () => defineApi({ resources: [caller], auth: apiKeys({ resource: "caller" }) })],
  ])("rejects %s in the definition", (_, define) => {
    expect(define).toThrow(DefinitionError);
  });
});

describe("F08, H16: connections of a key end within five seconds of", () => {
  let served: Served;
  beforeAll(async () => {
    served = await ADAPTERS["node-http"](api);
  });
  afterAll(() => served.close());

  const ENDINGS: readonly (readonly [string, (id: string) => unknown])[] = [
    ["its revocation", (id) => revokeApiKey(api, id)],
    ["its rotation without overlap", (id) => rotateApiKey(api, id, { overlap: 0 })],
    ["its owner being disabled", (id) => void disabled.add(id)],
  ];
  test.concurrent.each(ENDINGS)("%s", async (what, end) => {
    const principalId = `${what.length}`;
    const { key, id } = await createApiKey(api, { name: what, principalId });
    const idle = await openSocket(served.url, { "x-api-key": key });
    idle.send('{"type":"connection_init"}');
    const stream = await fetch(`${served.url}/callers`, {
      headers: { accept: "text/event-stream", "x-api-key": key },
    });
    const closed = closedWith(idle);
    const text = stream.text();
    await sleep(200);
    await end(what.includes("disabled") ? principalId : id);
    const start = performance.now();
    expect(await closed).toBe(4401);
    expect(await text).toContain("UNAUTHENTICATED");
    expect(performance.now() - start).toBeLessThan(5_500);
    expect(await askSocket(await openSocket(served.url, { "x-api-key": key }), undefined)).toBe(4403);
  });
});

test("with a custom store that is unavailable, no caller is authenticated or treated as anonymous", async () => {
  const rows = new Map<string, StoredKey>();
  let isAway = false;
  const reach = (): Map<string, StoredKey> => {
    if (isAway) throw new BifocalError("UNAVAILABLE", "The keys are out of reach.");
    return rows;
  };
  const store: KeyStore = {
    get: (id) => reach().get(id),
    list: () => [...reach().values()],
    create: (key) => void reach().set(key.id, key),
    update(id, changes, expected) {
      const key = reach().get(id);
      if (key === undefined || (expected ?? key).secretHash !== key.secretHash) return false;
      reach().set(id, { ...key, ...changes });
      return true;
    },
  };
  const own = createCallers(apiKeys({ store, prefix: "lib", header: "X-Library-Key", bearer: true }));
  const { key, id } = await createApiKey(own, { name: "own", principalId: "ann" });
  expect(key).toMatch(/^lib_[0-9a-f]{20}_[\w-]{43}$/);
  const served = await ADAPTERS["node-http"](own);
  for (const shown of [{ "x-library-key": key }, { authorization: `Bearer ${key}` }]) {
    expect(await DOORS["REST"]?.(served.url, shown)).toBe("ann");
    isAway = true;
    for (const [door, ask] of Object.entries(DOORS)) expect(await ask(served.url, shown)).toBe(atDoor(door, 503));
    isAway = false;
  }
  await revokeApiKey(own, id);
  expect(await DOORS["REST"]?.(served.url, { "x-library-key": key })).toBe(401);
  await served.close();
});

test("H11: logs a warning for keys that are valid for more than 90 days", async () => {
  const told = async (work: Promise<unknown>): Promise<readonly unknown[]> => {
    written.length = 0;
    await work;
    return written.filter((one) => typeof one === "string" && one.includes("90 days"));
  };
  const days = (count: number): Date => later(count * 86_400);
  const make = (expiresAt?: Date | null) =>
    createApiKey(api, { name: "x", principalId: "ann", ...(expiresAt === undefined ? {} : { expiresAt }) });
  expect(await told(make())).toEqual([]);
  expect(await told(make(days(89)))).toEqual([]);
  expect(await told(make(days(91)))).toHaveLength(1);
  expect(await told(make(null))).toHaveLength(1);
  const { id } = await make();
  expect(await told(rotateApiKey(api, id))).toEqual([]);
  expect(await told(rotateApiKey(api, id, { expiresAt: null }))).toHaveLength(1);
});

test.each(["", " ", "undefined", "null"])(
  "H11: rejects '%s' as a key, because its environment variable was not set",
  (key) => {
    expect(() => apiKeys({ good: { id: "ann" }, [key]: { id: "admin" } })).toThrow(
      "Check that the environment variable",
    );
  },
);

test("accepts static keys of any text, in their own header, as Bearer, and in connection_init", async () => {
  const served = await ADAPTERS["node-http"](
    defineApi({
      resources: [caller],
      store: memoryStore({ data: { caller: [{ id: 1, name: "ann" }] } }),
      auth: apiKeys({ "key of ann!": { id: "ann" }, resource: { id: "ann" }, store: { id: "ann" } }),
    }),
  );
  for (const [door, ask] of Object.entries(DOORS)) {
    expect(await ask(served.url, { "x-api-key": "key of ann!" })).toBe("ann");
    expect(await ask(served.url, { authorization: "Bearer resource" })).toBe("ann");
    expect(await ask(served.url, { authorization: "bearer store" })).toBe("ann");
    expect(await ask(served.url, { authorization: "Bearer nothing" })).toBe(atDoor(door, 401));
    expect(await ask(served.url, { "x-api-key": "nothing" })).toBe(atDoor(door, 401));
  }
  expect(await askSocket(await openSocket(served.url, {}), { apiKey: "key of ann!" })).toBe("ann");
  await served.close();
});
