import { isDeepStrictEqual } from "node:util";
import { ring } from "./bells.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import { applyHidden, type HiddenChange } from "./hidden-change.ts";
import type { Row, State } from "./state.ts";
import type { Ways } from "./streams.ts";
import type { View } from "./view.ts";
import type { World } from "./world.ts";

/** A world with the streams of a caller. */
export interface Heard {
  readonly world: World;
  readonly ways: Ways;
}

/** Changes to make while streams are open, and between closing and resuming them. */
export interface StreamCase {
  readonly first: State;
  /** Two alternative sequences of changes. The caller can see neither. */
  readonly changes: readonly [readonly HiddenChange[], readonly HiddenChange[]];
  /** The number of changes before the streams end; they are resumed after the rest. `null`: they stay open. */
  readonly resumesAfter: number | null;
  /** The color of a row at the end, in both worlds. */
  readonly color: number;
  /** The row that changes: the first hidden one, or else the first. */
  readonly showsHidden: boolean;
}

interface Went {
  readonly now: State;
  /** Versions of hidden rows that have been deleted. */
  readonly left: readonly Row[];
  readonly performed: number;
}

async function perform(
  plan: SchemaPlan,
  view: View,
  world: World,
  changes: readonly HiddenChange[],
  before: Went,
): Promise<Went> {
  let { now, performed } = before;
  const left = [...before.left];
  for (const change of changes) {
    const applied = applyHidden(plan, view, now, change, true);
    if (applied?.perform === undefined) continue;
    const gone = [now, ...(applied.between === undefined ? [] : [applied.between])].flatMap((state) =>
      state.rows.filter((row) => !applied.state.rows.includes(row) && !view.seesRow(state, row)),
    );
    // Rules judge an earlier version of a row by the current related rows, which can reveal its key (docs/threat-model.md).
    if ([...left, ...gone].some((row) => view.seesRow(applied.state, row))) continue;
    left.push(...gone);
    await applied.perform(world);
    now = applied.state;
    performed++;
  }
  return { now, left, performed };
}

const withColor = (state: State, id: number, color: number): State => ({
  ...state,
  rows: state.rows.map((row) => (row.id === id ? { ...row, color } : row)),
});

/**
 * Expects the streams of two worlds to send the same events while each world changes differently. Returns the number
 * of hidden changes.
 */
export async function compareStreams(
  plan: SchemaPlan,
  view: View,
  both: readonly [Heard, Heard],
  { first, changes, resumesAfter, color, showsHidden }: StreamCase,
): Promise<number> {
  const went = await Promise.all(
    both.map(async ({ world, ways }, at) => {
      await world.become(first);
      const streams = await ways.open();
      await ring(plan, world, streams);
      const all = changes[at] ?? [];
      const start: Went = { now: first, left: [], performed: 0 };
      const here = await perform(plan, view, world, all.slice(0, resumesAfter ?? all.length), start);
      await ring(plan, world, streams);
      if (resumesAfter === null) return { world, ways, streams, ...here };
      for (const stream of streams) await stream.close();
      return { world, ways, streams, ...(await perform(plan, view, world, all.slice(resumesAfter), here)) };
    }),
  );
  // A change that every subscriber sees: the same change of the same row in both worlds.
  const hiddenRow = showsHidden ? first.rows.find((row) => !view.seesRow(first, row)) : undefined;
  const shown = (hiddenRow ?? first.rows[0])?.id ?? 0;
  const isShared = went.every(({ now, left }) => {
    const then = withColor(now, shown, color);
    return (
      now.rows.some((row) => row.id === shown && row.color !== color) && !left.some((row) => view.seesRow(then, row))
    );
  });
  const sent = await Promise.all(
    went.map(async ({ world, ways, streams }) => {
      if (isShared) await world.system.row.actions.set(shown, { color });
      const ids = streams.map(({ record }) => record.lastId());
      const resumed = resumesAfter === null ? [] : await ways.open(ids);
      const open = resumesAfter === null ? streams : resumed;
      await ring(plan, world, open);
      for (const stream of open) await stream.close();
      return [...streams, ...resumed].map(({ record }) => record.all());
    }),
  );
  // The last change may show more of one world. Compare only if both views are still the same.
  const [mine, theirs] = went.map(({ now }) => view.viewOf(isShared ? withColor(now, shown, color) : now));
  if (mine === theirs && !isDeepStrictEqual(sent[0], sent[1])) {
    const states = went.map(({ now }) => JSON.stringify(now));
    throw new Error(
      [
        JSON.stringify(first),
        JSON.stringify(changes),
        ...states,
        ...sent.map((one) => JSON.stringify(one, null, 1)),
      ].join("\n"),
    );
  }
  return went.reduce((sum, { performed }) => sum + performed, 0);
}
