import { execFileSync } from "node:child_process";

/** Runs all threads of a process on one core. */
export function pinToCore(pid: number, core: number): void {
  execFileSync("taskset", ["-acp", String(core), String(pid)], { stdio: "ignore" });
}
