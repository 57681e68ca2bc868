// A setup file of Vitest, loaded where PROPERTY_REPORT or PROPERTY_SEED is set. It counts the cases of each property, and runs one
// case again by its seed and path.
import fc from "fast-check";
import { appendFileSync } from "node:fs";
import { expect } from "vitest";

/** The result of a property, written as one line of the file in PROPERTY_REPORT. */
export interface PropertyReport {
  readonly file: string;
  readonly test: string;
  readonly cases: number;
  readonly isFailed: boolean;
  readonly seed: number;
  /** Leads to the smallest counterexample. */
  readonly path?: string;
}

const { PROPERTY_REPORT, PROPERTY_SEED, PROPERTY_PATH } = process.env;

function report(details: fc.RunDetails<unknown>): void {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const { numRuns: cases, failed: isFailed, seed, counterexamplePath } = details;
  const path = counterexamplePath === null ? {} : { path: counterexamplePath };
  const line: PropertyReport = { file: testPath, test: currentTestName, cases, isFailed, seed, ...path };
  if (PROPERTY_REPORT !== undefined) appendFileSync(PROPERTY_REPORT, `${JSON.stringify(line)}\n`);
  if (isFailed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}

fc.configureGlobal({
  reporter: report,
  ...(PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) }),
  ...(PROPERTY_PATH === undefined ? {} : { path: PROPERTY_PATH }),
});
