// Runs the long checks and records their outcome: `npm run verify -- [--only NAME,NAME] [--share 0.1] [--list]`
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { planCheck, readChecks } from "./check.ts";
import { type Entry, PAGE, RESULTS, writeEntry } from "./record.ts";
import { runCheck } from "./run-check.ts";

/** Files that the checks themselves write. */
const OUTPUTS = [PAGE, RESULTS, "docs/security.md", "tests/security/mutants/results.json"];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    share: { type: "string", default: "1" },
    list: { type: "boolean", default: false },
  },
});
const root = process.cwd();
const checks = readChecks(root);
const share = Number(values.share);
const names = values.only?.split(",").map((name) => name.trim()) ?? checks.map(({ name }) => name);
const unknown = names.filter((name) => !checks.some((check) => check.name === name));
const wanted = checks.filter(({ name }) => names.includes(name));

const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
/** The commit, and the files that differ from it. */
const state = (): string =>
  git("rev-parse", "--short=10", "HEAD") +
  git("status", "--porcelain", "--untracked-files=all", "--", ".", ...OUTPUTS.map((path) => `:!${path}`));

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

if (unknown.length > 0)
  refuse(`Unknown check: ${unknown.join(", ")}. Available: ${checks.map(({ name }) => name).join(", ")}.`);
if (!(share > 0 && share <= 1)) refuse(`--share must be greater than 0 and at most 1; received ${values.share}.`);
if (values.list) {
  for (const check of wanted)
    console.log(`${check.name.padEnd(12)} ${planCheck(check, share).command}\n             ${check.shows}`);
  process.exit();
}
const before = state();
const [commit = "", ...changed] = before.trimEnd().split("\n");
if (changed.length > 0)
  refuse(`The work tree differs from ${commit}, so nothing is recorded. Commit or stash first:\n${changed.join("\n")}`);

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interruption.abort());

for (const check of wanted) {
  if (interruption.signal.aborted) break;
  const { share: length, command, ...plan } = planCheck(check, share);
  const started: Entry = {
    check: check.name,
    command,
    commit,
    date: new Date().toISOString(),
    outcome: "started",
    share: length,
  };
  writeEntry(root, checks, started);
  console.log(`${check.name}: ${command}`);
  const ended = await runCheck(root, check, { share: length, command, ...plan }, interruption.signal);
  const isVoid = state() !== before;
  const entry: Entry = { ...started, ...ended, ...(isVoid ? { outcome: "void" } : {}) };
  writeEntry(root, checks, entry);
  console.log(`${check.name}: ${entry.outcome}, ${entry.cases ?? 0} ${entry.unit ?? "cases"}, ${entry.seconds ?? 0} s`);
  for (const line of entry.details ?? []) console.log(`  ${line}`);
  if (entry.outcome !== "passed") process.exitCode = 1;
  if (isVoid) refuse("The work tree changed while the check ran, so its outcome says nothing about the commit.");
}
