import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADMIN } from "./bookstore.ts";
import type { Judge } from "./judge.ts";
import { Skipped } from "./skipped.ts";

const PACKAGE = "schemathesis==4.*";
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

let command: string | undefined;

/** Returns the command of schemathesis. Installs it into a virtual environment unless it is installed. */
function findCommand(): string {
  const isInstalled = spawnSync("schemathesis", ["--version"]).status === 0;
  command ??= isInstalled ? "schemathesis" : install();
  return command;
}

function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "schemathesis-"));
  const run = (program: string, args: readonly string[]): void => {
    const { error, status, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 300_000 });
    if (error !== undefined) throw new Skipped(`${program} can't be started: ${error.message}`);
    if (status !== 0) throw new Skipped(stderr.trim().split("\n").at(-1) ?? `${program} ended with ${status}.`);
  };
  run("python3", ["-m", "venv", folder]);
  run(join(folder, "bin", "pip"), ["install", "--quiet", "--retries", "0", "--timeout", "10", PACKAGE]);
  return join(folder, "bin", "schemathesis");
}

/** Sends generated requests for every operation, valid and invalid, and checks the responses. */
export const SCHEMATHESIS_JUDGES: readonly Judge[] = ["json", "all"].map((formats) => ({
  name: `schemathesis finds no violation of /openapi.json?formats=${formats}`,
  async run({ url }) {
    const program = findCommand();
    const options = [
      "--header",
      `Authorization: Bearer ${ADMIN}`,
      "--checks",
      CHECKS.join(","),
      "--max-examples",
      "20",
    ];
    const args = ["run", `${url}/openapi.json?formats=${formats}`, ...options];
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${stdout.slice(-8_000)}\n${stderr}`);
  },
}));
