import { readdir, readFile } from "node:fs/promises";

/**
 * Returns the processor time in microseconds that the running PostgreSQL processes of a database have used. It is 0 if
 * PostgreSQL runs on another machine. The title of each process has the name of its database.
 */
export async function databaseUsed(database: string): Promise<number> {
  const times = await Promise.all((await readdir("/proc")).map((pid) => timeOf(pid, database)));
  return times.reduce((sum, time) => sum + time, 0);
}

async function timeOf(pid: string, database: string): Promise<number> {
  if (!/^\d+$/.test(pid)) return 0;
  try {
    const title = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (!title.startsWith("postgres: ") || !title.split(" ").includes(database)) return 0;
    // Nanoseconds on a processor. The times in `stat` are multiples of 10 ms.
    const [running] = (await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ");
    return Number(running) / 1_000;
  } catch {
    return 0; // The process has ended.
  }
}
