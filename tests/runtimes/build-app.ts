import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { build } from "esbuild";

/** Longer than any build takes. */
const MAX_WAIT_MS = 170_000;

/**
 * Builds an app for production, unless its last build had the same sources. Test files run in several processes, so the
 * folder `dist/lock` lets only one of them build. The API is bundled before, because frameworks don't compile the sources
 * of the workspace.
 */
export async function buildApp(folder: string, command: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const bundle = await bundleApi(folder);
  const digest = createHash("sha256")
    .update(bundle)
    .update(await sourcesOf(folder))
    .digest("hex");
  const stamp = join(folder, "dist/stamp");
  const isBuilt = (): boolean => existsSync(stamp) && readFileSync(stamp, "utf8") === digest;
  await mkdir(join(folder, "dist"), { recursive: true });
  const lock = join(folder, "dist/lock");
  const start = Date.now();
  while (!isBuilt()) {
    if (!(await tryLock(lock))) {
      // A process that was killed leaves its lock.
      if (Date.now() - start > MAX_WAIT_MS)
        throw new Error(`Another process builds ${folder}. If none does, delete ${lock}.`);
      await sleep(200);
      continue;
    }
    try {
      await writeFile(join(folder, "dist/api.cjs"), bundle);
      await promisify(execFile)(process.execPath, command, { cwd: folder, env });
      await writeFile(stamp, digest);
    } finally {
      await rm(lock, { recursive: true });
    }
  }
}

async function tryLock(lock: string): Promise<boolean> {
  return mkdir(lock).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => {
      if (thrown.code === "EEXIST") return false;
      throw thrown;
    },
  );
}

async function bundleApi(folder: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "api.ts")],
    bundle: true,
    format: "cjs",
    platform: "node",
    conditions: ["@bifocal/source"],
    logLevel: "error",
    // Only paths of pages are read from it, which the tests don't open.
    logOverride: { "empty-import-meta": "silent" },
    write: false,
  });
  return (outputFiles[0] as { readonly contents: Uint8Array }).contents;
}

/** Returns the text of all routes and settings of an app, and of the versions that it is built with. */
async function sourcesOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const own = files.filter((file) => /\.m?js$/.test(file) && !/^(?:dist|\.\w+)[/]/.test(file)).toSorted();
  return [...own, "../package-lock.json"].map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}
