import type { SchemaTools, StoreUse } from "@bifocal/core/store";
import { type Call, textOf, UsageError } from "./command.ts";
import { type LoadedApi, withApi } from "./load-api.ts";
import { findMigrations } from "./settings.ts";

export interface DatabaseCall {
  readonly tools: SchemaTools;
  readonly use: StoreUse;
  /** Of migrations, absolute. */
  readonly migrations: string;
}

/** Does something with the tables of the one store that is meant. */
export function withDatabase<T>({ values, io }: Call, work: (call: DatabaseCall) => Promise<T>): Promise<T> {
  const migrations = findMigrations(io.folder, textOf(values, "migrations"));
  return withApi(io.folder, textOf(values, "api"), (api) =>
    work({ ...findStore(api, textOf(values, "resource")), migrations }),
  );
}

function findStore(api: LoadedApi, resource: string | undefined): Omit<DatabaseCall, "migrations"> {
  const found = api["~stores"].flatMap((use) => {
    const tools = use.store["~schema"];
    return tools === undefined ? [] : [{ use, tools }];
  });
  if (found.length === 0) {
    throw new UsageError("This API has no tables to compare with: its stores are not sqlStore() of @bifocal/sql.");
  }
  const meant = found.filter(
    ({ use }) => resource === undefined || use.resources.some(({ name }) => name === resource),
  );
  const [first] = meant;
  if (first === undefined) throw new UsageError(`No SQL store of this API holds '${resource}'.`);
  if (meant.length > 1) {
    const names = meant.map(({ use }) => use.resources.map(({ name }) => name).join(", ")).join("; ");
    throw new UsageError(
      `This API has ${meant.length} SQL stores (${names}): say by --resource which one is meant, and by --migrations where its files are.`,
    );
  }
  return first;
}
