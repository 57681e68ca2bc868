import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { meaning, type Tree } from "./rule-tree.ts";
import { expectGraphqlReads } from "./reference-graphql.ts";
import { shortenStacks } from "./shorten-stacks.ts";
import { answer } from "./worlds/requests.ts";
import { KINDS, type Shelf } from "./worlds/shelf.ts";
import { rules, state } from "./worlds/states.ts";
import { seesNote, seesPrice, seesRow, WRITTEN } from "./worlds/view.ts";
import { createWorld, type Row, type Rules, type State, type World } from "./worlds/world.ts";

/** Cases in all stores together, as many in each. */
const RUNS = Math.ceil(Number(process.env["ACCESS_RUNS"] ?? 300) / KINDS.length);

/** The reference: which rows P can access, decided row by row without a filter. */
const says = (rule: Tree, row: Row, rows: readonly Row[]): boolean =>
  meaning(rule, row, new Map(rows.map((one) => [one.id, one]))) === true;

function shown(rulesOfP: Rules, now: State, row: Row): object {
  const { secret: _, price, ...others } = row;
  return seesPrice(rulesOfP, now, row) ? { ...others, price } : others;
}

/** The state after a write of `WRITTEN` to some rows; `undefined` if it is rejected. */
function written(rulesOfP: Rules, now: State, targets: readonly Row[]): State | undefined {
  let rows = now.rows;
  for (const target of targets) {
    const row = rows.find(({ id }) => id === target.id) as Row;
    if (!seesRow(rulesOfP, { ...now, rows }, row) || !says(rulesOfP.write, row, rows)) return undefined;
    const after = { ...row, ...WRITTEN };
    rows = rows.map((one) => (one.id === row.id ? after : one));
    if (!says(rulesOfP.write, after, rows)) return undefined;
  }
  return { ...now, rows };
}

interface Answered {
  readonly status: number;
  readonly text: string;
}
const ask = (world: World, method: string, url: string, body?: unknown): Promise<Answered> =>
  answer(world, { method, url, body });

/** The content of a list. The API rejects a caller who can't read any of the rows. */
const listed = ({ status, text }: Answered): unknown => (status === 403 ? [] : JSON.parse(text));

async function expectReads(world: World, rulesOfP: Rules, now: State): Promise<void> {
  const visible = now.rows.filter((row) => seesRow(rulesOfP, now, row)).sort((a, b) => a.id - b.id);
  const list = await ask(world, "GET", "/rows?page[size]=100&count=true");
  expect(listed(list)).toEqual(visible.map((row) => shown(rulesOfP, now, row)));
  for (const row of now.rows) {
    const { status, text } = await ask(world, "GET", `/rows/${row.id}`);
    const found = status === 403 || status === 404 ? undefined : (JSON.parse(text) as unknown);
    expect(found).toEqual(visible.includes(row) ? shown(rulesOfP, now, row) : undefined);
  }
  const notes = await ask(world, "GET", "/notes?page[size]=100");
  expect(listed(notes)).toEqual(now.notes.filter((note) => seesNote(rulesOfP, now, note)));
}

beforeAll(shortenStacks);

describe.each(KINDS)("on $name", ({ missing, create }) => {
  let shelf: Shelf;
  beforeAll(async () => {
    if (missing === undefined) shelf = await create();
  });
  afterAll(() => shelf?.close());

  test.skipIf(missing !== undefined)(
    "the engine permits exactly what a reference model without filters permits",
    async () => {
      let shownRows = 0;
      await fc.assert(
        fc.asyncProperty(rules, state, fc.integer({ min: 0, max: 2 }), async (rulesOfP, first, color) => {
          const world = createWorld(rulesOfP, shelf);
          await world.become(first);
          let now = first;
          await expectReads(world, rulesOfP, now);
          shownRows += await expectGraphqlReads(world, rulesOfP, now, color);
          for (const { id } of first.rows) {
            const after = written(
              rulesOfP,
              now,
              now.rows.filter((row) => row.id === id),
            );
            const { status } = await ask(world, "PATCH", `/rows/${id}`, WRITTEN);
            expect([id, status < 300]).toEqual([id, after !== undefined]);
            now = after ?? now;
          }
          const meant = now.rows.filter((row) => row.color === color && seesRow(rulesOfP, now, row));
          // A bulk write writes all rows or none.
          const many = await ask(world, "PATCH", `/rows?filter[color]=${color}`, WRITTEN);
          const after = meant.every((row) => says(rulesOfP.write, row, now.rows))
            ? written(rulesOfP, now, meant)
            : undefined;
          expect(meant.length === 0 || many.status < 300).toBe(meant.length === 0 || after !== undefined);
          now = after ?? now;
          await expectReads(world, rulesOfP, now);
          shownRows += await expectGraphqlReads(world, rulesOfP, now, color);
          const rows = (await world.system.row.list({ page: { size: 100 } })).items;
          expect(rows.map(({ id, size }) => ({ id, size }))).toEqual(
            [...now.rows].sort((a, b) => a.id - b.id).map(({ id, size }) => ({ id, size })),
          );
          await world.api.close();
        }),
        { numRuns: RUNS, seed: drawSeed("ACCESS_SEED") },
      );
      // Worlds that hide everything would prove little.
      expect(shownRows / RUNS).toBeGreaterThan(1);
    },
    3_600_000,
  );
});
