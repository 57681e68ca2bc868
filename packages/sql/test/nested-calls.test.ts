import {
  allow,
  apiKeyResource,
  apiKeys,
  asSystem,
  createApiKey,
  defineApi,
  defineResource,
  listApiKeys,
  memoryStore,
  silentLog,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const SYSTEM = asSystem("a test");

const note = defineResource("note", { fields: { id: z.int32(), text: z.string() }, access });
/** Set by each test: the code of an action or a hook. */
let work: () => Promise<unknown>;
const member = defineResource("member", {
  fields: { id: z.int32(), name: z.string() },
  access,
  actions: {
    join: {
      on: "collection",
      access: allow,
      run: async ({ store }) => {
        await store.create({ id: 1, name: "Ann" });
        await work();
      },
    },
    tell: {
      on: "collection",
      input: z.boolean(),
      access: allow,
      run: async ({ input, local, locals }) => {
        await local.create({ id: 1, name: "Ann" });
        await locals(note).create({ id: 1, text: "She is here." });
        if (input) throw new Error("changed my mind");
      },
    },
  },
  hooks: { update: { after: () => work() } },
});

function createApi(store: Store) {
  const keys = apiKeyResource();
  return defineApi({
    resources: [member, note, keys],
    store,
    auth: apiKeys({ resource: "apiKey" }),
    limits: { query: { timeout: 3_000 } },
    log: silentLog,
  });
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create?.();
    api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true, max: 2 }));
    await api.ready;
  });
  afterAll(async () => {
    await api.close();
    await database?.drop();
  });

  const counts = async () => ({
    members: (await api.local.member.list()).items.length,
    notes: (await api.local.note.list()).items.length,
    keys: (await listApiKeys(api)).length,
  });
  const NOTHING = { members: 0, notes: 0, keys: 0 };
  const all = async () => {
    await api.as(SYSTEM).note.create({ id: 1, text: "She is here." });
    await createApiKey(api, { name: "first", principalId: "ann" });
    // Only this code sees the rows that it has written so far.
    expect(await counts()).toEqual({ members: 1, notes: 1, keys: 1 });
  };
  const clear = async (): Promise<void> => {
    const system = api.as(SYSTEM);
    for (const { id } of (await system.member.list()).items) await system.member.delete(id);
    for (const { id } of (await system.note.list()).items) await system.note.delete(id);
    for (const { id } of (await system.apiKey.list()).items) await system.apiKey.delete(id);
  };
  /** The three kinds of code that run within a transaction. */
  const places: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["an action", () => api.local.member.actions.join()],
    [
      "api.transaction",
      () =>
        api.transaction(async (local) => {
          await local.member.create({ id: 1, name: "Ann" });
          await work();
        }),
    ],
    [
      "a transaction in a transaction",
      () =>
        api.transaction(async () => {
          await api.transaction(async (local) => void (await local.member.create({ id: 1, name: "Ann" })));
          await work();
        }),
    ],
  ];

  test.each(places)("calls within the code of %s join its transaction", async (_, run) => {
    work = all;
    await run();
    expect(await counts()).toEqual({ members: 1, notes: 1, keys: 1 });
    await clear();
  });

  test.each(places)("calls are rolled back with it: %s", async (_, run) => {
    work = async () => {
      await all();
      throw new Error("changed my mind");
    };
    const thrown: unknown = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toMatchObject({ code: "TIMEOUT" });
    expect(await counts()).toEqual(NOTHING);
  });

  test("calls as the caller of an action join its transaction", async () => {
    await expect(api.local.member.actions.tell(true)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await counts()).toEqual(NOTHING);
    await api.local.member.actions.tell(false);
    expect(await counts()).toEqual({ members: 1, notes: 1, keys: 0 });
    await clear();
  });

  test("works in a hook", async () => {
    work = async () => {};
    await api.local.member.actions.join();
    work = all;
    await api.local.member.update(1, { name: "Anne" });
    expect(await counts()).toEqual({ members: 1, notes: 1, keys: 1 });
    await clear();
  });

  test("events follow the commit", async () => {
    const heard: string[] = [];
    const controller = new AbortController();
    const changes = api.local.note.watch({ on: ["created"], signal: controller.signal });
    const listening = (async () => {
      for await (const change of changes) heard.push(change.kind);
    })().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    work = async () => {
      await all();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(heard).toEqual([]);
    };
    await api.local.member.actions.join();
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual(["created"]);
    controller.abort();
    await listening;
    await clear();
  });

  test("a call that isn't awaited runs separately after the transaction", async () => {
    let later: Promise<unknown> | undefined;
    work = async () => {
      later = new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
        api.local.note.create({ id: 2, text: "Later." }),
      );
    };
    await api.local.member.actions.join();
    await later;
    expect(await counts()).toEqual({ members: 1, notes: 1, keys: 0 });
    await clear();
  });
});
