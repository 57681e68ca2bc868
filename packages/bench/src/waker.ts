import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";

/** As large as a response. */
const BYTES = Buffer.alloc(600);

/**
 * Returns a function that wakes a process on the last core, as a response wakes a client that waits for it. The process
 * ends with this one.
 */
export function createWaker(): () => void {
  const pipe = join(mkdtempSync(join(tmpdir(), "bifocal-wake-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  spawn("taskset", ["-c", String(cpus().length - 1), "cat", pipe], { stdio: "ignore" }).unref();
  const end = openSync(pipe, "w");
  return () => void writeSync(end, BYTES);
}
