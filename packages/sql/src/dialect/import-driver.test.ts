import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importDriver } from "./import-driver.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bifocal-driver-"));
  const add = async (file: string, text: string): Promise<void> => {
    const path = join(folder, file);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  };
  await add("node_modules/broken/index.js", 'require("absent-dependency");');
  await add("node_modules/throwing/index.js", 'throw new TypeError("The addon was built for another Node.");');
  for (const name of ["absent", "broken", "throwing"])
    await add(`${name}.mjs`, `export const load = () => import("${name}");`);
});
afterAll(() => rm(folder, { recursive: true }));

const importFrom = async (name: string): Promise<unknown> => {
  const { load } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as { load: () => Promise<unknown> };
  return importDriver("MySQL", name, load).catch((thrown: unknown) => thrown);
};

describe("the import of a driver", () => {
  test("names the command that installs a missing package", async () => {
    expect(await importFrom("absent")).toMatchObject({
      message: "A MySQL store needs the package 'absent': npm install absent",
      cause: { code: "ERR_MODULE_NOT_FOUND" },
    });
  });

  test("states why an installed package failed to load", async () => {
    expect(await importFrom("throwing")).toMatchObject({
      message: "The package 'throwing' of the MySQL store failed to load: The addon was built for another Node.",
      cause: { name: "TypeError" },
    });
    expect(await importFrom("broken")).toMatchObject({
      message: expect.stringContaining("'broken' of the MySQL store failed to load: Cannot find module 'absent-dep"),
      cause: { code: "MODULE_NOT_FOUND" },
    });
  });

  test.each([
    "Cannot find package 'mysql2' imported from /app/server.js",
    "Cannot find module 'mysql2/promise'\nRequire stack:",
    'Import "mysql2/promise" not a dependency',
    'No such module "mysql2/promise".',
  ])("recognizes %s", async (message) => {
    const load = () => Promise.reject(new Error(message));
    await expect(importDriver("MySQL", "mysql2", load)).rejects.toThrow("npm install mysql2");
  });
});
