import {
  allow,
  apiKeyResource,
  apiKeys,
  asSystem,
  type Bus,
  createApiKey,
  defineApi,
  defineResource,
  DefinitionError,
  type IssuedApiKey,
  memoryBus,
  memoryStore,
  revokeApiKey,
  rotateApiKey,
  silentLog,
  type Store,
} from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { request } from "@bifocal/test-servers/request";

/** Everything that leaves the transaction of a change: the change log, the bus, subscribers and the log. */
const told: unknown[] = [];
const tell = (...what: unknown[]): void => void told.push(...what);

/** Records all entries for the change log of a store, within and outside transactions. */
function overheard(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "transaction") {
        const transaction: Store["transaction"] = (work, context) =>
          target.transaction((handle) => work(overheard(handle)), context);
        return transaction;
      }
      if (name === "appendChanges" && typeof value === "function") {
        const append: NonNullable<Store["appendChanges"]> = (drafts, context) => {
          tell(drafts);
          return target.appendChanges?.(drafts, context);
        };
        return append;
      }
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function createApi(store: Store, bus: Bus) {
  return defineApi({
    resources: [apiKeyResource()],
    store: overheard(store),
    events: {
      ...bus,
      publish: (message) => {
        tell(message);
        return bus.publish(message);
      },
    },
    auth: apiKeys({ resource: "apiKey", lastUsed: 1 }),
    log: { info: tell, warn: tell, error: tell },
  });
}

/** The characters of a secret, which can include `_`. */
const SECRET_LENGTH = 43;

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("on $name", ({ create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create?.();
    const store = database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true });
    api = createApi(store, memoryBus());
    await api.ready;
  });
  afterAll(async () => {
    await api.close();
    await database?.drop();
  });

  /** The stored hashes, which no subscriber should receive. */
  async function hashesOf(id: string): Promise<readonly string[]> {
    const { secretHash, previousHash } = (await api["~keys"]?.store.get(id)) ?? {};
    return [secretHash, previousHash].filter((hash) => typeof hash === "string");
  }

  test("H11: events of keys contain no hashes for any subscriber", async () => {
    told.length = 0;
    const changes = api.as(asSystem("a test")).apiKey.watch({ on: ["created", "updated"] });
    const made: IssuedApiKey[] = [];
    const heard = (async () => {
      for await (const change of changes) {
        tell(change);
        if (change.kind === "updated" && (change.item as { revokedAt: string | null }).revokedAt !== null) return;
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 100));
    made.push(await createApiKey(api, { name: "laptop", principalId: "ann" }));
    const [first] = made as [IssuedApiKey];
    const hashes = new Set(await hashesOf(first.id));
    made.push(await rotateApiKey(api, first.id));
    await revokeApiKey(api, first.id);
    for (const hash of await hashesOf(first.id)) hashes.add(hash);
    await heard;
    const text = JSON.stringify(told);
    // Events were sent at all.
    expect(text).toContain(first.id);
    expect(text).toContain("revokedAt");
    expect(hashes.size).toBe(2);
    for (const hash of hashes) expect(text).not.toContain(hash);
    for (const { key } of made) expect(text).not.toContain(key.slice(-SECRET_LENGTH));
    expect(text).not.toContain("Hash");
  });

  test("lets one of two concurrent rotations fail with CONFLICT, and keeps the key of the other valid", async () => {
    const { id } = await createApiKey(api, { name: "laptop", principalId: "ann" });
    const ring = api["~keys"];
    if (ring === undefined) throw new Error("There are no keys.");
    // Wait until both have read, so that neither writes before.
    let waiting: (() => void)[] = [];
    const both = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 2) return;
        for (const go of waiting) go();
        waiting = [];
      });
    const get = async (key: string) => {
      const found = await ring.store.get(key);
      await both();
      return found;
    };
    const { store } = ring;
    const update: typeof store.update = (...args) => store.update(...args);
    const gated = { "~keys": { ...ring, store: { get, update, list: () => [], create: () => undefined } } };
    const settled = await Promise.allSettled([rotateApiKey(gated, id), rotateApiKey(gated, id)]);
    const done = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(done).toHaveLength(1);
    expect(failed).toMatchObject([{ code: "CONFLICT" }]);
    const headers = { "x-api-key": done[0]?.key ?? "" };
    const answered = await api.handle(request("GET", `/api-keys/${id}`, { headers }));
    expect(answered?.status).toBe(200);
  });
});

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), hash: z.string().nullable() };

test("rejects a secret field that is not internal at start", () => {
  const open = defineResource("open", { fields, access, secret: ["hash" as never] });
  expect(() => defineApi({ resources: [open] })).toThrow(DefinitionError);
});

test("denies access by a rule that reads a secret, because events don't contain it", async () => {
  const told: unknown[] = [];
  const log = { ...silentLog, error: (...what: unknown[]) => void told.push(...what) };
  const asked = defineResource("asked", {
    fields,
    internal: ["hash"],
    secret: ["hash"],
    access: { ...access, read: () => ({ hash: { isNull: true } }) },
  });
  const api = defineApi({ resources: [asked], store: memoryStore({ data: { asked: [{ id: 1, hash: null }] } }), log });
  await expect(api.local.asked.list()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(JSON.stringify(told)).toContain("invalid filter");
  await api.close();
});
