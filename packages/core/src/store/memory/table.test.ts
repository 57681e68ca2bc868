import { expect, test } from "vitest";
import type { ResourceModel, Row } from "../../model/model.ts";
import { bookRow, libraryModel } from "../../../test/library.ts";
import { createTable } from "./table.ts";

const resource = libraryModel().resources.get("book") as ResourceModel;

test.each([10, 60, 95])("contains the same rows after %d of 100 were deleted, and others took their slots", (count) => {
  const table = createTable(resource, new Set());
  const rows = Array.from({ length: 100 }, (_, n) => bookRow(`b${n}`, {}));
  for (const row of rows) table.insert(row);
  const deleted = rows.filter((_, n) => (n * 37) % 100 < count);
  for (const row of deleted) table.delete(row);
  const rest = new Set<Row>(rows.filter((row) => !deleted.includes(row)));
  expect(new Set(table.all.rows)).toEqual(rest);
  expect(table.all.size).toBe(100 - count);
  for (const row of deleted.slice(0, 5)) {
    table.insert(row);
    rest.add(row);
  }
  expect([...table.all.rows]).toHaveLength(105 - count);
  expect(new Set(table.all.rows)).toEqual(rest);
  for (const row of rest) expect(table.get(row["id"] as string)).toBe(row);
});
