import type { ClientResource } from "@bifocal/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "../lens.ts";
import { createLivePage } from "./live-page.ts";
import type { LiveChange } from "./live-source.ts";
import { compareValues } from "./row-order.ts";

const book = { name: "book", key: ["id"], pageSize: 3 } as unknown as ClientResource;
const SORTS = [[], ["price"], ["-price"], ["title", "-price"]];

const byId = fc.record({
  id: fc.integer({ min: 0, max: 7 }),
  title: fc.constantFrom("a", "b", "Z"),
  price: fc.option(fc.integer({ min: 0, max: 3 })),
  isShown: fc.boolean(),
});
/** Writes a row, deletes one, or reads the page again. */
const step = fc.oneof(
  byId.map((row) => ({ kind: "write" as const, row })),
  fc.integer({ min: 0, max: 7 }).map((id) => ({ kind: "delete" as const, id })),
);

test("keeps a page equal to one that is read again, whenever it can", () => {
  let kept = 0;
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom(...SORTS),
      fc.boolean(),
      fc.array(byId),
      (steps, sort, isCounted, first) => {
        const rows = new Map<number, Row & { id: number; isShown: boolean }>(first.map((row) => [row.id, row]));
        const read = () => {
          const shown = [...rows.values()].filter(({ isShown }) => isShown);
          const order = [...sort, "id"].map((term) => term.split("-") as [string, string?]);
          shown.sort((a: Row, b: Row) => {
            for (const [up, down] of order) {
              const compared = compareValues(a[down ?? up], b[down ?? up]) as number;
              if (compared !== 0) return down === undefined ? compared : -compared;
            }
            return 0;
          });
          return {
            items: shown.slice(0, 3),
            hasNext: shown.length > 3,
            hasPrevious: false,
            ...(isCounted ? { total: shown.length, totalIsExact: true } : {}),
          };
        };
        const live = createLivePage(book, { sort });
        const load = (): void => live.load({ ...read(), startCursor: null, endCursor: null });
        load();
        for (const one of steps) {
          const id = one.kind === "write" ? one.row.id : one.id;
          const old = rows.get(id);
          if (one.kind === "write") rows.set(id, one.row);
          else rows.delete(id);
          const change = changeOf(old, rows.get(id));
          if (change === undefined) continue;
          if (live.apply(change) === "unknown") load();
          else kept += 1;
          expect(live.page()).toEqual(read());
        }
      },
    ),
  );
  expect(kept).toBeGreaterThan(100);
});

/** The change that `watch` yields for a write. */
function changeOf(
  old: (Row & { isShown: boolean }) | undefined,
  row: (Row & { isShown: boolean }) | undefined,
): LiveChange | undefined {
  if (row === undefined) return old?.isShown === true ? { kind: "deleted", item: old } : undefined;
  if (row.isShown) return { kind: old === undefined ? "created" : "updated", item: row };
  return old?.isShown === true ? { kind: "left", key: row["id"] } : undefined;
}

test.each([
  ["after", { page: { after: "x" } }],
  ["an offset", { page: { offset: 3 } }],
  ["a search", { search: "x" }],
  ["deleted rows", { deleted: "with" }],
  ["a sort along a relation", { sort: ["author.name"] }],
])("can't apply changes to a page with %s", (_, query) => {
  const live = createLivePage(book, query);
  expect(live.apply({ kind: "created", item: { id: 1 } })).toBe("unknown");
});

test.each([
  ["9", "10"],
  ["-1", "-2"],
  ["2026-01-01T00:00:00+02:00", "2026-01-01T00:00:00+01:00"],
  ["\u{1f600}", "\uff5e"],
])("doesn't know the order of %s and %s", (a, b) => {
  expect(compareValues(a, b)).toBe(undefined);
});

test("knows the order of values of one form", () => {
  expect([compareValues("9.50", "1.25"), compareValues("2026-01-01", "2026-01-02")]).toEqual([1, -1]);
  expect([compareValues(1n, 2n), compareValues(new Date(2), new Date(1)), compareValues(false, true)]).toEqual([
    -1, 1, -1,
  ]);
});
