import { expect, test } from "vitest";
import { importsOf, mistakeIn } from "./check-layers.ts";

test.each([
  ["rest/read/handle-read.ts", "engine/engine.ts"],
  ["rest/rest.ts", "graphql/graphql.ts"],
  ["engine/write/deletion/plan-removal.ts", "rest/rest.ts"],
  ["store/memory/walk.ts", "engine/engine.ts"],
  ["util/json.ts", "errors/codes.ts"],
  ["http/handler.ts", "rest/rest.ts"],
  ["model/model.ts", "index.ts"],
  ["made-up/a.ts", "model/model.ts"],
])("%s must not import %s", (from, to) => {
  expect(mistakeIn({ from, to })).toContain(from);
});

test.each([
  ["rest/read/handle-read.ts", "operation/operation.ts"],
  ["engine/engine.ts", "store/store.ts"],
  ["api/api.ts", "rest/rest.ts"],
  ["rest/rest.ts", "rest/read/handle-read.ts"],
  ["index.ts", "api/api.ts"],
])("%s may import %s", (from, to) => {
  expect(mistakeIn({ from, to })).toBeUndefined();
});

test("every import of core is found, and all follow the order", () => {
  const imports = importsOf(new URL("../../packages/core/src", import.meta.url).pathname);
  expect(imports.length).toBeGreaterThan(2_000);
  expect(imports.map(mistakeIn).filter((mistake) => mistake !== undefined)).toEqual([]);
});
