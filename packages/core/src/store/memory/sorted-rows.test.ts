import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "../../model/model.ts";
import type { TextKind, WireType } from "../../model/wire-type.ts";
import type { Json } from "../../util/json.ts";
import { compareWithNulls, rankingOf } from "./order.ts";
import { RowSlots } from "./row-slots.ts";
import type { FieldOrder } from "./field-order.ts";
import { SortedRows } from "./sorted-rows.ts";

const order: FieldOrder = {
  field: "price",
  tieFields: ["id"],
  ranking: Number,
  compareValues: (a, b) => Number(a) - Number(b),
  compareTies: (a, b) => Number(a["id"]) - Number(b["id"]),
};

function compare(a: Row, b: Row): number {
  return order.compareValues(a["price"] ?? null, b["price"] ?? null) || order.compareTies(a, b);
}

/** Applies the same changes to the tree and to an array. */
class Twins {
  readonly rows = new RowSlots();
  readonly slotOf = new Map<Row, number>();
  readonly tree: SortedRows;
  sorted: Row[];

  constructor(rows: readonly Row[]) {
    this.sorted = rows.toSorted(compare);
    for (const row of rows) this.store(row);
    this.tree = new SortedRows(this.rows, this.rows.slots(), order);
  }

  store(row: Row): number {
    const slot = this.rows.add(row);
    this.slotOf.set(row, slot);
    return slot;
  }

  add(row: Row): void {
    this.tree.add(this.store(row));
    const index = this.sorted.findIndex((other) => compare(other, row) > 0);
    this.sorted.splice(index < 0 ? this.sorted.length : index, 0, row);
  }

  delete(row: Row): void {
    const slot = this.slotOf.get(row) as number;
    this.tree.delete(slot);
    this.rows.delete(slot);
    this.sorted = this.sorted.filter((other) => other !== row);
  }

  replace(before: Row, after: Row): void {
    const slot = this.slotOf.get(before) as number;
    const isMoved = this.tree.isMoved(before, after);
    if (isMoved) this.tree.delete(slot);
    this.rows.replace(slot, after);
    this.slotOf.set(after, slot);
    if (isMoved) this.tree.add(slot);
    this.sorted = this.sorted.map((row) => (row === before ? after : row)).toSorted(compare);
  }
}

/** Prices of which many are equal, or of which few are. */
const price = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 100_000 }));
const write = fc.record({
  kind: fc.constantFrom("add", "add", "update", "touch", "delete"),
  pick: fc.nat(),
  price,
});
const start = fc.record({ size: fc.oneof(fc.nat(70), fc.nat(6_000)), step: fc.integer({ min: 1, max: 97 }) });

function rowsOf({ size, step }: { size: number; step: number }): Row[] {
  return Array.from({ length: size }, (_, id) => ({ id, price: (id * step) % 89 }));
}

test("equals a sorted array after any inserts, updates and deletions", () => {
  fc.assert(
    fc.property(start, fc.array(write, { maxLength: 200 }), (begin, writes) => {
      const twins = new Twins(rowsOf(begin));
      let id = begin.size;
      for (const { kind, pick, price: value } of writes) {
        const row = twins.sorted[pick % Math.max(1, twins.sorted.length)];
        if (kind === "add") twins.add({ id: id++, price: value });
        else if (row !== undefined && kind === "delete") twins.delete(row);
        else if (row !== undefined) twins.replace(row, { ...row, ...(kind === "update" ? { price: value } : {}) });
        expect(twins.tree.length).toBe(twins.sorted.length);
      }
      // The same objects: a replaced row must not remain anywhere.
      const rows = twins.tree.slice(0, twins.tree.length);
      expect(rows.findIndex((row, index) => row !== twins.sorted[index])).toBe(-1);
      expect(rows.length).toBe(twins.sorted.length);
    }),
    { numRuns: 100 },
  );
});

test("finds positions, and reads in both directions from them, between writes", () => {
  const read = fc.record({ at: fc.integer({ min: -1, max: 100 }), count: fc.nat(200), write });
  fc.assert(
    fc.property(start, fc.array(read, { maxLength: 20 }), (begin, reads) => {
      const twins = new Twins(rowsOf(begin));
      let id = begin.size;
      for (const one of reads) {
        const { tree, sorted } = twins;
        const found = sorted.findIndex((row) => Number(row["price"]) > one.at);
        const from = tree.firstWhere((value) => Number(value) > one.at);
        expect(from).toBe(found < 0 ? sorted.length : found);
        expect(tree.slice(from, from + one.count)).toEqual(sorted.slice(from, from + one.count));
        const forward: Row[] = [];
        for (let index = from; index < Math.min(from + one.count, tree.length); index++) forward.push(tree.at(index));
        expect(forward).toEqual(sorted.slice(from, from + one.count));
        const values = forward.map((_, index) => tree.valueAt(from + index));
        expect(values).toEqual(forward.map((row) => row["price"]));
        const backward: Row[] = [];
        for (let index = from - 1; index >= Math.max(0, from - one.count); index--) backward.push(tree.at(index));
        expect(backward).toEqual(sorted.slice(Math.max(0, from - one.count), from).toReversed());
        const row = sorted[one.write.pick % Math.max(1, sorted.length)];
        if (row === undefined || one.write.kind === "add") twins.add({ id: id++, price: one.write.price });
        else twins.delete(row);
      }
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["ascending", (n: number) => n],
  ["descending", (n: number) => -n],
  ["mixed", (n: number) => (n * 7_919) % 20_011],
])("grows to 20,000 rows in %s order, and shrinks to none", (_, priceOf) => {
  const rows = Array.from({ length: 20_000 }, (__, id): Row => ({ id, price: priceOf(id) }));
  const source = new RowSlots();
  const tree = new SortedRows(source, [], order);
  const slots = new Map(rows.map((row) => [row, source.add(row)]));
  const slotOf = (row: Row): number => slots.get(row) as number;
  for (const row of rows) tree.add(slotOf(row));
  const sorted = rows.toSorted(compare);
  expect(tree.slice(0, rows.length)).toEqual(sorted);
  const deleted = new Set(rows.filter((row) => Number(row["id"]) % 100 !== 0));
  for (const row of deleted) tree.delete(slotOf(row));
  expect(tree.slice(0, tree.length)).toEqual(sorted.filter((row) => !deleted.has(row)));
  for (const row of rows) if (!deleted.has(row)) tree.delete(slotOf(row));
  expect(tree.length).toBe(0);
  expect(tree.slice(0, 10)).toEqual([]);
  tree.add(slotOf(rows[1] as Row));
  expect(tree.at(0)).toBe(rows[1]);
});

test("is empty after each row was deleted in the order of insertion, while others were added", () => {
  const rows = new RowSlots();
  const tree = new SortedRows(rows, [], order);
  const slots: number[] = [];
  for (let id = 0; id < 10_000; id++) {
    const slot = rows.add({ id, price: id });
    tree.add(slot);
    slots.push(slot);
    if (id < 1_000) continue;
    const first = slots.shift() as number;
    expect(tree.length).toBe(1_001);
    expect(tree.at(0)["id"]).toBe(id - 1_000);
    tree.delete(first);
    rows.delete(first);
  }
  for (const slot of slots) tree.delete(slot);
  expect(tree.length).toBe(0);
  expect(tree.slice(0, 10)).toEqual([]);
});

const text = fc
  .tuple(fc.constantFrom("", "Title ", "Title \u{1F600}", "Title \uFF5E"), fc.string({ unit: "binary", maxLength: 9 }))
  .map(([prefix, rest]) => prefix + rest);
const moment = fc
  .tuple(fc.nat(4e12), fc.constantFrom("Z", "001Z", "999Z"))
  .map(([time, end]) => new Date(time).toISOString().replace("Z", end));
const values: readonly (readonly [type: WireType, value: fc.Arbitrary<Json>])[] = [
  [scalar("string"), text],
  [scalar("uuid"), fc.uuid()],
  [scalar("datetime"), moment],
  [scalar("date"), moment.map((time) => time.slice(0, 10))],
  [{ kind: "integer", nullable: true }, fc.integer()],
  [{ kind: "number", nullable: true }, fc.double({ noNaN: true, noDefaultInfinity: true })],
  [{ kind: "bigint", nullable: true }, fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String)],
  [{ kind: "decimal", nullable: true, precision: 20, scale: 2 }, fc.integer().map((cents) => (cents / 100).toFixed(2))],
  [{ kind: "boolean", nullable: true }, fc.boolean()],
  [{ kind: "json", nullable: true }, fc.record({ a: fc.integer({ min: -2, max: 2 }) })],
];

function scalar(kind: TextKind): WireType {
  return { kind, nullable: true };
}

const burst = fc.record({
  added: fc.integer({ min: 1, max: 500 }),
  deleted: fc.nat(500),
  updated: fc.nat(200),
  seed: fc.nat(1e6),
});

test.each(values.map(([type, value]) => ({ kind: type.kind, type, value })))(
  "equals a sorted array of $kind values after bursts of writes",
  ({ type, value }) => {
    const own: FieldOrder = {
      field: "value",
      tieFields: ["id"],
      ranking: rankingOf(type),
      compareValues: compareWithNulls(type, false),
      compareTies: (a, b) => Number(a["id"]) - Number(b["id"]),
    };
    const compareOwn = (a: Row, b: Row): number =>
      own.compareValues(a["value"] ?? null, b["value"] ?? null) || own.compareTies(a, b);
    let [found, largest] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(fc.option(value, { freq: 9 }), { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0, 100, 2_500),
        fc.array(burst, { maxLength: 4 }),
        (pool, size, bursts) => {
          const rows = new RowSlots();
          const valueAt = (n: number): Json => pool[n % pool.length] ?? null;
          let id = 0;
          const slots = Array.from({ length: size }, () => rows.add({ id, value: valueAt(id++ * 7) }));
          const tree = new SortedRows(rows, slots, own);
          for (const { added, deleted, updated, seed } of bursts) {
            for (let n = 0; n < added; n++) {
              const slot = rows.add({ id, value: valueAt(id++ + seed) });
              slots.push(slot);
              tree.add(slot);
            }
            for (let n = 0; n < updated; n++) {
              const slot = slots[(n * 31 + seed) % slots.length] as number;
              tree.delete(slot);
              rows.replace(slot, { id: rows.at(slot)["id"] ?? null, value: valueAt(n + seed) });
              tree.add(slot);
            }
            for (let n = 0; n < deleted && slots.length > 1; n++) {
              const [slot] = slots.splice((n * 13 + seed) % slots.length, 1) as [number];
              tree.delete(slot);
              rows.delete(slot);
            }
            const sorted = slots.map((slot) => rows.at(slot)).toSorted(compareOwn);
            const row = sorted[seed % sorted.length] as Row;
            const sought = row["value"] ?? null;
            expect(tree.at(tree.firstBehind(sought, (other) => compareOwn(other, row) >= 0))).toBe(row);
            const isNotBefore = (other: Json): boolean => own.compareValues(other, sought) >= 0;
            expect(tree.firstWhere(isNotBefore)).toBe(sorted.findIndex((other) => isNotBefore(other["value"] ?? null)));
            found++;
            expect(tree.length).toBe(sorted.length);
            const listed = tree.slice(0, tree.length);
            expect(listed.findIndex((other, index) => other !== sorted[index])).toBe(-1);
            largest = Math.max(largest, sorted.length);
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(found).toBeGreaterThan(15);
    expect(largest).toBeGreaterThan(1_500);
  },
);
