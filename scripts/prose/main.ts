// Checks that the project's English is plain: `npm run lint:prose [-- --update | files]`.
import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { AREAS, checkProse, type Finding } from "./areas.ts";
import { type Budget, countsOf, findExcesses, lowerBudget, percent } from "./budget.ts";

const root = resolve(import.meta.dirname, "../..");
const budgetFile = resolve(root, "scripts/prose-budget.json");
const args = process.argv.slice(2);
const isUpdate = args.includes("--update");
const showsAll = args.includes("--all");
const files = args.filter((arg) => !arg.startsWith("--")).map((file) => relative(root, resolve(file)));

const budget = JSON.parse(readFileSync(budgetFile, "utf8")) as Budget;
const report = checkProse(root, files.length === 0 ? undefined : files);
const excesses = files.length === 0 ? findExcesses(report, budget) : [];

for (const finding of report.findings.filter(isShown)) {
  console.log(`${finding.file}:${finding.line}  ${finding.rule.id}: ${finding.text}\n    ${finding.rule.hint}`);
}
for (const area of AREAS) {
  const counts = countsOf(report, area);
  if (counts.sentences > 0) {
    console.log(`${area.padEnd(10)} ${counts.flagged} of ${counts.sentences} sentences flagged (${percent(counts)})`);
  }
}
if (isUpdate) {
  const json = JSON.stringify(lowerBudget(report, budget), null, 2);
  // The formatter puts a short list on one line.
  writeFileSync(budgetFile, `${json.replaceAll(/\[\s+|\s+\]/g, (part) => part.trim())}\n`);
} else {
  for (const excess of excesses) console.error(excess);
  if (excesses.length > 0 || (files.length > 0 && report.findings.length > 0)) process.exitCode = 1;
}

/** A full run lists areas that are done and those that got worse; `--all` and named files list everything. */
function isShown({ area, isPast }: Finding): boolean {
  if (showsAll || files.length > 0) return true;
  return !isPast && (budget.done.includes(area) || excesses.some((excess) => excess.startsWith(area)));
}
