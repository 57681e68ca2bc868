import { expect, test } from "vitest";
import { FairTurns, type FairTurnsOptions } from "./fair-turns.ts";
import { overloaded } from "./overload.ts";

/** Creates turns for a store with a settable number of waiting operations, and a `run` that records the order. */
function createTurns(options: Partial<FairTurnsOptions> = {}) {
  const store = { waiting: 0 };
  const waiting = (): number => store.waiting;
  const limits = { inFlight: 2_000, storeQueue: 100, storeWait: 1_000 };
  const shared = { storeWaiting: waiting, lastStoreWaiting: waiting, hasLoads: true, refusal: overloaded };
  const turns = new FairTurns({ ...limits, ...shared, ...options });
  const order: string[] = [];
  const refused: string[] = [];
  const run = (name: string): Promise<void> =>
    Promise.resolve(
      turns.run(
        () => name[0] as string,
        () => void order.push(name),
      ),
    ).catch(() => void refused.push(name));
  return { store, turns, order, refused, run };
}
const names = (caller: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${caller}${n + 1}`);

function busyFor(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("runs an operation immediately if the limits permit it", () => {
  const { turns } = createTurns();
  expect(
    turns.run(
      () => expect.unreachable("Nobody has to wait."),
      () => "done",
    ),
  ).toBe("done");
});

test("lets callers take turns once a full store is available again", async () => {
  const { store, order, run } = createTurns();
  store.waiting = 8;
  const all = [...names("a", 30), "b1", "c1", "b2"].map(run);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(order).toEqual([]);
  store.waiting = 0;
  await Promise.all(all);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", ...names("a", 30).slice(2)]);
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("rejects the newest operation of the caller with the most if too many wait for a store that is stuck", async () => {
  const { store, order, refused, run } = createTurns({ storeQueue: 5 });
  store.waiting = 8;
  const all = [...names("a", 7), "b1", "b2"].map(run);
  await pause(50);
  expect(refused).toEqual([]);
  await expect.poll(() => refused.toSorted()).toEqual(["a4", "a5", "a6", "a7"]);
  await run("a8");
  expect(refused).toHaveLength(5);
  store.waiting = 0;
  await Promise.all(all);
  expect(order).toEqual(["a1", "b1", "a2", "b2", "a3"]);
});

test.each<[refuses: string, storeWait: number, least: number, most: number]>([
  ["nothing", 10_000, 0, 0],
  ["most", 100, 30, 55],
])(
  "rejects %s of 60 operations if a store begins one each 10 ms and storeWait is %d ms",
  async (_, storeWait, least, most) => {
    const { store, turns } = createTurns({ storeQueue: 5, storeWait });
    store.waiting = 8;
    const free = (): void => void (store.waiting = 0);
    const begin = (): void => {
      store.waiting = 8;
      setTimeout(free, 10);
    };
    setTimeout(free, 10);
    const all = await Promise.allSettled(names("a", 60).map(async () => turns.run(() => "a", begin)));
    const refused = all.filter(({ status }) => status === "rejected").length;
    expect(refused).toBeGreaterThanOrEqual(least);
    expect(refused).toBeLessThanOrEqual(most);
  },
);

test("with limits of Infinity, rejects nothing", async () => {
  const { store, order, refused, run } = createTurns({ storeQueue: Infinity, storeWait: Infinity });
  store.waiting = 8;
  const all = names("a", 200).map(run);
  await pause(150);
  store.waiting = 0;
  await Promise.all(all);
  expect([order.length, refused]).toEqual([200, []]);
});

test("queues up to half of `inFlight` while the process is busy, and always accepts another caller", async () => {
  const { turns, order, refused } = createTurns({ inFlight: 10, hasLoads: false });
  const work = async (name: string): Promise<void> => {
    const turn = async (): Promise<void> =>
      turns.run(
        () => name[0] as string,
        () => {
          busyFor(3);
          order.push(name);
        },
      );
    await turn().catch(() => refused.push(name));
  };
  await Promise.all([...names("a", 20), "b1"].map(work));
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.every((name) => name.startsWith("a"))).toBe(true);
  expect(order).toContain("b1");
});

test("rejects an operation of a caller whose own operation has waited too long for a store", async () => {
  const { store, order, refused, run } = createTurns({ storeWait: 20 });
  store.waiting = 8;
  const first = run("a1");
  await new Promise((resolve) => setTimeout(resolve, 40));
  const others = [run("a2"), run("b1")];
  await others[0];
  expect(refused).toEqual(["a2"]);
  store.waiting = 0;
  await Promise.all([first, ...others]);
  expect(order).toEqual(["a1", "b1"]);
});

test("serves other callers after some milliseconds while the process is busy", async () => {
  const { turns, order } = createTurns({ hasLoads: false });
  const work = async (name: string): Promise<void> =>
    turns.run(
      () => name[0] as string,
      () => {
        busyFor(1);
        order.push(name);
      },
    );
  const greedy = names("a", 60).map(work);
  expect(order.length).toBeLessThan(30);
  const before = order.length;
  await Promise.all([...greedy, work("b1")]);
  expect(order.indexOf("b1")).toBe(before + 1);
});

test("counts an operation that throws as a turn", async () => {
  const { store, turns, order, run } = createTurns();
  store.waiting = 8;
  const failing = Promise.resolve(
    turns.run(
      () => "a",
      () => {
        throw new Error("no");
      },
    ),
  );
  const next = run("a2");
  store.waiting = 0;
  await expect(failing).rejects.toThrow("no");
  await next;
  expect(order).toEqual(["a2"]);
});

test("starts few asynchronous operations before it lets the event loop handle other events", async () => {
  const { turns } = createTurns({ hasLoads: false });
  let sinceTurn = 0;
  let most = 0;
  let counting = setImmediate(function count() {
    sinceTurn = 0;
    counting = setImmediate(count);
  });
  // All begin in one task, like pipelined requests.
  const work = async (): Promise<void> => {
    await Promise.resolve();
    most = Math.max(most, ++sinceTurn);
  };
  await Promise.all(Array.from({ length: 200 }, async () => turns.run(() => "a", work)));
  clearImmediate(counting);
  expect(most).toBeLessThan(25);
});
