import fc from "fast-check";
import type { Asked } from "./draw.ts";
import { READS } from "./read-doors.ts";
import { WRITES } from "./write-doors.ts";

/** Every way to reach rows, by name. */
export const DOORS: Readonly<Record<string, fc.Arbitrary<Asked>>> = { ...READS, ...WRITES };
/** Doors that only let moderators through: other callers may neither read deleted rows nor restore them. */
export const MODERATED: ReadonlySet<string> = new Set(["deletedRows", "restore", "graphqlRestore"]);
/** Doors that let no caller through: relations only have living rows. */
export const CLOSED: ReadonlySet<string> = new Set(["nestedDeletedRows"]);

/** Doors that few ids let through. They are drawn more often. */
const NARROW: ReadonlySet<string> = new Set([
  "deletedRows",
  "restore",
  "createReview",
  "mention",
  "update",
  "graphqlCreateWithParts",
  "updateParts",
  "deleteParts",
]);

export const asked: fc.Arbitrary<{ readonly door: string; readonly asked: Asked }> = fc.oneof(
  ...Object.entries(DOORS).map(([door, all]) => ({
    weight: NARROW.has(door) ? 3 : 1,
    arbitrary: all.map((one) => ({ door, asked: one })),
  })),
);
