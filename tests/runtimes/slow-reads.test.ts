import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { MISSING } from "./host.ts";

const FOLDER = resolve(import.meta.dirname, "hosts");
const BIN = join(FOLDER, "node_modules/.bin");
const RUNTIMES = [
  ["Node", process.execPath, []],
  ["Bun", join(BIN, "bun"), []],
  ["Deno", join(BIN, "deno"), ["run", "--allow-all"]],
] as const;

describe.skipIf(MISSING !== undefined)(`slow reads of SQLite ${MISSING ?? ""}`, () => {
  test.each(RUNTIMES)("return their rows on %s", { timeout: 60_000 }, async (_, command, args) => {
    const folder = await mkdtemp(join(tmpdir(), "bifocal-slow-"));
    const script = ["--conditions=@bifocal/source", "slow-reads.ts", join(folder, "books.db")];
    const options = { cwd: FOLDER, timeout: 30_000 };
    try {
      const { stdout } = await promisify(execFile)(command, [...args, ...script], options);
      expect(JSON.parse(stdout)).toEqual([1, 3, 5]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
