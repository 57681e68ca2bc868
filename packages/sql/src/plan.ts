/** A plan of a nested read. `"flat"` runs one statement for each level, `"one"` a single statement. */
export type Plan = "flat" | "one";

export function otherPlan(plan: Plan): Plan {
  return plan === "flat" ? "one" : "flat";
}
