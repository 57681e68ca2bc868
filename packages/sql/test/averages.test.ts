import { allow, avg, decimal, defineApi, defineResource, hasMany, memoryStore, type Store, sum } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";
import { sortedIds } from "./sorted-ids.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const computed = ["size", "bytes", "price", "weight", "allBytes", "allPrices"] as const;
const owner = defineResource("owner", {
  fields: { id: z.int32() },
  relations: { parts: hasMany("part", "ownerId") },
  computed: {
    size: avg("parts", "size"),
    bytes: avg("parts", "bytes"),
    price: avg("parts", "price"),
    weight: avg("parts", "weight"),
    allBytes: sum("parts", "bytes"),
    allPrices: sum("parts", "price"),
  },
  filterable: computed,
  sortable: computed,
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
const LARGEST = "99999999999999.9999";
/** The prices of further owners, whose sums exceed 64 bits. */
const LARGE_PRICES: readonly (readonly string[])[] = [
  Array.from({ length: 12 }, () => LARGEST),
  Array.from({ length: 12 }, () => `-${LARGEST}`),
  [...Array.from({ length: 12 }, () => LARGEST), "0.0001"],
];
const [MAX, MIN, HALFWAY] = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 54n + 2n];
/** The bytes of further owners: sums beyond 64 bits, and averages at and next to the middle of two doubles. */
const LARGE_BYTES: readonly (readonly bigint[])[] = [
  [MAX, MAX, MAX],
  [MIN, MIN, MIN],
  [MAX, MAX, MAX - 1_000n],
  [MIN, MIN, MIN + 1_000n],
  [MAX, MAX, MAX, MIN, MIN],
  [MAX, MIN],
  [HALFWAY, HALFWAY, HALFWAY],
  [HALFWAY, HALFWAY, HALFWAY + 1n],
  [-HALFWAY, -HALFWAY, -HALFWAY],
  [-HALFWAY, -HALFWAY, -HALFWAY + 1n],
];
const OWNERS = [...SIZES, ...LARGE_BYTES].map((_, id) => id);

const PARTS: readonly Part[] = OWNERS.flatMap((ownerId) => {
  const large = ownerId - SIZES.length;
  const [sizes, prices] = [SIZES[ownerId] ?? [], PRICES[ownerId] ?? LARGE_PRICES[large] ?? []];
  const bytes = LARGE_BYTES[large] ?? sizes.map((size) => (size === null ? null : BigInt(size) * 64n));
  return Array.from({ length: Math.max(bytes.length, prices.length) }, (_, at): Part => {
    const size = sizes[at] ?? null;
    // Sums of eighths don't depend on the order in which they are added.
    const weight = size === null || Math.abs(size) === most ? null : size / 8;
    return { id: ownerId * 200 + at, ownerId, size, bytes: bytes[at] ?? null, price: prices[at] ?? null, weight };
  });
});

/** Reads the averages and sums, the order by each, and the owners whose value compares with that of each owner. */
async function readAll(store: Store): Promise<unknown> {
  const api = defineApi({ resources: [owner, part], store });
  try {
    await api.local.owner.createMany(OWNERS.map((id) => ({ id })));
    await api.local.part.createMany(PARTS);
    const { items } = await api.local.owner.list({ page: { size: 100 } });
    const result: unknown[] = [items];
    for (const name of computed) {
      for (const sort of [name, `-${name}`] as const) {
        const list = (page: object) => api.local.owner.list({ sort: [sort], page, select: { id: true } });
        const ids = await sortedIds(list, 7, 50);
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
  expect(items.slice(0, PRICES.length).map(({ price }) => price)).toEqual([
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
  const large = items.slice(SIZES.length);
  expect(large.slice(0, 3).map(({ price, allPrices }) => [price, allPrices])).toEqual([
    [`${LARGEST}000000`, "1199999999999999.9988"],
    [`-${LARGEST}000000`, "-1199999999999999.9988"],
    ["92307692307692.3076076923", "1199999999999999.9989"],
  ]);
  expect(large.slice(4).map(({ bytes, allBytes }) => [bytes, allBytes])).toEqual([
    [1844674407370955300, 2n ** 63n - 3n],
    [-0.5, -1n],
    [2 ** 54, 3n * HALFWAY],
    [2 ** 54 + 4, 3n * HALFWAY + 1n],
    [-(2 ** 54), -3n * HALFWAY],
    [-(2 ** 54), -3n * HALFWAY + 1n],
  ]);
  await api.close();
});

for (const { name, server } of hosts) {
  test.skipIf(server.missing !== undefined)(
    `${name} filters and sorts by averages and sums as memoryStore does`,
    async () => {
      const database = await server.create();
      try {
        const found = await readAll(sqlStore({ url: database.url, autoCreate: true }));
        expect(found).toEqual(await readAll(memoryStore()));
      } finally {
        await database.drop();
      }
    },
  );
}
