/** Whether to count all matching rows: up to `limits.query.count`, or `"exact"` without a bound. */
export type Count = boolean | "exact";

/** Returns the count that serves two requests for the same list. */
export function mergeCounts(a: Count | undefined, b: Count | undefined): Count {
  if (a === "exact" || b === "exact") return "exact";
  return a === true || b === true;
}
