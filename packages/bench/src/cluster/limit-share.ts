import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The processor controller of control groups, version 1. */
const GROUPS = "/sys/fs/cgroup/cpu";
/** Microseconds. Short, because a process that has used up its share stops until the next period. */
const PERIOD = 5_000;

/**
 * Gives each process the share of one core, with all its threads. Returns a function that lifts the limits. Throws if the
 * machine has no control groups of version 1, or doesn't allow changing them.
 */
export function limitShare(pids: readonly number[], share: number): () => void {
  if (!existsSync(join(GROUPS, "cpu.shares")))
    throw new Error(`SHARE needs control groups of version 1, and ${GROUPS} has none.`);
  if (!(share > 0 && share <= 1)) throw new Error("SHARE must be above 0 and at most 1, such as 0.2.");
  const ends = pids.map((pid) => limitProcess(pid, share));
  return () => {
    for (const end of ends) end();
  };
}

function limitProcess(pid: number, share: number): () => void {
  const group = join(GROUPS, `bifocal-bench-${pid}`);
  mkdirSync(group);
  writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD));
  writeFileSync(join(group, "cpu.cfs_quota_us"), String(Math.round(PERIOD * share)));
  writeFileSync(join(group, "cgroup.procs"), String(pid));
  return () => {
    writeFileSync(join(GROUPS, "cgroup.procs"), String(pid));
    rmdirSync(group);
  };
}
