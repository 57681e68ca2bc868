import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Check, Plan } from "./check.ts";
import type { PropertyReport } from "./properties.ts";
import type { Entry } from "./record.ts";

type Ended = Pick<Entry, "outcome" | "cases" | "unit" | "seconds" | "details">;

/** Milliseconds that a check has to stop what it started. */
const GRACE = 10_000;
/** The number of output lines that are recorded if no property explains the failure. */
const LAST_LINES = 15;

/** Runs a check until it ends, takes too long, or `signal` interrupts it. */
export async function runCheck(root: string, check: Check, plan: Plan, signal: AbortSignal): Promise<Ended> {
  const folder = join(root, "node_modules/.cache/verify");
  mkdirSync(folder, { recursive: true });
  const properties = join(folder, `${check.name}.properties`);
  rmSync(properties, { force: true });
  const log = createWriteStream(join(folder, `${check.name}.log`));
  const began = Date.now();
  const child = spawn("npm", plan.args, {
    cwd: root,
    // With CI set, a missing database is an error and not a reason to skip.
    env: { ...process.env, CI: "true", NO_COLOR: "1", ...plan.env, PROPERTY_REPORT: properties },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
      log.write(text);
    });
  }
  // Kills the whole process group, because npm starts other processes.
  const send = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The process has already ended.
    }
  };
  let killer: NodeJS.Timeout | undefined;
  let stopped: "timed out" | "interrupted" | undefined;
  const stop = (why: "timed out" | "interrupted"): void => {
    stopped ??= why;
    send("SIGTERM");
    killer ??= setTimeout(() => send("SIGKILL"), GRACE);
  };
  const interrupt = (): void => stop("interrupted");
  const timer = setTimeout(() => stop("timed out"), check.hours * 3_600_000);
  signal.addEventListener("abort", interrupt);
  const [code] = (await once(child, "close")) as [number | null];
  signal.removeEventListener("abort", interrupt);
  clearTimeout(timer);
  clearTimeout(killer);
  log.end();

  const lines = stripVTControlCharacters(output).replaceAll(root, ".").split("\n");
  const reports = readReports(properties);
  const counted = countCases(lines, reports);
  const seconds = Math.round((Date.now() - began) / 1_000);
  if (stopped !== undefined) return { outcome: stopped, ...counted, seconds };
  if (code === 0 && counted.cases !== undefined && counted.cases > 0) return { outcome: "passed", ...counted, seconds };
  const details = code === 0 ? ["No case ran."] : explain(root, lines, reports);
  return { outcome: "failed", ...counted, seconds, details };
}

function readReports(path: string): readonly PropertyReport[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as PropertyReport);
}

/**
 * The cases that a program counts in its last line, such as `cases: 12 mutants`, or those of all properties. The tests
 * that a program runs report their properties too.
 */
function countCases(lines: readonly string[], reports: readonly PropertyReport[]): Pick<Entry, "cases" | "unit"> {
  const [, count, unit = "cases"] =
    /^cases: (\d+) (.+)$/.exec(lines.findLast((line) => line.startsWith("cases: ")) ?? "") ?? [];
  if (count !== undefined) return { cases: Number(count), unit };
  if (reports.length === 0) return {};
  const cases = reports.reduce((sum, report) => sum + report.cases, 0);
  return { cases, unit: `cases of ${reports.length} properties` };
}

/** Properties that failed, with a command for each; otherwise the errors or the last lines of the output. */
function explain(root: string, lines: readonly string[], reports: readonly PropertyReport[]): readonly string[] {
  const failed = reports.filter(({ isFailed }) => isFailed);
  const found = failed.flatMap(({ file, test, seed, path }) => {
    const name = test.replaceAll(" > ", ".+").replaceAll(/[^\w .+]/g, ".");
    const at = path === undefined ? "" : ` PROPERTY_PATH=${path}`;
    return [
      `${relative(root, file)}: ${test} (seed ${seed}, path ${path ?? "none"})`,
      `  PROPERTY_SEED=${seed}${at} npx vitest run ${relative(root, file)} -t "${name}"`,
    ];
  });
  const seeds = [...new Set(lines.filter((line) => line.startsWith("To see it again: ")))];
  if (found.length > 0) return [...found, ...seeds];
  const errors = lines.filter((line) => /^\s*(FAIL |\w*Error: )/.test(line)).slice(0, LAST_LINES);
  return [...seeds, ...(errors.length > 0 ? errors : lines.filter((line) => line.trim() !== "").slice(-LAST_LINES))];
}
