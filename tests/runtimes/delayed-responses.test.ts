import { execFile } from "node:child_process";
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

describe.skipIf(MISSING !== undefined)(`responses of a busy turn ${MISSING ?? ""}`, () => {
  test.each(RUNTIMES)("are delayed by fetchHandler on %s", { timeout: 60_000 }, async (_, command, args) => {
    const script = [...args, "--conditions=@bifocal/source", "delayed-responses.ts"];
    const { stdout } = await promisify(execFile)(command, script, { cwd: FOLDER, timeout: 30_000 });
    const [delayed, bodies] = JSON.parse(stdout) as [number, string[]];
    expect(bodies).toEqual(['{"id":1,"title":"a"}']);
    expect(delayed).toBeGreaterThan(20);
  });
});
