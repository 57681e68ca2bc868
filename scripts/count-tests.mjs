// Prints the test runner's own counts as one line, and fails where nothing ran or something failed.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: todo } = report;
const skipped = pending + todo;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (passed === 0 || failed > 0) process.exitCode = 1;
