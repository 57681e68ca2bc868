import type { SchemaTools, StoreUse } from "@bifocal/core/store";
import { type Call, textOf, UsageError } from "./command.ts";
import { type LoadedApi, withApi } from "./load-api.ts";
import { findMigrations } from "./settings.ts";

export interface DatabaseCall {
  readonly tools: SchemaTools;
  readonly use: StoreUse;
  /** Absolute path of the migrations folder. */
  readonly migrations: string;
}

/** Runs `work` with the schema tools of the selected SQL store. */
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
    throw new UsageError("This API has no SQL store. Commands under `db` need sqlStore() from @bifocal/sql.");
  }
  const meant = found.filter(
    ({ use }) => resource === undefined || use.resources.some(({ name }) => name === resource),
  );
  const [first] = meant;
  if (first === undefined) throw new UsageError(`No SQL store of this API contains the resource '${resource}'.`);
  if (meant.length > 1) {
    const names = meant.map(({ use }) => use.resources.map(({ name }) => name).join(", ")).join("; ");
    throw new UsageError(
      `This API has ${meant.length} SQL stores (${names}). Select one with --resource, and its folder with --migrations.`,
    );
  }
  return first;
}
