import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The result of the suites: `passed`, `failed` by a test, `broken` if none could run, or `late`. */
export interface Verdict {
  readonly kind: "passed" | "failed" | "broken" | "late";
  /** The first test that failed, or what the runner printed. */
  readonly by: string;
}

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs test files in a workspace until one test fails, for at most `cap` seconds. */
export async function runSuites(root: string, suites: readonly string[], cap: number): Promise<Verdict> {
  const output = join(root, "report.json");
  rmSync(output, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const projects = ["core", "sql", "tests"].flatMap((name) => ["--project", name]);
  const report = ["--reporter=json", `--outputFile=${output}`, "--bail=1", "--typecheck.enabled=false"];
  const env = { ...process.env, ACCESS_RUNS: process.env["ACCESS_RUNS"] ?? "100" };
  const child = spawn(process.execPath, [vitest, "run", ...projects, ...report, ...suites], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // Including its workers.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, cap * 1_000);
  await once(child, "close");
  clearTimeout(timer);
  if (isLate) return { kind: "late", by: `${cap} seconds` };
  if (!existsSync(output)) return { kind: "broken", by: printed.slice(-1_000) };
  return verdictOf(JSON.parse(readFileSync(output, "utf8")) as Report, printed);
}

function verdictOf({ testResults }: Report, printed: string): Verdict {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  );
  const failed = tests.find(({ status }) => status === "failed");
  if (failed !== undefined) return { kind: "failed", by: failed.fullName };
  const passed = tests.some(({ status }) => status === "passed");
  const isEmpty = testResults.some(({ assertionResults }) => assertionResults.length === 0);
  return passed && !isEmpty ? { kind: "passed", by: "" } : { kind: "broken", by: printed.slice(-1_000) };
}
