import { randomBytes } from "node:crypto";
import { allow, type BifocalError, defineApi, defineResource, hasMany, sum } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", {
  fields: { id: z.int32(), title: z.string(), code: z.string().nullable(), text: z.string() },
  access,
  sortable: ["title"],
  unique: ["code"],
});

const postgres = servers.find(({ name }) => name === "postgres");
test.skipIf(postgres?.missing !== undefined)("PostgreSQL rejects text that is too long for a B-tree", async () => {
  const database = await postgres?.create();
  if (database === undefined) throw new Error("There is no PostgreSQL.");
  const api = defineApi({ resources: [note], store: sqlStore({ url: database.url, autoCreate: true }) });
  const long = (bytes: number) => randomBytes(bytes).toString("base64");
  const create = (values: object) => api.local.note.create({ id: 1, title: "a", code: null, text: "b", ...values });
  const refused = (field: string) => ({ code: "VALIDATION_FAILED", issues: [{ path: [field], code: "not_storable" }] });
  await expect(create({ title: long(6_000), text: "short" })).rejects.toMatchObject(refused("title"));
  await expect(create({ code: long(3_000), text: long(9_000) })).rejects.toMatchObject(refused("code"));
  await create({ text: long(9_000) });
  await expect(api.local.note.update(1, { title: long(9_000) })).rejects.toMatchObject(refused("title"));
  await api.close();
  await database.drop();
});

const account = defineResource("account", {
  fields: { id: z.int32() },
  relations: { payments: hasMany("payment", "accountId") },
  computed: { paid: sum("payments", "amount") },
  access,
  filterable: ["paid"],
  sortable: ["paid"],
});
const payment = defineResource("payment", {
  fields: { id: z.int32(), accountId: z.int32(), amount: z.bigint() },
  access,
});

describe.each(servers)("$name", ({ name, missing, create }) => {
  test.skipIf(missing !== undefined)(
    "returns sums beyond 64 bits, and filters by them unless it is SQLite",
    async () => {
      const database = await create();
      const api = defineApi({
        resources: [account, payment],
        store: sqlStore({ url: database.url, autoCreate: true }),
      });
      await api.local.account.create({ id: 1 });
      for (const id of [1, 2]) await api.local.payment.create({ id, accountId: 1, amount: 2n ** 63n - 1n });
      expect(await api.local.account.get(1)).toMatchObject({ paid: 2n ** 64n - 2n });
      const reads = [
        api.local.account.list({ filter: { paid: { gt: 2n ** 64n - 3n } } }),
        api.local.account.list({ sort: ["-paid"] }),
      ];
      const found = (await Promise.allSettled(reads)).map((read) =>
        read.status === "fulfilled" ? read.value.items.length : (read.reason as BifocalError).issues?.[0]?.code,
      );
      expect(found).toEqual(name === "sqlite" ? ["out_of_range", "out_of_range"] : [1, 1]);
      await api.close();
      await database.drop();
    },
  );
});
