// Disables each access check and each limit in turn, and checks whether a test fails.
// node tests/security/mutants/main.ts [--only=TEXT] [--share=0.1] [--jobs=2] [--cap=180] [--again] [--check] [--trust]
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { apply, editedFiles } from "./apply.ts";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { REDUNDANT } from "./redundant.ts";
import { runSuites } from "./run-suites.ts";
import { createScratch } from "./scratch.ts";
import { nameOf, type Result, writeTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    share: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    cap: { type: "string", default: "180" },
    again: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    trust: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("../../..", import.meta.url));
const kept = fileURLToPath(new URL("results.json", import.meta.url));
const results: Record<string, Result> = existsSync(kept) ? (JSON.parse(readFileSync(kept, "utf8")) as never) : {};

const all = Object.entries(mutants).flatMap(([group, members]) => members.map((mutant) => ({ group, mutant })));
const share = Number(values.share);
const wanted = all.filter(({ group, mutant }, index) => {
  // Selects evenly from all groups.
  if (Math.floor((index + 1) * share) === Math.floor(index * share)) return false;
  const isNamed = `${group} ${nameOf(mutant)}`.includes(values.only);
  return isNamed && (!values.again || results[nameOf(mutant)]?.kind !== "killed");
});
checkTexts();
if (!values.check) await runAll();

/**
 * Checks that each mutant has a unique name and that its text still exists. A mutant without its text tests nothing.
 */
function checkTexts(): void {
  const lost = all.flatMap(({ mutant }) => {
    try {
      editedFiles(root, mutant);
      return [];
    } catch (thrown) {
      return [`${nameOf(mutant)}: ${String(thrown)}`];
    }
  });
  if (new Set(all.map(({ mutant }) => nameOf(mutant))).size < all.length) lost.push("Two mutants have one name.");
  if (lost.length === 0) return;
  console.error(lost.join("\n"));
  process.exit(1);
}

async function runAll(): Promise<void> {
  const queue = [...wanted];
  const scratches = Array.from({ length: Number(values.jobs) }, () => createScratch(root));
  try {
    if (!values.trust) await requirePassing(scratches[0] as string);
    await Promise.all(
      scratches.map(async (scratch) => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(scratch, next.mutant);
      }),
    );
  } finally {
    for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
  }
  const known = new Set(all.map(({ mutant }) => nameOf(mutant)));
  for (const name of Object.keys(results)) if (!known.has(name)) delete results[name];
  save();
  writeTable(`${root}docs/security.md`, results);
  const unexpected = wanted.filter(({ mutant }) => !isExpected(mutant, results[nameOf(mutant)]?.kind));
  for (const { mutant } of unexpected) console.error(`unexpected: ${nameOf(mutant)}`);
  console.log(`${wanted.length} mutants, ${unexpected.length} of them with an unexpected result.`);
  console.log(`cases: ${wanted.length} mutants`);
  process.exitCode = unexpected.length === 0 ? 0 : 1;
}

/** Returns whether a mutant was killed, or survived as one of a redundant check should. */
function isExpected({ check }: Mutant, kind: Result["kind"] | undefined): boolean {
  return check in REDUNDANT ? kind === "survived" : kind === "killed" || kind === "late";
}

/** A suite that fails without a mutant proves nothing about a mutant. */
async function requirePassing(scratch: string): Promise<void> {
  const suites = [...new Set(wanted.flatMap(({ mutant }) => mutant.suites))];
  const { kind, by } = await runSuites(scratch, suites, 900);
  if (kind !== "passed") throw new Error(`Without any mutant the tests are ${kind}: ${by}`);
  console.log(`${suites.length} files of tests pass without a mutant.`);
}

async function runOne(scratch: string, mutant: Mutant): Promise<void> {
  const started = Date.now();
  const restore = apply(scratch, mutant);
  const { kind, by } = await runSuites(scratch, mutant.suites, Number(values.cap)).finally(restore);
  const result: Result = { kind: kind === "failed" ? "killed" : kind === "passed" ? "survived" : kind, by };
  results[nameOf(mutant)] = result;
  save();
  const seconds = Math.round((Date.now() - started) / 1_000);
  console.log(`${result.kind.padEnd(8)} ${seconds} s  ${nameOf(mutant)}\n           ${by.slice(0, 300)}`);
}

function save(): void {
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(kept, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
