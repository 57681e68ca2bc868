import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";

/** `started`: the check began, and its end was never recorded. `void`: the files changed while it ran. */
export type Outcome = "started" | "passed" | "failed" | "timed out" | "interrupted" | "void";

/** One run of a check. */
export interface Entry {
  readonly check: string;
  readonly command: string;
  readonly commit: string;
  /** When it began, in UTC. */
  readonly date: string;
  readonly outcome: Outcome;
  /** Part of the full length, at most 1. */
  readonly share: number;
  /** The number of cases and the kind of case; absent if the check ended before it counted. */
  readonly cases?: number;
  readonly unit?: string;
  readonly seconds?: number;
  /** Failures, with how to reproduce them. */
  readonly details?: readonly string[];
}

export const RESULTS = "docs/verification.json";
export const PAGE = "docs/verification.md";

export function readEntries(root: string): readonly Entry[] {
  const path = join(root, RESULTS);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Entry[]) : [];
}

/** Replaces the check's last run. A shortened run does not replace one of full length. */
export function writeEntry(root: string, checks: readonly Check[], entry: Entry): void {
  const others = readEntries(root).filter(
    ({ check, share }) => check !== entry.check || (share === 1) !== (entry.share === 1),
  );
  const entries = [...others, entry].toSorted((a, b) => a.check.localeCompare(b.check) || b.share - a.share);
  writeFileSync(join(root, RESULTS), `${JSON.stringify(entries, undefined, 2)}\n`);
  writeFileSync(join(root, PAGE), printPage(checks, entries));
}

export function printPage(checks: readonly Check[], entries: readonly Entry[]): string {
  const rows = checks.flatMap((check) => {
    const own = entries.filter((entry) => entry.check === check.name);
    return own.length === 0
      ? [`| ${check.name} | never run | | | | | | \`npm run ${check.script}\` |`]
      : own.map((entry) => printRow(entry));
  });
  const failures = entries.filter(({ details = [] }) => details.length > 0).map(printDetails);
  return `${HEAD}
| check | shows |
|---|---|
${checks.map(({ name, shows }) => `| ${name} | ${shows} |`).join("\n")}

## Last runs

| check | outcome | cases | length | began (UTC) | commit | duration | command |
|---|---|---|---|---|---|---|---|
${rows.join("\n")}
${failures.length === 0 ? "" : `\n## Failures\n\n${failures.join("\n")}`}`;
}

function printRow({ check, outcome, cases, unit, share, date, commit, seconds, command }: Entry): string {
  const counted = cases === undefined ? "not counted" : `${cases.toLocaleString("en-US")} ${unit ?? "cases"}`;
  const length = share === 1 ? "full" : `${Number((share * 100).toPrecision(3))} %`;
  const said = outcome === "started" ? "**began and did not end**" : outcome === "passed" ? outcome : `**${outcome}**`;
  const cells = [check, said, counted, length, date.slice(0, 16).replace("T", " "), commit, printDuration(seconds)];
  return `| ${cells.join(" | ")} | \`${command}\` |`;
}

function printDuration(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function printDetails({ check, commit, details = [] }: Entry): string {
  return `### ${check} at ${commit}\n\n\`\`\`\n${details.join("\n").replaceAll("```", "'''")}\n\`\`\`\n`;
}

const HEAD = `# Long checks and their last outcome

Continuous integration runs \`.ci/run\` for every commit. The checks below take minutes to hours, so they run before a release and after
large changes. \`npm run verify\` runs them in order and writes this page from \`docs/verification.json\`; do not edit it by hand.

\`\`\`sh
npm run verify                              # all of them, at full length
npm run verify -- --list                    # what there is
npm run verify -- --only stores,access      # some of them
npm run verify -- --share 0.1               # a tenth of the cases; the record includes the share
\`\`\`

- The work tree must be clean, so that the commit identifies the checked code.
- A failing check does not stop the others; the exit code is 1 if any check did not pass.
- A check is recorded when it begins. If its end is missing, the run was killed.
- A shortened run has its own row and does not replace a full one. Checks that cannot be shortened run at full length.
- The output of each check is in \`node_modules/.cache/verify\`. A failed property is recorded with its seed and the path to its smallest
  counterexample, as a command that runs that case alone.
`;
