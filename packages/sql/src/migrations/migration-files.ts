import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toFileName } from "./migration-text.ts";

/** A file of the migrations folder. */
export interface Migration {
  /** File name with extension, as recorded in the database. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const FORM = /^(\d+)_.+\.sql$/;

/**
 * Reads the migrations of a folder in the order of their numbers. Returns an empty list if there is no folder. Throws
 * if a `.sql` file has no number.
 */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await listFolder(folder)).filter((name) => name.endsWith(".sql"));
  for (const name of names) {
    if (!FORM.test(name))
      throw new Error(`'${join(folder, name)}' has no number. Rename it, for example to 0001_create_books.sql.`);
  }
  names.sort((one, other) => numberOf(one) - numberOf(other) || (one < other ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, checksum: checksumOf(text) };
    }),
  );
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

function numberOf(name: string): number {
  return Number(FORM.exec(name)?.[1] ?? 0);
}

/** Ignores the difference between line endings. */
function checksumOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** Writes the next migration and returns its path. Never overwrites a file. */
export async function writeMigration(folder: string, text: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const last = Math.max(0, ...(await readMigrations(folder)).map((one) => numberOf(one.name)));
  const path = join(folder, `${String(last + 1).padStart(4, "0")}_${toFileName(name)}.sql`);
  await writeFile(path, text, { flag: "wx" });
  return path;
}
