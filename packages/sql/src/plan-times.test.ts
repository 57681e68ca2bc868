import { expect, test } from "vitest";
import type { Plan } from "./plan.ts";
import { PlanTimes } from "./plan-times.ts";

/** Reads one after the other. Returns how many reads each plan had. */
function read(
  times: PlanTimes,
  { count, usual, cost }: { readonly count: number; readonly usual: Plan; readonly cost: (plan: Plan) => number },
): Record<Plan, number> {
  const reads = { flat: 0, one: 0 };
  for (let n = 0; n < count; n++) {
    const plan = times.next(usual);
    reads[plan]++;
    times.add(plan, cost(plan));
  }
  return reads;
}

test.each(["flat", "one"] as const)("keeps the usual plan %s while it is faster", (usual) => {
  const times = new PlanTimes();
  const reads = read(times, { count: 1_000, usual, cost: (plan) => (plan === usual ? 1 : 3) });
  expect(times.decision).toEqual({ plan: usual, ratio: 3 });
  expect(reads[usual]).toBeGreaterThan(950);
});

test("spends at most a twentieth of its time on a slow plan", () => {
  const times = new PlanTimes();
  const reads = read(times, { count: 10_000, usual: "flat", cost: (plan) => (plan === "flat" ? 1 : 100) });
  expect(reads.one * 100).toBeLessThanOrEqual(10_000 / 20 + 2 * 100);
});

test("changes to the other plan if the usual one takes longer, and back", () => {
  const times = new PlanTimes();
  read(times, { count: 200, usual: "one", cost: (plan) => (plan === "one" ? 2 : 1) });
  expect(times.decision).toEqual({ plan: "flat", ratio: 2 });
  expect(times.plan("one")).toBe("flat");
  read(times, { count: 1_000, usual: "one", cost: (plan) => (plan === "one" ? 1 : 2) });
  expect(times.decision).toEqual({ plan: "one", ratio: 2 });
});

test("notices at once that its plan became slow, although the other one was much slower", () => {
  const times = new PlanTimes();
  read(times, { count: 10_000, usual: "one", cost: (plan) => (plan === "one" ? 1 : 50) });
  expect(times.decision).toEqual({ plan: "one", ratio: 50 });
  read(times, { count: 200, usual: "one", cost: (plan) => (plan === "one" ? 50 : 1) });
  expect(times.decision).toEqual({ plan: "flat", ratio: 50 });
});

test("keeps the plan if the other one is hardly faster", () => {
  const times = new PlanTimes();
  read(times, { count: 1_000, usual: "one", cost: (plan) => (plan === "one" ? 1.08 : 1) });
  expect(times.decision?.plan).toBe("one");
});

test("compares reads of the same time, although all reads become slower", () => {
  const times = new PlanTimes();
  let load = 1;
  const reads = read(times, {
    count: 5_000,
    usual: "one",
    cost: (plan) => (load *= 1.001) * (plan === "one" ? 1 : 1.2),
  });
  expect(times.decision?.plan).toBe("one");
  expect(reads.flat).toBeLessThan(300);
});

test("ignores single slow reads", () => {
  const times = new PlanTimes();
  let count = 0;
  read(times, {
    count: 2_000,
    usual: "one",
    cost: (plan) => (plan === "one" ? 1 : 1.3) * (count++ % 7 === 0 ? 50 : 1),
  });
  expect(times.decision?.plan).toBe("one");
});

test("follows the usual plan until both were measured", () => {
  const times = new PlanTimes();
  expect(times.next("one")).toBe("one");
  expect(times.next("flat")).toBe("flat");
  expect(times.decision).toBeUndefined();
});
