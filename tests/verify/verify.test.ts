import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../docs/snippets.ts";
import { readChecks } from "./check.ts";
import { type Entry, PAGE, printPage, readEntries } from "./record.ts";

test("runs every long check of package.json with `npm run verify`, and no other", () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: Record<string, string> };
  const inCi = readFileSync(`${ROOT}.ci/run`, "utf8");
  const long = Object.keys(scripts).filter((name) => name === "chaos" || name.startsWith("verify:"));
  const expected = long.filter((name) => !new RegExp(`^npm run ${name}(?! --)`, "m").test(inCi));
  expect(
    readChecks(ROOT)
      .map(({ script }) => script)
      .toSorted(),
  ).toEqual(expected.toSorted());
  const contributing = readFileSync(`${ROOT}CONTRIBUTING.md`, "utf8");
  expect(long.filter((name) => !contributing.includes(`\`npm run ${name}\``))).toEqual([]);
});

test("uses the variables of each script for the length of its check", () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: Record<string, string> };
  for (const { script, runs = {} } of readChecks(ROOT)) {
    const [, file = "/dev/null"] = /(tests\/\S+\.ts)/.exec(scripts[script] ?? "") ?? [];
    const text = `${scripts[script]}${readFileSync(file === "/dev/null" ? file : ROOT + file, "utf8")}`;
    for (const [name, full] of Object.entries(runs))
      expect(text).toMatch(new RegExp(`${name}(:-|"\\] \\?\\? )${full}\\b`));
  }
});

test("prints the recorded results on the page", () => {
  expect(readFileSync(`${ROOT}${PAGE}`, "utf8")).toBe(printPage(readChecks(ROOT), readEntries(ROOT)));
});

describe("in a separate repository", () => {
  let root: string;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  const entries = (): Record<string, Entry> =>
    Object.fromEntries(readEntries(root).map((entry) => [`${entry.check} ${entry.share}`, entry]));

  /**
   * Four programs: one prints its number of cases, one has a failing property, one never ends, and one counts
   * nothing.
   */
  const SCRIPTS = {
    "verify:good": 'echo "cases: ${GOOD_RUNS:-200} parts"',
    "verify:bad": `echo '{"file":"'$PWD'/a.test.ts","test":"a > (b)","cases":7,"isFailed":true,"seed":-5,"path":"3:0"}' > $PROPERTY_REPORT; exit 3`,
    "verify:endless": 'echo "cases: 3 parts"; echo ready > "$READY"; sleep 20',
    "verify:empty": "true",
    "verify:broken": "echo To see it again: X_SEED=9; echo Error: too few; exit 1",
    "verify:dirty": 'echo "cases: 1 part"; echo > new-file',
  };
  const CHECKS = Object.keys(SCRIPTS).map((script) => {
    const name = script.replace("verify:", "");
    const runs = name === "good" ? { GOOD_RUNS: 200 } : undefined;
    return { name, script, runs, shows: name, hours: name === "endless" ? 2 / 3_600 : 1 };
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "bifocal-verify-"));
    mkdirSync(join(root, "tests/verify"), { recursive: true });
    mkdirSync(join(root, "docs"));
    writeFileSync(join(root, ".gitignore"), "node_modules\nready\n");
    writeFileSync(join(root, "tests/verify/checks.json"), JSON.stringify(CHECKS));
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: SCRIPTS }));
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "start");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function start(...args: readonly string[]) {
    return spawn(process.execPath, [`${ROOT}tests/verify/main.ts`, ...args], {
      cwd: root,
      env: { ...process.env, READY: join(root, "ready") },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly printed: string }> {
    const child = start(...args);
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => (printed += text.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, printed };
  }

  test("records each outcome, continues after a failure, and exits with 1", async () => {
    const { code } = await run("--only", "good,bad,endless,empty,broken");
    expect(code).toBe(1);
    const commit = git("rev-parse", "--short=10", "HEAD").trim();
    const of = entries();
    expect(Object.values(of).map((entry) => [entry.check, entry.outcome, entry.cases, entry.details])).toEqual([
      [
        "bad",
        "failed",
        7,
        [
          "a.test.ts: a > (b) (seed -5, path 3:0)",
          '  PROPERTY_SEED=-5 PROPERTY_PATH=3:0 npx vitest run a.test.ts -t "a.+.b."',
        ],
      ],
      ["broken", "failed", undefined, ["To see it again: X_SEED=9", "Error: too few"]],
      ["empty", "failed", undefined, ["No case ran."]],
      ["endless", "timed out", 3, undefined],
      ["good", "passed", 200, undefined],
    ]);
    expect(of["good 1"]).toMatchObject({ command: "npm run verify:good", commit, unit: "parts", share: 1 });
    expect(Date.now() - Date.parse(of["good 1"]?.date ?? "")).toBeLessThan(60_000);
    const page = readFileSync(join(root, PAGE), "utf8");
    expect(page).toContain(`| good | passed | 200 parts | full |`);
    expect(page).toContain("| dirty | never run |");
    expect(page).toContain("PROPERTY_SEED=-5 PROPERTY_PATH=3:0 npx vitest run");
  }, 60_000);

  test("marks a shortened run as such, beside the full one", async () => {
    expect((await run("--only", "good")).code).toBe(0);
    // The record that the first run wrote does not count as a change.
    expect((await run("--only", "good", "--share", "0.05")).code).toBe(0);
    expect(entries()["good 1"]).toMatchObject({ cases: 200 });
    expect(entries()["good 0.05"]).toMatchObject({ cases: 10, command: "GOOD_RUNS=10 npm run verify:good" });
    expect(readFileSync(join(root, PAGE), "utf8")).toContain("| good | passed | 10 parts | 5 % |");
  }, 60_000);

  test("records nothing for a dirty work tree", async () => {
    writeFileSync(join(root, "package.json"), "{}");
    const { code, printed } = await run();
    expect([code, existsSync(join(root, PAGE))]).toEqual([2, false]);
    expect(printed).toContain("The work tree differs from");
    expect(printed).toContain(" M package.json");
  });

  test("marks an outcome as void if the files changed while the check ran", async () => {
    expect((await run("--only", "dirty")).code).toBe(2);
    expect(entries()["dirty 1"]?.outcome).toBe("void");
  });

  test("records a check that began and did not end, and an interrupted one", async () => {
    const killed = start("--only", "endless");
    await expect.poll(() => existsSync(join(root, "ready")), { timeout: 15_000 }).toBe(true);
    killed.kill("SIGKILL");
    await once(killed, "close");
    expect(entries()["endless 1"]?.outcome).toBe("started");
    expect(readFileSync(join(root, PAGE), "utf8")).toContain("| endless | **began and did not end** | not counted |");
    rmSync(join(root, "ready"));

    writeFileSync(
      join(root, "tests/verify/checks.json"),
      JSON.stringify(CHECKS.map((check) => ({ ...check, hours: 1 }))),
    );
    git("commit", "-aqm", "an hour");
    const interrupted = start("--only", "endless,broken");
    await expect.poll(() => existsSync(join(root, "ready")), { timeout: 15_000 }).toBe(true);
    interrupted.kill("SIGINT");
    const [code] = (await once(interrupted, "close")) as [number];
    expect(code).toBe(1);
    expect(entries()["endless 1"]).toMatchObject({ outcome: "interrupted", cases: 3 });
    expect(entries()["broken 1"]).toBeUndefined();
  }, 60_000);

  test("lists the checks, and rejects unknown names and invalid shares", async () => {
    const listed = await run("--list", "--share", "0.1");
    expect([listed.code, listed.printed.includes("GOOD_RUNS=20 npm run verify:good")]).toEqual([0, true]);
    expect(await run("--only", "nothing")).toMatchObject({
      code: 2,
      printed: expect.stringContaining("nothing") as string,
    });
    expect(await run("--share", "2")).toMatchObject({ code: 2 });
  });
});
