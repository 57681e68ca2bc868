import { allow, avg, decimal, defineApi, defineResource, hasMany, memoryStore, type Store } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const averages = ["size", "bytes", "price", "weight"] as const;
const owner = defineResource("owner", {
  fields: { id: z.int32() },
  relations: { parts: hasMany("part", "ownerId") },
  computed: {
    size: avg("parts", "size"),
    bytes: avg("parts", "bytes"),
    price: avg("parts", "price"),
    weight: avg("parts", "weight"),
  },
  filterable: averages,
  sortable: averages,
  access,
  page: { max: 500 },
  bulk: { create: 500 },
});
const part = defineResource("part", {
  fields: {
    id: z.int32(),
    ownerId: z.int32(),
    size: z.int().nullable(),
    bytes: z.bigint().nullable(),
    price: decimal({ precision: 18, scale: 4 }).nullable(),
    weight: z.number().nullable(),
  },
  access,
  bulk: { create: 500 },
});

interface Part {
  readonly id: number;
  readonly ownerId: number;
  readonly size: number | null;
  readonly bytes: bigint | null;
  readonly price: string | null;
  readonly weight: number | null;
}

const most = Number.MAX_SAFE_INTEGER;
/** The values of the parts of an owner each: thirds, halves of the last digit of both signs, and sums of 19 digits. */
const SIZES: readonly (readonly (number | null)[])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [2, 0, 0],
  [],
  [null, 5],
  [most, most, 1],
  [most, most, 2],
  [-most, -most, -5, 0, 0, 0, 0],
  [most, most, most, most, most, most, 3],
  [7, 7],
];
const PRICES: readonly (readonly (string | null)[])[] = [
  ["0.0001", ...Array.from({ length: 127 }, () => "0.0000")],
  ["-0.0001", ...Array.from({ length: 127 }, () => "0.0000")],
  ["0.0001", "0.0000", "0.0000"],
  ["-0.0001", "0.0000", "0.0000"],
  ["99999999999999.9999", "99999999999999.9999", "99999999999999.9998"],
  ["-99999999999999.9999", "-99999999999999.9999", "-99999999999999.9998"],
  [null],
  ["0.0003", null],
  ["-2.0000", "1.0000", "1.0000"],
  ["-2.0000", "1.0000", "0.9999"],
];
const OWNERS = [...SIZES.keys()];

const PARTS: readonly Part[] = OWNERS.flatMap((ownerId) => {
  const [sizes, prices] = [SIZES[ownerId] ?? [], PRICES[ownerId] ?? []];
  return Array.from({ length: Math.max(sizes.length, prices.length) }, (_, at): Part => {
    const size = sizes[at] ?? null;
    const bytes = size === null ? null : BigInt(size) * 64n;
    // Sums of eighths don't depend on the order in which they are added.
    const weight = size === null || Math.abs(size) === most ? null : size / 8;
    return { id: ownerId * 200 + at, ownerId, size, bytes, price: prices[at] ?? null, weight };
  });
});

/** Reads the averages, the order by each, and the owners that have the same average as each owner. */
async function readAll(store: Store): Promise<unknown> {
  const api = defineApi({ resources: [owner, part], store });
  try {
    await api.local.owner.createMany(OWNERS.map((id) => ({ id })));
    await api.local.part.createMany(PARTS);
    const { items } = await api.local.owner.list({ page: { size: 100 } });
    const result: unknown[] = [items];
    for (const name of averages) {
      for (const sort of [name, `-${name}`] as const) {
        const ids: number[] = [];
        let after: string | null = null;
        do {
          const page: { size: number; after?: string } = { size: 3, ...(after !== null && { after }) };
          const found: {
            readonly items: readonly { readonly id: number }[];
            readonly hasNext: boolean;
            readonly endCursor: string | null;
          } = await api.local.owner.list({ sort: [sort], page, select: { id: true } });
          ids.push(...found.items.map(({ id }) => id));
          after = found.hasNext ? found.endCursor : null;
        } while (after !== null && ids.length < 20);
        result.push([sort, ids]);
      }
      for (const item of items) {
        const value = item[name] as never;
        if (value === null) continue;
        for (const operator of ["eq", "lt", "gte"]) {
          const found = await api.local.owner.list({ filter: { [name]: { [operator]: value } }, select: { id: true } });
          result.push([name, value, operator, found.items.map(({ id }) => id)]);
        }
      }
    }
    return result;
  } finally {
    await api.close();
  }
}

test("memoryStore rounds averages once, and halves away from zero", async () => {
  const api = defineApi({ resources: [owner, part], store: memoryStore() });
  await api.local.owner.createMany(OWNERS.map((id) => ({ id })));
  await api.local.part.createMany(PARTS);
  const { items } = await api.local.owner.list({ page: { size: 100 } });
  expect(items.map(({ price }) => price)).toEqual([
    "0.0000007813",
    "-0.0000007813",
    "0.0000333333",
    "-0.0000333333",
    "99999999999999.9998666667",
    "-99999999999999.9998666667",
    null,
    "0.0003000000",
    "0.0000000000",
    "-0.0000333333",
  ]);
  expect(items.slice(0, 6).map(({ size }) => size)).toEqual([1 / 3, -1 / 3, 2 / 3, null, 5, 6004799503160661]);
  await api.close();
});

for (const { name, server } of hosts) {
  test.skipIf(server.missing !== undefined)(`${name} filters and sorts by averages as memoryStore does`, async () => {
    const database = await server.create();
    try {
      const found = await readAll(sqlStore({ url: database.url, autoCreate: true }));
      expect(found).toEqual(await readAll(memoryStore()));
    } finally {
      await database.drop();
    }
  });
}
