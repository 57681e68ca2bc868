import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "./command.ts";

/** `"bifocal"` in package.json. */
export interface Settings {
  readonly api?: string;
  readonly migrations?: string;
}

const USUAL = ["src", "."].flatMap((folder) => ["ts", "mts", "js", "mjs"].map((end) => join(folder, `api.${end}`)));

export function readSettings(folder: string): Settings {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return {};
  const { bifocal = {} } = JSON.parse(readFileSync(file, "utf8")) as { readonly bifocal?: Settings };
  return bifocal;
}

/** Path of the API module: `--api`, `bifocal.api` in package.json, or a default place. */
export function findApi(folder: string, given: string | undefined): string {
  const named = given ?? readSettings(folder).api;
  if (named === undefined) {
    const found = USUAL.map((path) => join(folder, path)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    throw new UsageError(
      `No API module found (tried src/api.ts and api.ts, also as .mts, .js and .mjs). Pass --api <module> or set "bifocal": { "api": "./src/api.ts" } in package.json.`,
    );
  }
  const path = resolve(folder, named);
  if (!existsSync(path))
    throw new UsageError(`API module '${named}' not found in ${folder}. Check --api or "bifocal.api" in package.json.`);
  return path;
}

export function findMigrations(folder: string, given: string | undefined): string {
  return resolve(folder, given ?? readSettings(folder).migrations ?? "migrations");
}
