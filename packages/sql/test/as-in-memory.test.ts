import { allow, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const user = defineResource("user", {
  fields: { id: z.int32(), email: z.string(), org: z.int32() },
  unique: ["email"],
  access: { ...access, read: () => ({ org: { eq: 1 } }) },
});
const page = defineResource("page", {
  fields: { id: z.int32(), text: z.string(), revision: z.int32() },
  version: "revision",
  access: { ...access, update: () => ({ revision: { lt: 3 } }) },
});
const day = defineResource("day", {
  fields: { id: z.int32(), on: z.iso.date(), at: z.iso.datetime() },
  access,
  filterable: ["on", "at"],
});
const thing = defineResource("thing", {
  fields: { id: z.int32(), a: z.int32(), b: z.int32(), aB: z.int32() },
  unique: [["a", "b"], ["aB"]],
  access,
});

function createApi(store: Store) {
  return defineApi({ resources: [user, page, day, thing], store });
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create?.();
  });
  beforeEach(async () => {
    await database?.empty();
    api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true }));
    return () => api.close();
  });
  afterAll(() => database?.drop());

  test("reports a conflict within a transaction, even if a rule must read the other row", async () => {
    await api.local.user.create({ id: 1, email: "ann@example.com", org: 1 });
    const taking = api.transaction((local) => local.user.create({ id: 2, email: "ann@example.com", org: 1 }));
    await expect(taking).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This conflicts with an existing row.",
    });
    const alone = api.local.user.create({ id: 2, email: "ann@example.com", org: 1 });
    await expect(alone).rejects.toMatchObject({ code: "CONFLICT", issues: [{ path: ["email"] }] });
  });

  test("applies a rule on the version to the new version", async () => {
    await api.local.page.create({ id: 1, text: "first" });
    expect(await api.local.page.update(1, { text: "second" })).toMatchObject({ revision: 2 });
    const third = api.local.page.update(1, { text: "third" });
    await expect(third).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await api.local.page.get(1)).toMatchObject({ text: "second", revision: 2 });
  });

  test.each([
    { on: "0000-12-31", at: "2026-01-01T00:00:00Z" },
    { on: "2026-01-01", at: "0000-12-31T00:00:00.000Z" },
  ])("rejects dates before the year 1: %o", async (values) => {
    const create = api.local.day.create({ id: 1, ...values });
    await expect(create).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const { on, at } = values;
    const list = api.local.day.list({ filter: { on: { gte: on }, at: { gte: at } } });
    await expect(list).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await api.local.day.create({ id: 1, on: "0001-01-01", at: "0001-01-01T00:00:00Z" });
    expect(await api.local.day.get(1)).toEqual({ id: 1, on: "0001-01-01", at: "0001-01-01T00:00:00.000Z" });
  });

  test("keeps a row whose rename conflicts, even if a transaction catches the error", async () => {
    await api.local.thing.create({ id: 1, a: 1, b: 1, aB: 1 });
    await api.local.thing.create({ id: 2, a: 2, b: 2, aB: 2 });
    const transaction = api.transaction(async (local) => {
      const renaming = local.thing.update(1, { id: 3, aB: 2 });
      await expect(renaming).rejects.toMatchObject({ code: "CONFLICT" });
    });
    // SQL stores roll back the transaction.
    await transaction.catch(() => {});
    expect(await api.local.thing.get(1)).toEqual({ id: 1, a: 1, b: 1, aB: 1 });
    expect((await api.local.thing.list({})).items).toHaveLength(2);
  });

  test("distinguishes unique groups whose joined names are equal", async () => {
    await api.local.thing.create({ id: 1, a: 1, b: 1, aB: 1 });
    const taken = (values: { a: number; b: number; aB: number }) => api.local.thing.create({ id: 2, ...values });
    const paths = (...fields: readonly string[]) => ({ issues: fields.map((field) => ({ path: [field] })) });
    await expect(taken({ a: 1, b: 1, aB: 2 })).rejects.toMatchObject(paths("a", "b"));
    await expect(taken({ a: 2, b: 1, aB: 1 })).rejects.toMatchObject(paths("aB"));
  });
});
