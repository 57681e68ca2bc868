import type * as Sqlite from "node:sqlite";

/** Returns `node:sqlite`. Throws if the runtime lacks it, or has only its names, as workerd does. */
export function sqliteModule(): typeof Sqlite {
  const found = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  try {
    if (found === undefined) throw new Error("No such built-in module: node:sqlite");
    new found.DatabaseSync(":memory:").close();
    return found;
  } catch (cause) {
    const runtime = found === undefined ? `this runtime (${runtimeName(process.versions)})` : "this runtime";
    throw new Error(
      `SQLite needs \`node:sqlite\`, which ${runtime} lacks. Use Node 22.16 or newer, Bun or Deno. ` +
        "On workerd, use postgres://, mysql:// or mariadb://.",
      { cause },
    );
  }
}

function runtimeName({ bun, deno, node }: NodeJS.ProcessVersions): string {
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? `Node ${node}` : `Deno ${deno}`;
}
