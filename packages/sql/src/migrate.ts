import type { ApplyOptions, SchemaPlan, SchemaTools, Store, StoreUse, WithStores } from "@bifocal/core/store";

/** Default folder of migration files. */
const FOLDER = "migrations";

export interface MigrationOptions {
  /** The folder of migration files. Default `"migrations"`. */
  readonly folder?: string;
  /** Selects the store if an API has several SQL stores: the name of any resource in it. */
  readonly resource?: string;
}

/**
 * Runs all pending migrations and returns their names. Each runs once, even if several instances start together. Call
 * this before `defineApi`, which opens the store. Throws `MigrationError` with instructions if a migration can't be
 * applied.
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

/**
 * Compares the database with the model and returns the steps that make it match, as statements. Throws `MigrationError`
 * if migrations are pending.
 */
export function planMigration(api: WithStores, options: MigrationOptions = {}): Promise<SchemaPlan> {
  const { tools, use } = findTools(api, options.resource);
  return tools.plan(use, options.folder ?? FOLDER);
}

/**
 * Describes every difference between model and database and every pending migration, one sentence each. Returns an
 * empty list if the database matches.
 */
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
