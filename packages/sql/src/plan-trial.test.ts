import { describe, expect, test } from "vitest";
import type { Plan } from "./plan.ts";
import { PlanTrial } from "./plan-trial.ts";
import { Traffic } from "./traffic.ts";

interface Load {
  /** Milliseconds that a read takes if the database runs it alone. */
  readonly cost: Readonly<Record<Plan, number>>;
  /** Clients that send the next read after the last one. */
  readonly clients: number;
  /** Milliseconds that a client waits between two reads. */
  readonly pause: number;
}

/** A database that runs one read after the other, with its own clock. */
class Simulation {
  now = 0;
  readonly traffic = new Traffic(() => this.now);
  readonly trial = new PlanTrial(this.traffic);
  readonly served: Record<Plan, number> = { flat: 0, one: 0 };

  run({ cost, clients, pause }: Load, { usual, until }: { readonly usual: Plan; readonly until: number }): void {
    const arrivals = Array.from({ length: clients }, (_, at) => this.now + (at * pause) / clients);
    let free = this.now;
    let ends: number[] = [];
    for (;;) {
      const at = arrivals.indexOf(Math.min(...arrivals));
      const arrival = arrivals[at] as number;
      if (arrival >= until) break;
      for (const end of ends.filter((time) => time <= arrival).toSorted((a, b) => a - b)) {
        this.now = end;
        this.traffic.end();
      }
      ends = ends.filter((time) => time > arrival);
      this.now = arrival;
      const plan = this.trial.next(usual, this.now) ?? usual;
      this.traffic.start();
      free = Math.max(free, arrival) + cost[plan];
      ends.push(free);
      this.served[plan]++;
      arrivals[at] = free + pause;
    }
    for (const end of ends.toSorted((a, b) => a - b)) {
      this.now = end;
      this.traffic.end();
    }
    this.now = until;
  }
}

describe("while the database is saturated", () => {
  const load = { clients: 16, pause: 0 };

  test.each(["flat", "one"] as const)("keeps the faster plan if the usual plan is %s", (usual) => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual, until: 5_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    expect(simulation.trial.decision?.ratio).toBeCloseTo(1.5, 1);
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual, until: 65_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    expect(simulation.served.one / simulation.served.flat).toBeLessThan(0.05);
  });

  test("uses its decision at once when the load returns", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 5_000 });
    simulation.run({ clients: 2, pause: 5, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 8_000 });
    const { one } = simulation.served;
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 10_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    // The other plan runs until the load is noticed, and in one window to check the decision.
    expect((simulation.served.one - one) * 0.9).toBeLessThan(700);
  });

  test("ends a trial after one window in which the other plan is slower", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "flat", until: 2_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    expect(simulation.served.one * 0.9).toBeLessThan(300);
  });

  test("tries the other plan although reads take long", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 8, one: 12 } }, { usual: "one", until: 10_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("keeps the usual plan if the other one is hardly faster", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.63 } }, { usual: "one", until: 5_000 });
    expect(simulation.trial.decision?.plan).toBe("one");
  });

  test("changes its decision when the other plan becomes faster", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 5_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    simulation.run({ ...load, cost: { flat: 2, one: 0.9 } }, { usual: "one", until: 40_000 });
    expect(simulation.trial.decision?.plan).toBe("one");
  });
});

test("tries nothing if the database isn't saturated", () => {
  const simulation = new Simulation();
  simulation.run({ clients: 2, pause: 5, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 10_000 });
  expect(simulation.served.flat).toBe(0);
  expect(simulation.served.one).toBeGreaterThan(1_000);
  expect(simulation.trial.decision).toBeUndefined();
});

test("returns to the usual plan when the load ends", () => {
  const simulation = new Simulation();
  simulation.run({ clients: 16, pause: 0, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 5_000 });
  expect(simulation.trial.decision?.plan).toBe("flat");
  simulation.run({ clients: 2, pause: 5, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 40_000 });
  expect(simulation.trial.decision).toBeUndefined();
  const { flat } = simulation.served;
  simulation.run({ clients: 2, pause: 5, cost: { flat: 0.6, one: 0.9 } }, { usual: "one", until: 50_000 });
  expect(simulation.served.flat).toBe(flat);
});
