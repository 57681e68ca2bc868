import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A separate PostgreSQL that tests can kill. */
export interface OwnPostgres {
  readonly url: string;
  /** Kills all its processes by `kill -9` and restarts it. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const ROOT = "/usr/lib/postgresql";

/** `undefined` if PostgreSQL isn't installed as on Debian. */
export async function startOwnPostgres(): Promise<OwnPostgres | undefined> {
  const versions = existsSync(ROOT) ? readdirSync(ROOT) : [];
  const bin = versions.map((version) => join(ROOT, version, "bin")).find((path) => existsSync(join(path, "initdb")));
  if (bin === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "own-postgres-"));
  // PostgreSQL refuses to run as root.
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? idsOf("postgres") : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8"], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess = await start();

  async function start(): Promise<ChildProcess> {
    const options = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder];
    const child = spawn(join(bin as string, "postgres"), options, { ...user, cwd: folder, stdio: "ignore" });
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode === null && (await answers(url))) return child;
      // The previous process is still shutting down.
      if (child.exitCode !== null) return sleep(100).then(start);
      await sleep(50);
    }
    throw new Error("PostgreSQL did not start.");
  }
  return {
    url,
    async crash() {
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
      server = await start();
    },
    async stop() {
      const gone = once(server, "exit");
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idsOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
