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

/** The module of the API: as given, as package.json says, or where it usually is. */
export function findApi(folder: string, given: string | undefined): string {
  const named = given ?? readSettings(folder).api;
  if (named === undefined) {
    const found = USUAL.map((path) => join(folder, path)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    throw new UsageError(
      `Where is the API? There is no src/api.ts and no api.ts here. Say --api <module>, or "bifocal": { "api": "./src/api.ts" } in package.json.`,
    );
  }
  const path = resolve(folder, named);
  if (!existsSync(path))
    throw new UsageError(`There is no '${named}' in ${folder}. --api names the module of the API.`);
  return path;
}

export function findMigrations(folder: string, given: string | undefined): string {
  return resolve(folder, given ?? readSettings(folder).migrations ?? "migrations");
}
