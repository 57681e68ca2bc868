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
  // The project with another version of graphql repeats files of core.
  const projects = ["--project", "!core-graphql16"];
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
  return verdictOf(JSON.parse(readFileSync(output, "utf8")) as Report, suites, printed);
}

function verdictOf({ testResults }: Report, suites: readonly string[], printed: string): Verdict {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  );
  const failed = tests.find(({ status }) => status === "failed");
  if (failed !== undefined) return { kind: "failed", by: failed.fullName };
  // Vitest ignores a path that no project has, and then the mutant would survive tests that never ran.
  const missing = suites.find(
    (suite) => !tests.some(({ file, status }) => file.includes(suite) && status === "passed"),
  );
  if (missing !== undefined) return { kind: "broken", by: `No test of ${missing} ran. ${printed.slice(-1_000)}` };
  return { kind: "passed", by: "" };
}
