import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUNDLES } from "./bundles.ts";
import { writeBundle } from "./write-bundle.ts";

test.each(BUNDLES)("$output is up to date (otherwise run `npm run bundle`)", (bundle) => {
  const written = readFileSync(join(import.meta.dirname, "../..", bundle.output), "utf8");
  expect(written === writeBundle(bundle)).toBe(true);
});
