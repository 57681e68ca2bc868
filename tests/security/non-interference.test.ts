import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyHidden, type HiddenChange, hiddenChange } from "./worlds/hidden-change.ts";
import { answer, isWrite, requests } from "./worlds/requests.ts";
import { KINDS, type Shelf } from "./worlds/shelf.ts";
import { rules, state } from "./worlds/states.ts";
import { bySse, byWebSocket, ring, type Ways } from "./worlds/streams.ts";
import { seesAny, seesRow, viewOf } from "./worlds/view.ts";
import { createWorld, type Row, type Rules, type State, type World } from "./worlds/world.ts";

/** Cases in all stores together. */
const RUNS = Number(process.env["ACCESS_RUNS"] ?? 300);
const HOURS = 4 * 3_600_000;

const small = fc.integer({ min: 0, max: 2 });
const changes = fc.array(hiddenChange, { minLength: 1, maxLength: 8 });

/** An API is made once for some cases: most of the time would go there. */
const [FEWEST, MOST] = [2, 10];
const many = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(one, { minLength: FEWEST, maxLength: MOST, size: "max" });
const numRuns = (runs: number): number => Math.ceil((runs * 2) / (FEWEST + MOST));

async function stateOf({ system }: World): Promise<State> {
  const [rows, notes] = await Promise.all([
    system.row.list({ page: { size: 100 } }),
    system.note.list({ page: { size: 100 } }),
  ]);
  return { rows: rows.items.map((row) => ({ ...row, secret: 0 })), notes: notes.items };
}

describe.each(KINDS)("on $name", ({ missing, heard, create }) => {
  let shelves: readonly [Shelf, Shelf];
  beforeAll(async () => {
    if (missing === undefined) shelves = [await create(), await create()];
  });
  afterAll(async () => {
    for (const shelf of shelves ?? []) await shelf.close();
  });

  async function inTwoWorlds(
    allowed: Rules,
    hasBells: boolean,
    work: (one: World, other: World) => Promise<void>,
  ): Promise<void> {
    const [one, other] = [
      createWorld(allowed, shelves[0], { hasBells }),
      createWorld(allowed, shelves[1], { hasBells }),
    ];
    try {
      await work(one, other);
    } finally {
      await one.api.close();
      await other.api.close();
    }
  }

  test.skipIf(missing !== undefined)(
    "what P may not see cannot change one byte of what it gets, in either style",
    async () => {
      let [different, seeing, all] = [0, 0, 0];
      const cases = many(fc.tuple(state, changes, requests));
      await fc.assert(
        fc.asyncProperty(rules, cases, async (allowed, drawn) =>
          inTwoWorlds(allowed, false, async (one, other) => {
            for (const [first, hidden, asked] of drawn) {
              const second = hidden.reduce((now, change) => applyHidden(allowed, now, change)?.state ?? now, first);
              expect(viewOf(allowed, second)).toBe(viewOf(allowed, first));
              all++;
              if (second !== first) different++;
              if (seesAny(allowed, first)) seeing++;
              await one.become(first);
              await other.become(second);
              for (const request of asked) {
                const [here, there] = [await answer(one, request), await answer(other, request)];
                expect(here.status).toBe(there.status);
                // What it wrote may show it what was hidden, and is answered as it shows it then.
                if (isWrite(request)) {
                  const [mine, others] = await Promise.all([one, other].map(stateOf));
                  if (viewOf(allowed, mine as State) !== viewOf(allowed, others as State)) break;
                }
                expect(here).toEqual(there);
              }
            }
          }),
        ),
        { numRuns: numRuns(RUNS / KINDS.length), seed: drawSeed("ACCESS_SEED") },
      );
      // Most pairs of states do differ, and in many of them P sees something.
      expect(different).toBeGreaterThan(all / 2);
      expect(seeing).toBeGreaterThan(all / 10);
    },
    HOURS,
  );

  interface Heard {
    readonly world: World;
    readonly ways: Ways;
  }

  /** Two ways to go from a state, and a color that a row has in the end. */
  type Going = readonly [first: State, hidden: readonly HiddenChange[], others: readonly HiddenChange[], color: number];

  /** What P hears while each world goes another way, as far as P sees the same. */
  async function expectAlikeFrom(
    allowed: Rules,
    both: readonly Heard[],
    [first, hidden, others, color]: Going,
  ): Promise<void> {
    const went = await Promise.all(
      both.map(async ({ world, ways }, at) => {
        await world.become(first);
        const streams = await ways.listen();
        await ring(world, streams);
        let now = first;
        const left: Row[] = [];
        for (const change of at === 0 ? hidden : others) {
          const applied = applyHidden(allowed, now, change);
          if (applied === undefined) continue;
          const gone = now.rows.filter((row) => !applied.state.rows.includes(row) && !seesRow(allowed, now, row));
          // A row as it was is judged by related rows as they are: that is told all the same (docs/threat-model.md).
          if ([...left, ...gone].some((row) => seesRow(allowed, applied.state, row))) continue;
          left.push(...gone);
          await applied.perform(world);
          now = applied.state;
        }
        return { world, streams, now, left };
      }),
    );
    for (const { now } of went) expect(viewOf(allowed, now)).toBe(viewOf(allowed, first));
    // Something that all see, if they see anything: a change of a row in both worlds.
    const shown = first.rows[0]?.id ?? 0;
    const isSame = went.every(({ now: { rows, notes }, left }) => {
      const then = { rows: rows.map((row) => (row.id === shown ? { ...row, color } : row)), notes };
      return (
        rows.some((row) => row.id === shown && row.color !== color) && !left.some((row) => seesRow(allowed, then, row))
      );
    });
    const told = await Promise.all(
      went.map(async ({ world, streams }) => {
        if (isSame) await world.system.row.actions.set(shown, { color });
        await ring(world, streams);
        return Promise.all(streams.map(async (stream) => stream.end()));
      }),
    );
    // What the last change showed is compared where it left both worlds with the same view.
    const [mine, theirs] = went.map(({ now: { rows, notes } }) =>
      viewOf(allowed, { rows: rows.map((row) => (isSame && row.id === shown ? { ...row, color } : row)), notes }),
    );
    if (mine === theirs) expect(told[0]).toEqual(told[1]);
  }

  async function hearAlike(open: (world: World) => Promise<Ways>, runs: number): Promise<void> {
    const cases = many(fc.tuple(state, changes, changes, small));
    await fc.assert(
      fc.asyncProperty(rules, cases, async (allowed, drawn) =>
        inTwoWorlds(allowed, true, async (...worlds) => {
          const both = await Promise.all(worlds.map(async (world) => ({ world, ways: await open(world) })));
          try {
            for (const one of drawn) await expectAlikeFrom(allowed, both, one);
          } finally {
            for (const { ways } of both) await ways.close();
          }
        }),
      ),
      { numRuns: numRuns(runs), seed: drawSeed("ACCESS_SEED") },
    );
  }

  test.skipIf(missing !== undefined)(
    "nor one byte of its event streams",
    async () => {
      await expect(hearAlike(bySse, RUNS * heard)).resolves.toBeUndefined();
    },
    HOURS,
  );

  test.skipIf(missing !== undefined)(
    "nor one message over WebSocket",
    async () => {
      await expect(hearAlike(byWebSocket, (RUNS * heard) / 10)).resolves.toBeUndefined();
    },
    HOURS,
  );
});
