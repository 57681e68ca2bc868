import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  memoryStore,
  type Principal,
  silentLog,
  type Store,
  through,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const shelf = defineResource("shelf", {
  fields: { id: z.int32(), label: z.string().min(1) },
  relations: { boxes: hasMany("box", "shelfId", { creates: 2 }) },
  unique: ["label"],
  access: { ...open, create: hasRole("builder") },
});
const box = defineResource("box", {
  fields: { id: z.int32(), size: z.int32().max(3), packed: z.date(), shelfId: z.int32(), ownerId: z.int32().nullish() },
  relations: {
    shelf: belongsTo("shelf", "shelfId", { creates: 1 }),
    owner: belongsTo("owner", "ownerId", { creates: 1 }),
    things: hasMany("thing", "boxId", { creates: 3 }),
  },
  access: { ...open, create: ({ input }) => input?.size !== 0 },
});
// A caller that creates a hidden owner can't reference it.
const owner = defineResource("owner", {
  fields: { id: z.int32(), name: z.string(), isHidden: z.boolean() },
  access: { ...open, read: ({ principal }) => (principal === null ? { isHidden: false } : true) },
});
const thing = defineResource("thing", {
  fields: { id: z.int32(), name: z.string(), boxId: z.int32() },
  relations: { box: belongsTo("box", "boxId") },
  // The rule follows a relation to a row that was just created.
  access: { ...open, create: through("box", () => ({ size: { gte: 2 } })) },
});

function createApi(store: Store) {
  return defineApi({ resources: [shelf, box, owner, thing], store, log: silentLog });
}
type Api = ReturnType<typeof createApi>;
const SYSTEM = asSystem("a test");

interface Tree {
  readonly resource: "shelf" | "box" | "owner" | "thing";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly before: readonly (readonly [relation: string, field: string, tree: Tree])[];
  readonly after: readonly (readonly [relation: string, field: string, trees: readonly Tree[]])[];
}

let last = 0;
const named = (resource: Tree["resource"], fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Tree> =>
  fc.record(fields).map((values) => ({ resource, fields: { id: ++last, ...values }, before: [], after: [] }));
const text = fc.constantFrom("a", "b", "c", "é'\"");
const things = fc.array(named("thing", { name: text }), { maxLength: 3 });
const owners = named("owner", { name: text, isHidden: fc.boolean() });
const bare = named("box", {
  size: fc.integer({ min: 0, max: 4 }),
  packed: fc.constant(new Date("2026-01-31T11:00:00Z")),
});
const boxes: fc.Arbitrary<Tree> = fc
  .record({ bare, things, owner: fc.option(owners) })
  .map(({ bare: one, ...more }) => ({
    ...one,
    before: more.owner === null ? [] : [["owner", "ownerId", more.owner]],
    after: [["things", "boxId", more.things]],
  }));
const shelves = named("shelf", { label: fc.constantFrom("", "x", "y", "z") });
const down = fc
  .record({ shelves, boxes: fc.array(boxes, { maxLength: 3 }) })
  .map(({ shelves: one, boxes: some }): Tree => ({ ...one, after: [["boxes", "shelfId", some]] }));
const up = fc
  .record({ boxes, shelves })
  .map(({ boxes: one, shelves: its }): Tree => ({ ...one, before: [["shelf", "shelfId", its], ...one.before] }));
const ann: Principal = { id: "ann", roles: ["builder"] };
// Only ann can create shelves, so most callers are ann.
const callers = fc.constantFrom<Principal | null>(ann, ann, ann, { id: "bob", roles: [] }, null);

function toInput({ fields, before, after }: Tree): Record<string, unknown> {
  const parts = [
    ...before.map(([relation, , tree]) => [relation, toInput(tree)] as const),
    ...after.map(([relation, , trees]) => [relation, trees.map(toInput)] as const),
  ];
  return { ...fields, ...Object.fromEntries(parts) };
}

/** Creates the rows with separate requests, as a client would without nested inputs. */
async function createEach(api: Api, caller: Principal | null, tree: Tree): Promise<void> {
  const fields: Record<string, unknown> = { ...tree.fields };
  for (const [, field, other] of tree.before) {
    await createEach(api, caller, other);
    fields[field] = other.fields["id"];
  }
  await api.as(caller)[tree.resource].create(fields as never);
  for (const [relation, field, others] of tree.after) {
    if (relation === "boxes" && others.length > 2) throw new Error("There are more than the relation takes.");
    for (const other of others) {
      await createEach(api, caller, { ...other, fields: { ...other.fields, [field]: tree.fields["id"] } });
    }
  }
}

async function takeAll(api: Api): Promise<unknown> {
  const local = api.as(SYSTEM);
  const rows = [
    (await local.thing.list()).items,
    (await local.box.list()).items,
    (await local.owner.list()).items,
    (await local.shelf.list()).items,
  ] as const;
  for (const { id } of rows[0]) await local.thing.delete(id);
  for (const { id } of rows[1]) await local.box.delete(id);
  for (const { id } of rows[2]) await local.owner.delete(id);
  for (const { id } of rows[3]) await local.shelf.delete(id);
  return rows;
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers])("$name", ({ missing, create }) => {
  let database: TestDatabase | undefined;
  let api: Api;
  const other = createApi(memoryStore());
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create?.();
    api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true, max: 2 }));
    await api.ready;
  });
  afterAll(async () => {
    if (missing !== undefined) return;
    await api.close();
    await database?.drop();
  });

  test.skipIf(missing !== undefined)(
    `B02, I17: a nested create has the same effect as single creates, all or none${missing === undefined ? "" : ` (${missing})`}`,
    async () => {
      let done = 0;
      await fc.assert(
        fc.asyncProperty(fc.oneof(down, up), callers, async (tree, caller) => {
          const attempt = (work: Promise<unknown>): Promise<boolean> =>
            work.then(
              () => true,
              () => false,
            );
          const nested = await attempt(api.as(caller)[tree.resource].create(toInput(tree) as never));
          const single = await attempt(createEach(other, caller, tree));
          const [rows, expected] = [await takeAll(api), await takeAll(other)];
          expect(nested).toBe(single);
          expect(rows).toEqual(nested ? expected : [[], [], [], []]);
          if (nested) done++;
        }),
        { numRuns: 150 },
      );
      expect(done).toBeGreaterThan(5);
    },
    60_000,
  );

  test.skipIf(missing !== undefined)(
    "doesn't commit half of a create in a transaction that caught its failure",
    async () => {
      const caller = { id: "ann", roles: ["builder"] };
      const things = [{ id: ++last, name: "refused in so small a box" }];
      const boxes = [{ id: ++last, size: 1, packed: new Date(), things }];
      const attempt = api.transaction(
        async (local) => {
          await local.shelf.create({ id: ++last, label: "before" });
          await local.shelf.create({ id: ++last, label: "half", boxes }).catch(() => {});
          await local.shelf.create({ id: ++last, label: "after" });
        },
        { principal: caller },
      );
      await expect(attempt).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await takeAll(api)).toEqual([[], [], [], []]);
      // A failed create that wrote nothing doesn't affect the transaction.
      await api.transaction(
        async (local) => {
          await local.shelf.create({ id: ++last, label: "before" });
          await local.shelf.create({ id: ++last, label: "" }).catch(() => {});
        },
        { principal: caller },
      );
      expect(await takeAll(api)).toMatchObject([[], [], [], [{ label: "before" }]]);
    },
  );
});
