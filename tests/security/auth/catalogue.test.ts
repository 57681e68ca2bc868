import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The cases about authentication, by their ids in the catalogue of attacks. */
const CASES: readonly string[] = [
  ...Array.from({ length: 18 }, (_, index) => `H${String(index + 1).padStart(2, "0")}`),
  "C10",
  "C16",
  "D08",
  "F06",
  "F07",
  "F08",
];

/** Those that no test here can be about, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  H18: "There is no login: passwords are the authorization server's or the host's. A key has 256 bits, a token a signature.",
};

const folder = new URL(".", import.meta.url);
const core = new URL("../../../packages/core/src/auth/outbound/addresses.test.ts", import.meta.url);
const files = [
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts") && name !== "catalogue.test.ts")
    .map((name) => new URL(name, folder)),
  core,
];
const text = files.map((file) => readFileSync(file, "utf8")).join("\n");

test.each(CASES)("%s has a test, or a reason", (id) => {
  const isTested = new RegExp(`["'\`( ,]${id}[":, )]`).test(text);
  expect(isTested).toBe(ELSEWHERE[id] === undefined);
});
