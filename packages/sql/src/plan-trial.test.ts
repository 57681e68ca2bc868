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
  /** The first reads of a plan, which take three times as long because V8 hasn't compiled their code yet. */
  readonly cold?: number;
  /** How many times as long reads take at a time, because the machine is shared. */
  readonly slowness?: (now: number) => number;
}

/** A database that runs one read after the other, with its own clock. */
class Simulation {
  now = 0;
  readonly traffic = new Traffic(() => this.now);
  readonly served: Record<Plan, number> = { flat: 0, one: 0 };
  trial = new PlanTrial(this.traffic, this.served);

  run(
    { cost, clients, pause, cold = 0, slowness = () => 1 }: Load,
    { usual, until }: { readonly usual: Plan; readonly until: number },
  ): void {
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
      free = Math.max(free, arrival) + cost[plan] * slowness(arrival) * (this.served[plan] < cold ? 3 : 1);
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
    // The other plan runs until the load is noticed, and in two rounds to check the decision.
    expect((simulation.served.one - one) * 0.9).toBeLessThan(1_000);
  });

  test("ends a trial after two rounds in which the other plan is slower", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "flat", until: 6_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    // Besides these two, there are rounds that don't count, with 1,500 reads.
    expect(simulation.served.one * 0.9).toBeLessThan(2_200);
  });

  test("ends a trial after one round in which the other plan takes more than twice as long", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 2 } }, { usual: "flat", until: 9_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    // Besides this one, there are up to twelve rounds that don't count.
    expect(simulation.served.one * 2).toBeLessThan(4_000);
  });

  test("ends a trial although the other plan serves hardly any reads", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 5, one: 500 } }, { usual: "flat", until: 4_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    simulation.run({ ...load, cost: { flat: 5, one: 500 } }, { usual: "flat", until: 50_000 });
    expect(simulation.served.one).toBeLessThan(30);
  });

  test("ends a trial although a read of the other plan takes longer than a window", () => {
    const simulation = new Simulation();
    const slow = { clients: 7, pause: 0, cost: { flat: 5, one: 1_500 } };
    simulation.run(slow, { usual: "flat", until: 60_000 });
    const { one } = simulation.served;
    simulation.run(slow, { usual: "flat", until: 120_000 });
    expect(simulation.served.one - one).toBeLessThan(20);
    expect(simulation.served.flat).toBeGreaterThan(12_000);
  });

  test("finds a plan with which the load no longer saturates the database", () => {
    const simulation = new Simulation();
    const light = { clients: 6, pause: 1, cost: { flat: 1, one: 0.3 } };
    simulation.run(light, { usual: "flat", until: 60_000 });
    const { flat, one } = simulation.served;
    simulation.run(light, { usual: "flat", until: 120_000 });
    const served = { flat: simulation.served.flat - flat, one: simulation.served.one - one };
    expect(served.one / served.flat).toBeGreaterThan(1);
  });

  test("continues a trial with the next load", () => {
    const simulation = new Simulation();
    const cost = { flat: 0.6, one: 0.9 };
    for (let start = 0; start < 40_000; start += 4_000) {
      simulation.run({ ...load, cost }, { usual: "one", until: start + 1_000 });
      simulation.run({ clients: 2, pause: 5, cost }, { usual: "one", until: start + 4_000 });
    }
    simulation.run({ ...load, cost }, { usual: "one", until: 41_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("keeps its decision between the bursts of a load", () => {
    const simulation = new Simulation();
    const cost = { flat: 0.6, one: 0.9 };
    simulation.run({ ...load, cost }, { usual: "one", until: 5_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    const before = { ...simulation.served };
    for (let start = 10_000; start < 60_000; start += 10_000) {
      simulation.now = start;
      simulation.run({ ...load, cost }, { usual: "one", until: start + 1_500 });
    }
    expect(simulation.served.flat - before.flat).toBeGreaterThan(7_000);
    // A trial of two rounds after 5 seconds of load, and none at the beginning of each burst.
    expect((simulation.served.one - before.one) * 0.9).toBeLessThan(800);
  });

  test("gives the other plan time until its code is compiled", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 }, cold: 1_200 }, { usual: "one", until: 8_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("waits for compiled code only in the first kind of reads", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "flat", until: 6_000 });
    const { one } = simulation.served;
    simulation.trial = new PlanTrial(simulation.traffic, simulation.served);
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.9 } }, { usual: "flat", until: 8_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
    expect((simulation.served.one - one) * 0.9).toBeLessThan(800);
  });

  test("tries the other plan although reads take long", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 8, one: 12 } }, { usual: "one", until: 20_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("keeps a statement for each level if a single one is hardly faster", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.54 } }, { usual: "flat", until: 20_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("replaces a single statement that is hardly slower", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.62 } }, { usual: "one", until: 20_000 });
    expect(simulation.trial.decision?.plan).toBe("flat");
  });

  test("uses a single statement that is clearly faster", () => {
    const simulation = new Simulation();
    simulation.run({ ...load, cost: { flat: 0.6, one: 0.5 } }, { usual: "flat", until: 20_000 });
    expect(simulation.trial.decision?.plan).toBe("one");
  });

  test("finds the faster plan although the speed of the machine varies", () => {
    const found = { flat: 0, one: 0 };
    for (let seed = 1; seed <= 40; seed++) {
      const simulation = new Simulation();
      // Another speed every 150 ms, by up to half.
      const slowness = (now: number): number => 1 + ((Math.floor(now / 150) * 7_919 * seed) % 101) / 200;
      simulation.run({ ...load, cost: { flat: 0.6, one: 0.78 }, slowness }, { usual: "one", until: 60_000 });
      found[simulation.trial.decision?.plan ?? "one"]++;
    }
    expect(found.flat).toBeGreaterThanOrEqual(38);
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
