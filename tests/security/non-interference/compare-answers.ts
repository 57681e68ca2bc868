import { isDeepStrictEqual } from "node:util";
import { expect, vi } from "vitest";
import type { Caller } from "./callers.ts";
import { applyAllHidden, type HiddenChange } from "./hidden-change.ts";
import { createPicks } from "./picks.ts";
import { type DrawnRequest, kindNamed } from "./request-kinds.ts";
import { type Answered, type Asked, send } from "./send.ts";
import { createSituation } from "./situation.ts";
import type { State } from "./state.ts";
import type { createTally } from "./tally.ts";
import type { createView } from "./view.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import type { World } from "./world.ts";

/** Two worlds, and the caller that must not see a difference between them. */
export interface Pair {
  readonly plan: SchemaPlan;
  readonly worlds: readonly [World, World];
  readonly observer: Caller;
  /** Calls in between, and can see more than the observer. */
  readonly another: Caller;
  readonly viewOf: (caller: Caller) => ReturnType<typeof createView>;
  readonly tally: ReturnType<typeof createTally>;
  /** Text that was not used before. */
  readonly unique: () => string;
}

export interface Case {
  readonly first: State;
  readonly changes: readonly HiddenChange[];
  readonly requests: readonly DrawnRequest[];
}

/** Whether a case could have found a leak. */
export interface Compared {
  /** The states differed. */
  readonly isDifferent: boolean;
  /** Writes that legitimately showed the observer more of one world. The comparison continued from there. */
  readonly divergences: number;
}

const isWrite = ({ method, body }: Asked): boolean =>
  !["GET", "HEAD", "QUERY"].includes(method) && (body === undefined || !JSON.stringify(body).startsWith('{"query":"{'));

/** Two responses that differ, with everything that a reader needs to find the cause. */
class Difference extends Error {
  constructor(before: { observer: Caller; asked: Asked; mine: State; theirs: State }, here: Answered, there: Answered) {
    const { observer, asked, mine, theirs } = before;
    const lines = [`observer: ${JSON.stringify(observer)}`, `asked: ${JSON.stringify(asked)}`];
    const worlds = [mine, theirs].flatMap((state) =>
      Object.entries(state).map(
        ([name, rows]) => `${name}: ${(rows as readonly unknown[]).map((row) => JSON.stringify(row)).join("\n      ")}`,
      ),
    );
    super([...lines, ...worlds, JSON.stringify(here, null, 1), JSON.stringify(there, null, 1)].join("\n"));
  }
}

/** Sends the same requests to both worlds, and expects equal responses for the observer, byte for byte. */
export async function compareAnswers(pair: Pair, { first, changes, requests }: Case): Promise<Compared> {
  const { plan, worlds, observer, another, viewOf, tally, unique } = pair;
  const [one, other] = worlds;
  const view = viewOf(observer);
  let [mine, theirs] = [first, applyAllHidden(plan, view, first, changes)];
  expect(view.viewOf(theirs)).toBe(view.viewOf(mine));
  const isDifferent = theirs !== mine;
  let [isApart, divergences, nextId] = [isDifferent, 0, 1_000];
  await Promise.all([one.become(mine), other.become(theirs)]);
  for (const { kind: name, isOthers, numbers } of requests) {
    const kind = kindNamed(name);
    const [caller, second] = isOthers ? [another, observer] : [observer, another];
    const picks = createPicks(numbers);
    const { schema } = one.api.graphql;
    const situation = {
      plan,
      schema,
      caller,
      another: second,
      view: viewOf(caller),
      state: mine,
      picks,
      unique: unique(),
    };
    const steps = kind.build(createSituation(situation));
    let last: Answered | undefined;
    tally.begin(kind);
    for (const [at, step] of steps.entries()) {
      const asked = typeof step === "function" ? last && step(last) : step;
      if (asked === undefined) break;
      nextId += 50;
      for (const world of worlds) world.callNext(nextId);
      // Deletions and histories contain the time, which must be the same in both worlds.
      vi.setSystemTime(Date.now() + 1_000);
      const [here, there] = await Promise.all([send(one, asked), send(other, asked)]);
      last = here;
      const isObservers = asked.caller === observer;
      const before = { observer, asked, mine, theirs };
      for (const { status } of [here, there]) if (status >= 500) throw new Difference(before, here, there);
      if (isObservers && here.status !== there.status) throw new Difference(before, here, there);
      if (isWrite(asked)) {
        [mine, theirs] = await Promise.all([one.read(), other.read()]);
        isApart = JSON.stringify(mine) !== JSON.stringify(theirs);
      }
      const isAlike = view.viewOf(mine) === view.viewOf(theirs);
      if (isAlike && isObservers && !isDeepStrictEqual(here, there)) throw new Difference(before, here, there);
      if (at === steps.length - 1) tally.count(kind, here, isAlike && isObservers && isApart, plan);
      if (isAlike) continue;
      // A write can show hidden data to its writer or to others. From here on, the worlds must differ only in hidden
      // data again.
      divergences++;
      theirs = applyAllHidden(plan, view, mine, changes);
      isApart = theirs !== mine;
      await other.become(theirs);
      break;
    }
  }
  return { isDifferent, divergences };
}
