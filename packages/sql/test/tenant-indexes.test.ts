import { allow, belongsTo, defineApi, defineResource, type Principal, silentLog } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { checkSchema, planMigration, sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const tenant = { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined } as const;
const fields = { id: z.uuid(), shopId: z.string().max(100), title: z.string().max(100) };
const shop = defineResource("shop", { fields: { id: z.string().max(100) }, access });
const plain = defineResource("book", { fields, access });
const limited = defineResource("book", { fields, access, tenant });
const unique = defineResource("book", { fields, access, tenant, unique: ["title"] });
const related = defineResource("book", { fields, access, tenant, relations: { shop: belongsTo("shop", "shopId") } });
const recorded = defineResource("book", { fields, access, tenant, history: true });

describe.each(servers)("indexes of tenants on $name", ({ missing, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  }, 60_000);
  afterAll(() => database?.drop(), 60_000);

  const use = (book: typeof plain, autoCreate: boolean) =>
    defineApi({ resources: [shop, book], store: sqlStore({ url: database.url, autoCreate }), log: silentLog });

  test.skipIf(missing !== undefined)("adds an index that ends with the key to an existing table", async () => {
    await database.clear();
    const before = use(plain, true);
    await before.ready;
    await before.close();
    const api = use(limited as unknown as typeof plain, false);
    const { steps } = await planMigration(api);
    await api.close();
    expect(steps.map(({ title }) => title)).toEqual(["add index books_shop_id_idx on books (shop_id, id)"]);
  });

  test.skipIf(missing !== undefined).each([
    ["a tenant", limited, 1],
    ["a unique group that starts with the tenant", unique, 1],
    ["a reference by the tenant", related, 1],
    ["a tenant and a history, whose entries need none", recorded, 1],
    ["no tenant", plain, 0],
  ])("creates one index that starts with the tenant for a table with %s", async (_, book, count) => {
    await database.clear();
    const planned = use(book as unknown as typeof plain, false);
    const { steps } = await planMigration(planned);
    await planned.close();
    const text = steps.flatMap(({ statements }) => statements).join("\n");
    const starts = [...text.matchAll(/(?:index|unique)\b[^(;]*\(\W*(?:shop_id|tenant)\b/gi)];
    expect(starts).toHaveLength(count);
    const created = use(book as unknown as typeof plain, true);
    await created.ready;
    expect(await checkSchema(created)).toEqual([]);
    await created.close();
  });
});
