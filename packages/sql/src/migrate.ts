import type { ApplyOptions, SchemaPlan, SchemaTools, Store, StoreUse, WithStores } from "@bifocal/core/store";

/** Where migrations are, unless it is said otherwise. */
const FOLDER = "migrations";

export interface MigrationOptions {
  /** The folder of migration files. Default `"migrations"`. */
  readonly folder?: string;
  /** Where an API has several SQL stores: a resource of the one that is meant. */
  readonly resource?: string;
}

/**
 * Runs the migrations that wait, each once however many instances start together, and answers their names. Do it before
 * `defineApi`, which opens the store. Throws `MigrationError`, which says what to do.
 *
 * @example await applyMigrations(store);
 */
export function applyMigrations(
  store: Store,
  { folder = FOLDER, ...options }: ApplyOptions & Pick<MigrationOptions, "folder"> = {},
): Promise<readonly string[]> {
  const tools = store["~schema"];
  if (tools === undefined) throw new Error("applyMigrations() needs an sqlStore(). Other stores have no tables.");
  return tools.apply(folder, options);
}

/** Compares the database with the model: what has to be done for it to fit, as statements. Throws `MigrationError` where migrations wait. */
export function planMigration(api: WithStores, options: MigrationOptions = {}): Promise<SchemaPlan> {
  const { tools, use } = findTools(api, options.resource);
  return tools.plan(use, options.folder ?? FOLDER);
}

/** Every difference between model and database and every migration that waits, as sentences; empty where there is none. */
export function checkSchema(api: WithStores, options: MigrationOptions = {}): Promise<readonly string[]> {
  const { tools, use } = findTools(api, options.resource);
  return tools.check(use, options.folder ?? FOLDER);
}

function findTools(
  api: WithStores,
  resource: string | undefined,
): { readonly tools: SchemaTools; readonly use: StoreUse } {
  const found = api["~stores"].flatMap((use) => {
    const tools = use.store["~schema"];
    const isMeant = resource === undefined || use.resources.some(({ name }) => name === resource);
    return tools === undefined || !isMeant ? [] : [{ tools, use }];
  });
  const [first] = found;
  if (first === undefined) throw new Error("This API has no sqlStore().");
  if (found.length > 1)
    throw new Error("This API has several sqlStore()s. Set `resource` to a resource in the one to use.");
  return first;
}
