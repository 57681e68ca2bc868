import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "../../model/model.ts";
import { RowSlots } from "./row-slots.ts";
import { type FieldOrder, SortedRows } from "./sorted-rows.ts";

const order: FieldOrder = {
  field: "price",
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
  for (const row of rows) tree.delete(slotOf(row));
  expect(tree.length).toBe(0);
  expect(tree.slice(0, 10)).toEqual([]);
  tree.add(slotOf(rows[1] as Row));
  expect(tree.at(0)).toBe(rows[1]);
});

test("doesn't change if a row is not in it", () => {
  const { rows, tree } = new Twins(rowsOf({ size: 500, step: 7 }));
  tree.delete(rows.add({ id: 3, price: 21 }));
  tree.delete(rows.add({ id: 9_999, price: 1 }));
  expect(tree.length).toBe(500);
});
