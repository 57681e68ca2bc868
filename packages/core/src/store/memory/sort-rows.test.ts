import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "../../model/model.ts";
import { libraryModel } from "../../../test/library.ts";
import { Evaluation } from "../evaluation.ts";
import { firstRows } from "./first-rows.ts";
import type { Order } from "./order.ts";
import { sortRows } from "./sort-rows.ts";

const model = libraryModel();
const order: Order = {
  compare: (a, b) => Number(a["n"]) - Number(b["n"]),
  compareTo: () => 0,
  positionOf: () => [],
};

test.each([
  ["sorted rows", sortRows],
  ["the first 100 rows", (rows: readonly Row[], by: Order, own: Evaluation) => firstRows(rows, 100, by, own)],
  ["the first 2,000 rows", (rows: readonly Row[], by: Order, own: Evaluation) => firstRows(rows, 2_000, by, own)],
])("%s equal those of a plain sort, with any pauses", (name, start) => {
  const count = name === "sorted rows" ? Number.POSITIVE_INFINITY : name.includes("2,000") ? 2_000 : 100;
  let pauses = 0;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 0, maxLength: 20 }),
      fc.nat(6_000),
      (seed, size) => {
        const rows: Row[] = Array.from({ length: size }, (_, n) => ({
          n: (seed[n % seed.length] ?? n) * ((n * 7) % 31),
          at: n,
        }));
        const evaluation = new Evaluation(model, () => [], undefined, 700);
        const reading = start(rows, order, evaluation);
        let found = reading();
        for (; found === undefined; found = reading()) {
          pauses++;
          evaluation.resume();
        }
        expect(found.map(({ n }) => n)).toEqual(
          rows
            .toSorted(order.compare)
            .slice(0, count)
            .map(({ n }) => n),
        );
      },
    ),
    { numRuns: 50 },
  );
  expect(pauses).toBeGreaterThan(20);
});
