import { allow, defineApi, defineResource, hasMany, memoryStore, type Store, sum } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";
import { sortedIds } from "./sorted-ids.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const owner = defineResource("owner", {
  fields: { id: z.int32() },
  relations: { parts: hasMany("part", "ownerId") },
  computed: { total: sum("parts", "size") },
  sortable: ["total"],
  access,
  bulk: { create: 10 },
});
const part = defineResource("part", {
  fields: { id: z.int32(), ownerId: z.int32(), size: z.int() },
  access,
  bulk: { create: 10 },
});

// As numbers, 2^53 and 2^53 + 1 are equal, so that the ids decide. Owner 5 has no sum.
const ADDED: readonly (readonly [id: number, size: number])[] = [
  [1, 1],
  [2, 2],
  [3, 3],
]; // prettier-ignore
const PARTS = ADDED.flatMap(([ownerId, size], at) => [
  { id: at * 2, ownerId, size: Number.MAX_SAFE_INTEGER },
  { id: at * 2 + 1, ownerId, size },
]);

const SORTED = { total: [4, 1, 2, 3, 5], "-total": [5, 3, 1, 2, 4] };

/** Returns the ids of the owners in both orders, read one by one. */
async function sortBoth(store: Store): Promise<Record<"total" | "-total", readonly number[]>> {
  const api = defineApi({ resources: [owner, part], store });
  try {
    await api.local.owner.createMany([1, 2, 3, 4, 5].map((id) => ({ id })));
    await api.local.part.createMany([...PARTS, { id: 90, ownerId: 4, size: 5 }]);
    const pages = (sort: "total" | "-total") =>
      sortedIds((page) => api.local.owner.list({ sort: [sort], page, select: { id: true } }), 1, 10);
    return { total: await pages("total"), "-total": await pages("-total") };
  } finally {
    await api.close();
  }
}

test("memoryStore sorts by sums beyond the integers that JavaScript represents", async () => {
  expect(await sortBoth(memoryStore())).toEqual(SORTED);
});

for (const { name, server } of hosts) {
  test.skipIf(server.missing !== undefined)(
    `${name} sorts by sums beyond the integers that JavaScript represents`,
    async () => {
      const database = await server.create();
      try {
        expect(await sortBoth(sqlStore({ url: database.url, autoCreate: true }))).toEqual(SORTED);
      } finally {
        await database.drop();
      }
    },
  );
}
