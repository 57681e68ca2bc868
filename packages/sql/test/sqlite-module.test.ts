import { afterEach, expect, test, vi } from "vitest";
import { sqlStore } from "../src/index.ts";

afterEach(() => vi.restoreAllMocks());

test("names the required and the running version of Node if SQLite is missing", () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  expect(() => sqlStore(":memory:")).toThrow(
    `this runtime (Node ${process.versions.node}) lacks. Use Node 22.16 or newer, Bun or Deno.`,
  );
});
