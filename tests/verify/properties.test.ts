import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../docs/snippets.ts";
import type { PropertyReport } from "./properties.ts";

// This folder is in the workspace, so that its packages resolve.
const folder = `${ROOT}node_modules/.cache/verify-properties`;
const report = join(folder, "report");

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  const setup = JSON.stringify(`${ROOT}tests/verify/properties.ts`);
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `export default { test: { include: ["*.test.js"], exclude: [], setupFiles: [${setup}] } };`,
  );
  writeFileSync(
    join(folder, "sums.test.js"),
    `import fc from "fast-check";
     import { appendFileSync } from "node:fs";
     import { test } from "vitest";
     test("holds", () => fc.assert(fc.property(fc.nat(), (n) => n >= 0), { numRuns: 30 }));
     test("fails (often)", () => fc.assert(fc.asyncProperty(fc.nat(), async (n) => {
       appendFileSync("drawn", n + " ");
       if (n > 100) throw new Error("more than 100");
     })));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(env: Readonly<Record<string, string>>) {
  for (const name of ["report", "drawn"]) rmSync(join(folder, name), { force: true });
  const args = [`${ROOT}node_modules/vitest/vitest.mjs`, "run", "--root", folder];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PROPERTY_REPORT: report, ...env },
    encoding: "utf8",
  });
  const lines = readFileSync(report, "utf8").trim().split("\n");
  const reports = lines.map((line) => JSON.parse(line) as PropertyReport);
  return { printed: stdout + stderr, status, reports, drawn: readFileSync(join(folder, "drawn"), "utf8").trim() };
}

test("counts cases, and repeats a failure by its seed and path", () => {
  const { printed, status, reports } = run({});
  expect(status).toBe(1);
  expect(printed).toContain("Counterexample: [101]");
  expect(printed).toContain("more than 100");
  const [holds, fails] = reports;
  expect(holds).toMatchObject({ test: "holds", cases: 30, isFailed: false });
  expect(fails).toMatchObject({ test: "fails (often)", isFailed: true });
  const again = run({ PROPERTY_SEED: String(fails?.seed), PROPERTY_PATH: fails?.path ?? "" });
  expect(again.drawn.split(" ")[0]).toBe("101");
}, 60_000);
