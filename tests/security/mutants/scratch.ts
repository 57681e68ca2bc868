import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const COPIED = ["packages", "examples", "tests", "docs", "scripts", "package.json"];

/** A copy of the workspace to break, with its dependencies linked. */
export function createScratch(root: string): string {
  const scratch = mkdtempSync(join(tmpdir(), "bifocal-mutants-"));
  const files = readdirSync(root).filter((name) => COPIED.includes(name) || /^(vitest|tsconfig)/.test(name));
  const filter = (path: string): boolean => !["node_modules", "dist", "coverage"].includes(basename(path));
  for (const name of files) cpSync(join(root, name), join(scratch, name), { recursive: true, filter });
  linkModules(join(root, "node_modules"), join(scratch, "node_modules"));
  return scratch;
}

/** Dependencies are those of the workspace; its own packages are links already, and so lead to the copies. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (name === ".cache" || name.startsWith(".vite")) continue;
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (name.startsWith("@")) linkModules(source, target);
    else symlinkSync(source, target);
  }
}
