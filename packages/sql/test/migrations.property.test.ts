import type { Json, Row, StoreUse } from "@bifocal/core/store";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../src/index.ts";
import {
  anyModel,
  type DrawnField,
  type DrawnModel,
  drawnModel,
  modelOf,
  resourcesOf,
  valuesOf,
} from "./random-models.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";

const AUTHOR = "7d9f0b8e-51a7-4c39-8f43-3f1f6b8f2a01";
const BOOK = "1c8e5d1a-6f0e-4a55-9a3e-2f3b4c5d6e7f";
const TAG = "3a1f1c52-7f2b-4b4e-8a0c-9d7e6f5a4b3c";
const CONTEXT = { signal: undefined };

function useOf(url: string, drawn: DrawnModel, autoCreate = false): StoreUse {
  const model = modelOf(resourcesOf(drawn));
  return { store: sqlStore({ url, autoCreate, max: 2 }), model, resources: [...model.resources.values()] };
}

/** Adjusts the second model so that the database can migrate existing rows to it. */
function reachable(from: DrawnModel, to: DrawnModel): DrawnModel {
  const fields = Object.entries(to.fields).map(([name, field]): [string, DrawnField] => {
    const needsDefault = !field.nullable && (from.fields[name]?.nullable ?? true);
    // A default that fills all rows with the same value violates uniqueness.
    return [name, { ...field, hasDefault: field.hasDefault || needsDefault, unique: field.unique && !needsDefault }];
  });
  const author = to.author === "required" && from.author !== "required" ? "nullable" : to.author;
  return { ...to, fields: Object.fromEntries(fields), author, key: from.key };
}

/** Writes an author, two books, and a tag of the first, past the engine. */
async function fill({ store, model, resources }: StoreUse, drawn: DrawnModel): Promise<readonly Row[]> {
  await store.open(model, resources);
  const resource = (name: string) => model.resources.get(name) as never;
  await store.insert({ resource: resource("author"), rows: [{ id: AUTHOR, name: "Ann" }] }, CONTEXT);
  const keys: Readonly<Record<DrawnModel["key"], readonly Json[]>> = {
    uuid: [BOOK, BOOK.replace("1c", "2c")],
    integer: [7, 9],
    sequence: [undefined as never, undefined as never],
  };
  // Inserts a single book if two would violate a unique group.
  const isSingle = Object.values(drawn.fields).some(({ kind }) => valuesOf(kind).length < 2);
  const rows = (isSingle ? [0] : [0, 1]).map((at) => ({
    ...(drawn.key === "sequence" ? {} : { id: keys[drawn.key][at] as Json }),
    ...(drawn.author === "none" ? {} : { authorId: AUTHOR }),
    ...(drawn.keepsDeleted ? { deletedAt: null } : {}),
    ...Object.fromEntries(
      Object.entries(drawn.fields).map(([name, { kind, nullable, unique }]) => {
        const values = valuesOf(kind);
        return [name, nullable && !unique && at === 1 ? null : (values[at % values.length] as Json)];
      }),
    ),
  }));
  const books = await store.insert({ resource: resource("book"), rows }, CONTEXT);
  if (drawn.hasTags) {
    await store.insert({ resource: resource("tag"), rows: [{ id: TAG, label: "new" }] }, CONTEXT);
    const relation = model.resources.get("book")?.relations.get("tags") as never;
    await store.link({ relation, from: (books[0] as Row)["id"] as string, to: TAG }, CONTEXT);
  }
  return books;
}

/** Plans and applies a migration. Returns the remaining differences. */
async function migrate(use: StoreUse, folder: string): Promise<readonly string[]> {
  const tools = use.store["~schema"];
  if (tools === undefined) throw new Error("no schema tools");
  const plan = await tools.plan(use, folder);
  if (plan.steps.length > 0) await tools.write(folder, plan);
  await tools.apply(folder, { allowDestructive: true });
  return tools.check(use, folder);
}

const RUNS = Number(process.env["MIGRATION_RUNS"] ?? 8);
/** Milliseconds that a server may take to create or drop a database. */
const HOOK = 60_000;

describe.each(servers)("$name", ({ missing, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  }, HOOK);
  afterAll(() => database?.drop(), HOOK);

  test.skipIf(missing !== undefined)(
    "from any model to any other, with the data that both have",
    async () => {
      await fc.assert(
        fc.asyncProperty(drawnModel, drawnModel, async (first, other) => {
          const second = reachable(first, other);
          const folder = mkdtempSync(join(tmpdir(), "bifocal-migrations-"));
          const before = useOf(database.url, first);
          const after = useOf(database.url, second);
          try {
            expect(await migrate(before, folder)).toEqual([]);
            const books = await fill(before, first);
            expect(await migrate(after, folder)).toEqual([]);
            await after.store.open(after.model, after.resources);
            const keys = books.map((row) => row["id"] as string);
            const found = await after.store.byKeys(
              { resource: after.model.resources.get("book") as never, keys },
              CONTEXT,
            );
            const kept = [
              "id",
              ...Object.keys(first.fields).filter((name) => name in second.fields),
              ...(first.author !== "none" && second.author !== "none" ? ["authorId"] : []),
            ];
            const expected = books.map((row) =>
              Object.fromEntries(kept.map((name) => [name, row[name] ?? filled(second, name)])),
            );
            const byId = new Map(found.map((row) => [row["id"], row]));
            expect(books.map(({ id }) => pick(byId.get(id as Json) as Row, kept))).toEqual(expected);
            expect(await migrate(after, folder)).toEqual([]);
          } finally {
            await before.store.close?.();
            await after.store.close?.();
            await database.clear();
            rmSync(folder, { recursive: true });
          }
        }),
        { numRuns: RUNS, seed: drawSeed("MIGRATION_SEED") },
      );
    },
    240_000,
  );

  test.skipIf(missing !== undefined)(
    "from any model to any other without rows, whatever columns become",
    async () => {
      await fc.assert(
        fc.asyncProperty(anyModel, anyModel, async (first, second) => {
          const folder = mkdtempSync(join(tmpdir(), "bifocal-migrations-"));
          const uses = [first, second, first].map((drawn) => useOf(database.url, drawn));
          try {
            for (const use of uses) expect(await migrate(use, folder)).toEqual([]);
          } finally {
            for (const { store } of uses) await store.close?.();
            await database.clear();
            rmSync(folder, { recursive: true });
          }
        }),
        { numRuns: RUNS, seed: drawSeed("MIGRATION_SEED") },
      );
    },
    240_000,
  );

  test.skipIf(missing !== undefined)(
    "autoCreate and a plan produce the same schema",
    async () => {
      await fc.assert(
        fc.asyncProperty(drawnModel, async (drawn) => {
          const use = useOf(database.url, drawn, true);
          try {
            await use.store.open(use.model, use.resources);
            expect(await use.store["~schema"]?.check(use, "no-such-folder")).toEqual([]);
          } finally {
            await use.store.close?.();
            await database.clear();
          }
        }),
        { numRuns: RUNS, seed: drawSeed("MIGRATION_SEED") },
      );
    },
    240_000,
  );
});

/** Rows without a value get the default if a value is now required. */
function filled({ fields }: DrawnModel, name: string): Json {
  const field = fields[name];
  return field === undefined || field.nullable ? null : (valuesOf(field.kind)[0] as Json);
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] as Json]));
}
