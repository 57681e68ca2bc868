import {
  allow,
  allOf,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  isBifocalError,
  memoryStore,
  unless,
  anyOf,
  type Rule,
  silentLog,
} from "@bifocal/core";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { shortenStacks } from "../shorten-stacks.ts";
import { meaning, number, replaceLeaf, type Row, toRule, tree, type Tree } from "../rule-tree.ts";

beforeAll(shortenStacks);

const RUNS = Number(process.env["ACCESS_RUNS"] ?? 300);

const rows = fc
  .array(fc.record({ color: number, size: number, boxId: fc.option(fc.integer({ min: 0, max: 5 })) }), { maxLength: 6 })
  .map((all) =>
    all.map((row, id): Row => ({ id, ...row, boxId: row.boxId !== null && row.boxId < all.length ? row.boxId : null })),
  );

/** The rows that the engine permits by the rule. */
async function readable(rule: Rule, data: readonly Row[]): Promise<readonly number[]> {
  const row = defineResource("row", {
    fields: { id: z.int32(), color: z.int32(), size: z.int32(), boxId: z.int32().nullable() },
    relations: { box: belongsTo("row", "boxId") },
    access: { read: rule, create: deny, update: deny, delete: deny },
  });
  // If the rule is `deny`, the row has no queries left.
  const other = defineResource("other", {
    fields: { id: z.int32() },
    access: { read: allow, create: deny, update: deny, delete: deny },
  });
  const api = defineApi({
    resources: [row, other],
    store: memoryStore({ data: { row: data.map((one) => ({ ...one })) } }),
    log: silentLog,
  });
  try {
    const { items: found } = await api.as({ id: "ann" }).row.list();
    return found.map(({ id }) => id);
  } catch (thrown) {
    if (!isBifocalError(thrown) || thrown.code !== "FORBIDDEN") throw thrown;
    return [];
  }
}

function allowed(tree: Tree, data: readonly Row[]): readonly number[] {
  const boxes = new Map(data.map((row) => [row.id, row]));
  return data.filter((row) => meaning(tree, row, boxes) === true).map(({ id }) => id);
}

test("A38: a composed rule permits the rows that the combination of its parts permits", async () => {
  await fc.assert(
    fc.asyncProperty(tree, rows, fc.nat(20), async (rule, data, fault) => {
      expect(await readable(toRule(rule, fault), data)).toEqual(allowed(rule, data));
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

test("A38: a rule whose parts throw never shows more rows", async () => {
  await fc.assert(
    fc.asyncProperty(tree, rows, fc.nat(20), fc.func(fc.boolean()), async (rule, data, fault, breaks) => {
      const broken = replaceLeaf(rule, (one) => (breaks(one) ? "fault" : one));
      const before = await readable(toRule(rule, fault), data);
      for (const id of await readable(toRule(broken, fault), data)) expect(before).toContain(id);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

test("A38: rules follow the laws of Boolean algebra if every part returns a result", async () => {
  const sound = (one: Tree): Tree => replaceLeaf(one, (said) => (said === "fault" ? false : said));
  await fc.assert(
    fc.asyncProperty(tree.map(sound), tree.map(sound), rows, async (a, b, data) => {
      const [x, y] = [toRule(a), toRule(b)];
      const same = async (one: Rule, other: Rule): Promise<void> =>
        expect(await readable(one, data)).toEqual(await readable(other, data));
      await same(allOf(x, y), allOf(y, x));
      await same(anyOf(x, y), anyOf(y, x));
      await same(unless(allOf(x, y)), anyOf(unless(x), unless(y)));
      await same(unless(unless(x)), x);
      await same(allOf(x, anyOf(x, y)), x);
      await same(anyOf(x, unless(x)), allow);
      await same(allOf(x, unless(x)), deny);
    }),
    { numRuns: 100 },
  );
});
