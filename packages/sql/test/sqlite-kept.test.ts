import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineApi, silentLog } from "@bifocal/core";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { sqlStore } from "../src/index.ts";
import { bigints, item, ITEM_FIELDS as NAMES, type ItemField, itemOf, itemRow } from "./item-rows.ts";

const SEED = process.env["PROPERTY_SEED"];

/** Types that an application may have given to a column. Bifocal's own type comes first. */
const TYPES = {
  whole: ["integer", "bigint", "real", "numeric", "text"],
  wide: ["integer", "numeric", "text"],
  number: ["real", "double precision", "integer", "numeric", "float"],
  flag: ["integer", "boolean", "tinyint"],
  name: ["text", "varchar(10)", "blob", "numeric", "charint"],
  id: ["text", "char(36)", "blob"],
  kind: ["text", "nchar(4)"],
  day: ["text", "date", "datetime"],
  moment: ["text", "datetime", "varchar"],
  cost: ["decimal_int(12,2)", "real"],
  tags: ["text", "json", "blob"],
  notes: ["text", "json"],
} as const satisfies Readonly<Record<ItemField, readonly string[]>>;

function openFile(statements: string) {
  const folder = mkdtempSync(join(tmpdir(), "bifocal-kept-"));
  const file = join(folder, "items.db");
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  const store = sqlStore({ url: `sqlite:${file}` });
  const api = defineApi({ resources: [item], store, log: silentLog });
  const close = async (): Promise<void> => {
    await api.close();
    rmSync(folder, { recursive: true });
  };
  return { store, local: api.local, close };
}

const tableOf = (types: Readonly<Record<ItemField, string>>): string =>
  `create table items (${NAMES.map((name) => `"${name}" ${types[name]}`).join(", ")}, primary key ("id"))`;
const own = Object.fromEntries(NAMES.map((name) => [name, TYPES[name][0]])) as Record<ItemField, string>;

/** Changed types with which a created row needs no `returning`. */
const ALWAYS = [
  "name text",
  "name varchar(10)",
  "whole bigint",
  "number double precision",
  "flag tinyint",
  "moment varchar",
];
/** Changed types whose values SQLite may convert. */
const NEVER = [
  "name numeric",
  "name charint",
  "whole real",
  "number integer",
  "day datetime",
  "tags json",
  "cost real",
];

function typesWith(changed: string): Readonly<Record<ItemField | "changed", string>> {
  const [name = "", ...type] = changed.split(" ");
  return { ...own, [name]: type.join(" "), changed };
}

test("a created row is the stored one, whatever the types of its columns", async () => {
  const kept: Record<string, number> = {};
  let returned = 0;
  const changed = fc
    .constantFrom(...NAMES)
    .chain((name) => fc.constantFrom(...TYPES[name]).map((type) => typesWith(`${name} ${type}`)));
  const property = fc.asyncProperty(changed, fc.array(itemRow, { minLength: 1, maxLength: 4 }), async (types, rows) => {
    const { store, local, close } = openFile(tableOf(types));
    try {
      let created: readonly unknown[] | undefined;
      const { statements } = await store.explain(async () => {
        const [only] = rows.length === 1 ? rows : [];
        const work =
          only === undefined
            ? local.item.createMany(rows as never)
            : local.item.create(only as never).then((one) => [one]);
        created = await work.catch(ignoreRefusal);
      });
      if (created === undefined) return;
      const inserts = statements.filter(({ sql }) => sql.startsWith('insert into "items"'));
      expect(inserts).toHaveLength(1);
      if (inserts.some(({ sql }) => sql.includes(" returning "))) returned++;
      else kept[types.changed] = (kept[types.changed] ?? 0) + 1;
      const read = await Promise.all(created.map((one) => local.item.get((one as { id: string }).id)));
      // JSON has one zero.
      expect(JSON.stringify(created, bigints)).toBe(JSON.stringify(read, bigints));
    } finally {
      await close();
    }
  });
  // A random row often doesn't fit the type, so a row that does comes first for each.
  const fitting = { ...itemOf(1), name: "1" } as never;
  const examples = [...ALWAYS, ...NEVER].map((one): [ReturnType<typeof typesWith>, never[]] => [
    typesWith(one),
    [fitting],
  ]);
  await fc.assert(property, { numRuns: 300, examples, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
  expect(returned).toBeGreaterThan(20);
  expect(Object.values(kept).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(60);
  expect(ALWAYS.filter((one) => kept[one] === undefined)).toEqual([]);
  expect(NEVER.filter((one) => kept[one] !== undefined)).toEqual([]);
});

/** A column of numbers refuses other text. */
function ignoreRefusal(thrown: unknown): undefined {
  expect(thrown).toMatchObject({ code: "VALIDATION_FAILED" });
}

test("a trigger that skips a row fails the whole create", async () => {
  const skip = "create trigger skip before insert on items when (new.name = 'skipped') begin select raise(ignore); end";
  const { local, close } = openFile(`${tableOf(own)}; ${skip}`);
  onTestFinished(close);
  const many = ["a", "skipped", "b"].map((name, at) => ({ ...itemOf(at), name }));
  await expect(local.item.createMany(many as never)).rejects.toMatchObject({ code: "INTERNAL" });
  await expect(local.item.create(many[1] as never)).rejects.toMatchObject({ code: "INTERNAL" });
  expect((await local.item.list()).items).toEqual([]);
  await local.item.create(many[0] as never);
  expect((await local.item.list()).items).toHaveLength(1);
});

// SQLite ignores the case of names.
test.each(["items", "ITEMS"])("a view with a trigger can be written, with the name %s", async (viewName) => {
  const view = `create view ${viewName} as select * from kept_items`;
  const names = NAMES.map((name) => `"${name}"`).join(", ");
  const values = NAMES.map((name) => `new."${name}"`).join(", ");
  const insert = `insert into kept_items (${names}) values (${values})`;
  const trigger = `create trigger write_items instead of insert on items begin ${insert}; end`;
  const { local, close } = openFile(`${tableOf(own).replace("items", "kept_items")}; ${view}; ${trigger}`);
  onTestFinished(close);
  const row = { ...itemOf(1), name: "a" };
  expect(await local.item.create(row as never)).toEqual(row);
  expect(await local.item.get(row.id)).toEqual(row);
  expect((await local.item.list()).items).toEqual([row]);
});

test("a created row is the stored one in a file in UTF-16", async () => {
  const { local, close } = openFile(`pragma encoding = 'UTF-16'; ${tableOf(own)}`);
  onTestFinished(close);
  const created = await local.item.create({ ...itemOf(1), name: "\uffff" } as never);
  expect(created).toEqual(await local.item.get(itemOf(1).id));
});

test.each([
  ["a primary key", '"whole" integer primary key', "whole"],
  ["a column with another default", '"number" real not null on conflict replace default 5', "number"],
])("a null that %s replaces is returned as it is stored", async (_, column, name) => {
  const columns = NAMES.map((one) => (one === name ? column : `"${one}" ${own[one]}`));
  const { local, close } = openFile(`create table items (${columns.join(", ")}, unique ("id"))`);
  onTestFinished(close);
  const created = await local.item.create({ ...itemOf(1), name: "a" } as never);
  expect(created).toEqual(await local.item.get(itemOf(1).id));
  expect(created).not.toMatchObject({ [name]: null });
});
