import { avg, computed, count, type LoadContext, max, sum } from "@bifocal/core";
import { z } from "zod";

// The fields of a drawn schema are not known at compile time.
const define = computed as unknown as (schema: z.ZodType, source: object) => object;

/** Counts visible rows of the same color, read as the caller. */
async function sameColor(
  rows: readonly { readonly color: number }[],
  { local }: LoadContext,
): Promise<readonly number[]> {
  const { items } = await local.list({ select: { color: true }, page: { size: 100 } });
  const colors = items.map((one) => one["color"]);
  return rows.map(({ color }) => colors.filter((one) => one === color).length);
}

/** Computed fields of each kind, of rows and of rows related to them. */
export const COMPUTED = {
  area: define(z.int(), {
    from: ["color", "size"],
    get: ({ color, size }: Record<"color" | "size", number>) => color * size,
  }),
  /** Inherits the read rule of `price`. */
  isFree: define(z.boolean(), { from: ["price"], get: ({ price }: { price: number }) => price === 0 }),
  sameColor: define(z.int(), { from: ["color"], load: sameColor }),
  itemCount: count("items"),
  noteCount: count("notes", { text: { eq: "n" } }),
  itemSize: sum("items", "size"),
  averageColor: avg("items", "color"),
  /** Hidden unless the caller can read `price` on every row. */
  dearestItem: max("items", "price"),
};

/** Those that filters and sorts can use. */
export const COMPUTED_IN_STORE = ["itemCount", "noteCount", "itemSize", "dearestItem"];
