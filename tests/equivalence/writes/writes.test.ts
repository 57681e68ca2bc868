import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShop, type Shop } from "./shop.ts";
import { hasParts, KINDS_OF_WRITES, type Step, steps } from "./step.ts";
import { KINDS, type Recorded } from "../stores.ts";
import { writeGraphql } from "./write-graphql.ts";
import { writeRest } from "./write-rest.ts";

/** Sequences of writes in all stores together. */
const RUNS = Number(process.env["EQUIVALENCE_RUNS"] ?? 100);

/** The minimum share of each kind of write that must succeed, if the kind was sent often enough. */
const MIN_SHARE = 0.12;
const ENOUGH = 100;

/** Every row with its links. */
async function rowsOf({ system }: Shop): Promise<unknown> {
  const page = { size: 100 };
  return {
    authors: (await system.author.list({ page })).items,
    books: (
      await system.book.list({
        page,
        select: {
          id: true,
          title: true,
          isbn: true,
          price: true,
          fee: true,
          isPublished: true,
          authorId: true,
          tags: { select: { slug: true } },
        },
      })
    ).items,
    notes: (await system.note.list({ page })).items,
    tags: (await system.tag.list({ page })).items,
  };
}

describe.each(KINDS)("on $name", ({ missing, share, create }) => {
  let recorded: readonly [Recorded, Recorded];
  let shops: readonly [Shop, Shop];
  beforeAll(async () => {
    if (missing !== undefined) return;
    recorded = [await create(), await create()];
    shops = [createShop(recorded[0].store, recorded[0].bus), createShop(recorded[1].store, recorded[1].bus)];
  });
  afterAll(async () => {
    for (const { api } of shops ?? []) await api.close();
    for (const { drop } of recorded ?? []) await drop();
  });

  test.skipIf(missing !== undefined)(
    "a sequence of writes leaves the same rows, errors and events in REST as in GraphQL",
    async () => {
      const counts = new Map<string, { asked: number; done: number; codes: Set<string> }>();
      const count = (step: Step, code: string | undefined): void => {
        const { kind, resource } = step;
        const name = `${kind} ${resource}${hasParts(step) ? " with others" : ""}`;
        const entry = counts.get(name) ?? { asked: 0, done: 0, codes: new Set() };
        counts.set(name, entry);
        entry.asked += 1;
        if (code === undefined) entry.done += 1;
        else entry.codes.add(code);
      };
      const numRuns = Math.ceil(RUNS * share);
      let runs = 0;
      let replays = 0;
      let reused = 0;
      /** Successful writes of decimals, and bulk writes of rows within a range of decimals. */
      const decimals = { written: 0, within: 0 };
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          for (const shop of shops) await shop.reset();
          for (const { changes } of recorded) await changes();
          runs += 1;
          for (const drawn of sequence) {
            const { key } = drawn;
            // Keys are remembered after the reset.
            const step = key === undefined ? drawn : { ...drawn, key: { ...key, value: `${runs} ${key.value}` } };
            const rest = await writeRest(shops[0], step);
            const graphql = await writeGraphql(shops[1], step);
            expect({ step, ...graphql }).toEqual({ step, ...rest });
            expect({ step, changes: await recorded[1].changes() }).toEqual({
              step,
              changes: await recorded[0].changes(),
            });
            count(step, rest.code);
            if (rest.code === undefined) {
              if (JSON.stringify(step.input ?? null).includes('"fee":"')) decimals.written += 1;
              if (step.filter?.["fee"] !== undefined) decimals.within += 1;
            }
            if (rest.isReplayed === true) replays += 1;
            if (rest.detail?.startsWith("This idempotency key") === true) reused += 1;
          }
          expect(await rowsOf(shops[1])).toEqual(await rowsOf(shops[0]));
        }),
        { numRuns, seed: drawSeed("EQUIVALENCE_SEED") },
      );
      // A kind of write that is always rejected would prove little.
      const shares = [...counts].map(([kind, { asked, done }]) => ({ kind, asked, share: done / asked }));
      expect(shares.filter((one) => one.asked >= ENOUGH && one.share < MIN_SHARE)).toEqual([]);
      if (process.env["PRINT_COUNTS"] !== undefined) console.table({ runs: numRuns, replays, reused, ...decimals });
      // Measured: 0.5 and 0.1 for each sequence.
      expect(replays).toBeGreaterThan(numRuns * 0.1 - 4);
      expect(reused).toBeGreaterThan(numRuns * 0.01 - 2);
      expect(decimals.written).toBeGreaterThan(numRuns * 0.5 - 4);
      expect(decimals.within).toBeGreaterThan(numRuns * 0.01 - 2);
      expect(numRuns < 100 || counts.size).toBe(numRuns < 100 || KINDS_OF_WRITES);
    },
    3_600_000,
  );
});
