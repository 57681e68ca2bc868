import { spawn } from "node:child_process";
import { cpus } from "node:os";

const WORK = `const text = JSON.stringify({ a: [1, 2, 3], b: "text", c: { d: null } }); for (;;) JSON.parse(text);`;

/**
 * Keeps every core busy, with processes that run only while no other process wants to (`SCHED_IDLE`). Two cores of a
 * virtual machine are often the two threads of a physical one, and each is then faster while the other one is idle.
 * Returns a function that ends the processes.
 */
export function fillCores(): () => void {
  const fillers = cpus().map((_, core) =>
    spawn("chrt", ["--idle", "0", "taskset", "-c", String(core), process.execPath, "-e", WORK], { stdio: "ignore" }),
  );
  const end = (): void => {
    for (const filler of fillers) filler.kill("SIGKILL");
  };
  process.once("exit", end);
  return end;
}
