import { functionStore, type ResourceFunctions } from "@bifocal/core";
import { expect, test } from "vitest";
import { createFixture, skipReason, type StoreCase, storeCases } from "../src/index.ts";

type Value = Readonly<Record<string, unknown>>;

/** A service without filters: arrays behind functions. */
function service(): ReturnType<typeof functionStore> {
  const rows = new Map<string, Value[]>();
  const keys: Readonly<Record<string, readonly string[]>> = {
    review: ["bookId", "by"],
    tag: ["slug"],
    rack: ["room", "slot"],
    entry: ["number"],
  };
  const functions = (name: string): ResourceFunctions => {
    const list = rows.get(name) ?? [];
    rows.set(name, list);
    const indexOf = (id: unknown): number =>
      list.findIndex((row) => {
        const [key = "id", ...others] = keys[name] ?? [];
        if (others.length === 0) return row[key] === id;
        return [key, ...others].every((part) => row[part] === (id as Value)[part]);
      });
    return {
      list: () => list,
      get: (id) => list[indexOf(id)],
      create: (row) => {
        list.push(row);
        return row;
      },
      update: (id, changes) => {
        const index = indexOf(id);
        list[index] = { ...list[index], ...changes };
        return list[index];
      },
      delete: (id) => void list.splice(indexOf(id), 1),
    };
  };
  return functionStore(
    Object.fromEntries(
      ["author", "book", "review", "tag", "rack", "copy", "entry", "sheet", "shelf"].map((name) => [
        name,
        functions(name),
      ]),
    ),
  );
}

const { capabilities } = service();
const isDue = (one: StoreCase): boolean => skipReason(one, capabilities) === undefined;

test.each(storeCases.filter(isDue))("$id $name", async (one) => {
  await expect(createFixture(service).then(one.run)).resolves.toBeUndefined();
});

test("declares unsupported features by its capabilities", () => {
  const reasons = new Set(storeCases.filter((one) => !isDue(one)).map((one) => skipReason(one, capabilities)));
  expect(reasons).toEqual(
    new Set([
      "The store lacks: links.",
      "The store lacks: links, relationFilters.",
      "The store lacks: relatedGroups.",
      "The store lacks: relatedGroups, links.",
      "The store lacks: relatedValues, links.",
      "The store lacks: relationFilters, links.",
      "The store lacks: relationFilters.",
      "The store lacks: relationSort.",
      "The store lacks: search, relationFilters.",
      "The store lacks: search.",
      "The store lacks: transactions.",
      "The store lacks: transactions, receipts.",
      "The store lacks: transactions, relationFilters.",
    ]),
  );
});

test("reports missing functions at start", async () => {
  const store = functionStore({ author: { list: () => [] } });
  await expect(createFixture(() => store, { fill: false })).rejects.toThrow("no functions are defined for 'book'");
});

test("accepts a function that returns a complete page", async () => {
  const page = [{ number: 7, text: "as it came" }];
  const functions = Object.fromEntries(
    ["author", "book", "review", "tag", "rack", "copy", "sheet", "shelf"].map((name) => [name, { list: () => [] }]),
  );
  const entry: ResourceFunctions = { list: ({ limit }) => ({ page: page.slice(0, limit), more: true, total: 40 }) };
  const fixture = await createFixture(() => functionStore({ ...functions, entry }), { fill: false });
  expect(await fixture.list("entry", { count: true })).toEqual({ rows: page, more: true, total: 40 });
});

test("detects a row that lacks a field", async () => {
  const functions = Object.fromEntries(
    ["author", "book", "review", "tag", "rack", "copy", "sheet", "shelf"].map((name) => [name, { list: () => [] }]),
  );
  const entry: ResourceFunctions = { list: () => [{ number: 7 }] };
  const fixture = await createFixture(() => functionStore({ ...functions, entry }), { fill: false });
  await expect(fixture.list("entry")).rejects.toThrow("a row of 'entry' has no 'text'");
});

test("is read-only if it has only read functions", () => {
  expect(functionStore({ author: { list: () => [] } }).capabilities.writes).toBe(false);
});
