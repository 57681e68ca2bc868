// Prints the slowest test files and, as the last line, the test runner's own counts. Fails if nothing ran or something failed.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const SLOWEST = 25;

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: todo } = report;
const files = (report.testResults ?? [])
  .map(({ name, startTime, endTime }) => ({
    name: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1_000,
  }))
  .toSorted((a, b) => b.seconds - a.seconds);
const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
console.log(`The ${SLOWEST} slowest of ${files.length} files, which took ${seconds.toFixed(0)} s together:`);
for (const file of files.slice(0, SLOWEST)) console.log(`${file.seconds.toFixed(1).padStart(7)} s  ${file.name}`);
const skipped = pending + todo;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (passed === 0 || failed > 0) process.exitCode = 1;
