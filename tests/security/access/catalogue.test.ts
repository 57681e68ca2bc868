import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ids = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`);

test("every case of access (A) and of mass assignment (B) has a test by its id", () => {
  const here = new URL(".", import.meta.url);
  const text = readdirSync(here)
    .filter((name) => name.endsWith(".test.ts") && name !== "catalogue.test.ts")
    .map((name) => readFileSync(new URL(name, here), "utf8"))
    .join();
  const named = new Set([...text.matchAll(/(?:id: "|test\("|title: ")([AB]\d\d)/g)].map(([, id]) => id));
  expect([...ids("A", 42), ...ids("B", 12)].filter((id) => !named.has(id))).toEqual([]);
});
