import { checkChoice, checkCallOptions, mapMaybePromise, type CallOptionKinds } from "@bifocal/core/internal";
import type {
  Bus,
  DefinitionMistake,
  EventDraft,
  Model,
  Receipt,
  ResourceModel,
  Store,
  StoreCapabilities,
  Warning,
  StoreContext,
  StoreLoad,
  MaybePromise,
} from "@bifocal/core/store";
import type { Connection } from "./database.ts";
import { type Explanation, explainWork } from "./explain/explain.ts";
import { postgresBus } from "./dialect/postgres/postgres-bus.ts";
import { sqliteModule } from "./dialect/sqlite/sqlite-module.ts";
import { Newcomers } from "./newcomers.ts";
import { type Opened, openSource, openStore, type Source } from "./opened.ts";
import type { StoreHandle } from "./operations/ask.ts";
import { insertStepByStep, isOneStatementAtOnce } from "./operations/insert-at-once.ts";
import { insertRows, isOneStatement } from "./operations/insert-rows.ts";
import { InsertTogether } from "./operations/insert-together.ts";
import { aggregate, aggregatePer, list, listPer, listTexts } from "./operations/read.ts";
import { ReadTogether } from "./operations/read-together.ts";
import { deleteRow, link, unlink, update } from "./operations/write.ts";
import { appendChanges } from "./outbox/append-changes.ts";
import { EventLog } from "./outbox/event-log.ts";
import { indexWarnings } from "./schema/index-warnings.ts";
import { dialectOf, type SqlStoreOptions } from "./options.ts";
import { pruneReceipts, readReceipt, writeReceipt } from "./receipts.ts";
import { inSharedTransaction, inTransaction, untilFree } from "./run.ts";
import { SqlSchemaTools } from "./schema-tools.ts";
import { hasRules } from "./table/naming.ts";
import { namingMistakes } from "./table/naming-mistakes.ts";
import { TenantSetting } from "./tenant-setting.ts";
import { transactionStore } from "./transaction-store.ts";

const OPTIONS: CallOptionKinds<SqlStoreOptions> = {
  url: "a string",
  dialect: "an object",
  kysely: "an object",
  max: "a number of at least 0",
  connectTimeout: "a number of at least 0",
  prepare: "true or false",
  plan: true,
  autoCreate: "true or false",
  events: "an object",
  rowLevelSecurity: "true or false",
  foreignKeys: "true or false",
  naming: true,
  tables: "an object",
  links: "an object",
};

/**
 * Stores rows in PostgreSQL, MySQL, MariaDB or SQLite. Throws at once if the URL is of another database, or
 * of SQLite and the runtime has no SQLite. If the
 * database is unreachable, each operation tries to connect again and fails with UNAVAILABLE until it succeeds.
 * @example const store = sqlStore("postgres://localhost/books");
 */
export function sqlStore(given: string | SqlStoreOptions): SqlStore;
export function sqlStore(given: string | SqlStoreOptions, ...others: readonly unknown[]): SqlStore {
  // A number is the index that `urls.map(sqlStore)` passes.
  if (typeof others[0] === "object")
    throw new TypeError("sqlStore() has one argument. Pass options together with the URL: sqlStore({ url, max: 20 }).");
  const options: SqlStoreOptions = typeof given === "string" ? { url: given } : { ...given };
  checkCallOptions("sqlStore", options, OPTIONS);
  if (options.url === undefined && options.dialect === undefined && options.kysely === undefined)
    throw new Error(
      'sqlStore() needs a database: a URL such as "postgres://localhost/books", a `dialect` or a `kysely`. If the URL comes from an environment variable, check that it is set.',
    );
  const name = options.url === undefined ? undefined : dialectOf(options.url);
  if (options.rowLevelSecurity === true && name !== "postgres")
    throw new Error("`rowLevelSecurity` needs PostgreSQL and a `url`, so that the store has its own connections.");
  const { plan, naming } = options;
  checkChoice("sqlStore", "plan", plan, ["auto", "one", "flat"]);
  if (!hasRules(naming))
    checkChoice("sqlStore", "naming", naming, ["snake_case", "same"], "the functions table, column and link");
  if (name === "sqlite") sqliteModule();
  return new OpenableStore(options);
}

/** A store of rows in an SQL database. */
export interface SqlStore extends Store {
  /**
   * Runs `work` and reports its statements with their times, the plan chosen for each nested read, and missing indexes.
   * For developers. Writes in `work` take effect.
   * @example console.log((await store.explain(() => api.local.book.list({ sort: ["-price"] }))).text);
   */
  readonly explain: (work: () => Promise<unknown>) => Promise<Explanation>;
}

/** In milliseconds. */
const PRUNE_EVERY = 60_000;

class OpenableStore implements SqlStore {
  readonly capabilities: StoreCapabilities & { receipts: boolean; changes: boolean; search: boolean } = {
    transactions: true,
    relationFilters: true,
    relationSort: true,
    search: true,
    listPer: true,
    relatedValues: true,
    relatedGroups: true,
    links: true,
    receipts: false,
    // Assumed until the store is open. Calls before that wait and then use the log.
    changes: true,
    writes: true,
  };
  readonly changeLog: EventLog;
  readonly bus?: Bus;
  readonly "~schema": SqlSchemaTools;
  readonly #options: SqlStoreOptions;
  readonly #together = new ReadTogether();
  readonly #inserts = new InsertTogether();
  readonly #tenants: TenantSetting | undefined;
  #model: readonly [Model, readonly ResourceModel[]] | undefined;
  #source: Promise<Source> | undefined;
  #opening: Promise<StoreHandle> | undefined;
  #handle: StoreHandle | undefined;
  #pruning: NodeJS.Timeout | undefined;

  constructor(options: SqlStoreOptions) {
    this.#options = options;
    const { url, events, connectTimeout } = options;
    this.#tenants = options.rowLevelSecurity === true ? new TenantSetting() : undefined;
    this.changeLog = new EventLog(() => this.#handle ?? this.#open(), events);
    if (url !== undefined && dialectOf(url) === "postgres") {
      this.bus = postgresBus({ url, ...(connectTimeout === undefined ? {} : { connectTimeout }) });
    }
    this["~schema"] = new SqlSchemaTools(options, () => this.#connectSource());
  }

  /** The database of an application's own connections isn't known before the store opens. */
  readonly warnings = (resources: readonly ResourceModel[]): readonly Warning[] => {
    const { url } = this.#options;
    return url === undefined ? [] : indexWarnings(dialectOf(url), resources, this.#options.tables);
  };

  readonly mistakes = (model: Model, resources: readonly ResourceModel[]): readonly DefinitionMistake[] => {
    if (this.#isOfOther(model)) {
      return [{ at: "store", problem: "Another API already uses this store.", fix: "Create another sqlStore()." }];
    }
    const ofTenants = this.#tenants === undefined ? [] : TenantSetting.mistakes(resources);
    return [...namingMistakes(model, resources, this.#options), ...ofTenants];
  };

  async open(model: Model, resources: readonly ResourceModel[]): Promise<void> {
    if (this.#isOfOther(model)) throw new Error("A store can be used by only one API. Create another sqlStore().");
    this.#model = [model, resources];
    await this.#open();
  }

  byKeys: Store["byKeys"] = (query, context) => this.#on((handle) => this.#together.byKeys(handle, query, context));
  list: Store["list"] = (query, context) => this.#on((handle) => list(handle, query, context));
  listPer: Store["listPer"] = (query, context) => this.#on((handle) => listPer(handle, query, context));
  aggregate: NonNullable<Store["aggregate"]> = (query, context) =>
    this.#on((handle) => aggregate(handle, query, context));
  aggregatePer: NonNullable<Store["aggregatePer"]> = (query, context) =>
    this.#on((handle) => aggregatePer(handle, query, context));
  listTexts: NonNullable<Store["listTexts"]> = (query, context) =>
    this.#on((handle) => listTexts(handle, query, context));

  insert: Store["insert"] = (command, context) =>
    this.#on((handle) =>
      handle.database.shareCommit === undefined && isOneStatement(handle, command)
        ? untilFree(context, () => insertRows(handle, command, context))
        : this.#shared(handle, context, (inner) => insertRows(inner, command, context)),
    );

  insertAtOnce: NonNullable<Store["insertAtOnce"]> = (command, context) =>
    this.#on((handle) =>
      isOneStatementAtOnce(handle, command)
        ? this.#inserts.insert(handle, command, context)
        : this.#shared(handle, context, (inner) => insertStepByStep(inner, command, context)),
    );

  update: Store["update"] = (command, context) =>
    this.#on((handle) => this.#shared(handle, context, (inner) => update(inner, command, context)));

  delete: Store["delete"] = (command, context) =>
    this.#on((handle) => this.#shared(handle, context, (inner) => deleteRow(inner, command, context)));

  link: Store["link"] = (command, context) =>
    this.#on((handle) => untilFree(context, () => link(handle, command, context)));

  unlink: Store["unlink"] = (command, context) =>
    this.#on((handle) => untilFree(context, () => unlink(handle, command, context)));

  async transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T> {
    const handle = this.#handle ?? (await this.#open());
    return this.#within(handle, context, (inner) => work(transactionStore(inner, this.capabilities)));
  }

  readReceipt = (token: string, context: StoreContext): MaybePromise<Receipt | undefined> =>
    this.#on((handle) => readReceipt(handle, handle.connection, token, context));

  writeReceipt = (receipt: Receipt, context: StoreContext): MaybePromise<void> =>
    this.#on((handle) => writeReceipt(handle, handle.connection, receipt, context));

  appendChanges = (drafts: readonly EventDraft[], context: StoreContext): MaybePromise<void> =>
    this.#on((handle) => appendChanges(handle, handle.connection, drafts, context));

  load = (): StoreLoad => {
    const { waiting, longest } = this.#inserts.load();
    const queue = this.#handle?.database.load?.();
    if (queue === undefined) return { waiting, longest };
    return { waiting: queue.waiting + waiting, longest: Math.max(queue.longest, longest) };
  };

  readonly explain = async (work: () => Promise<unknown>): Promise<Explanation> => {
    const { database, dialect } = this.#handle ?? (await this.#open());
    return explainWork(database, dialect, work);
  };

  async close(): Promise<void> {
    clearInterval(this.#pruning);
    await this.bus?.close?.();
    const source = await this.#source?.catch(() => undefined);
    await source?.database.close();
  }

  #isOfOther(model: Model): boolean {
    return this.#model !== undefined && this.#model[0] !== model;
  }

  #within<T>(handle: StoreHandle, context: StoreContext, work: (handle: StoreHandle) => Promise<T>): Promise<T> {
    const { database, dialect, tables } = handle;
    return inTransaction(database, dialect, context, inside(handle, work), new Newcomers(dialect, tables));
  }

  /** For work that waits for nothing but its statements. */
  #shared<T>(handle: StoreHandle, context: StoreContext, work: (handle: StoreHandle) => Promise<T>): Promise<T> {
    const { database, dialect, tables } = handle;
    return inSharedTransaction(database, dialect, context, inside(handle, work), new Newcomers(dialect, tables));
  }

  #on<T>(work: (handle: StoreHandle) => MaybePromise<T>): MaybePromise<T> {
    return mapMaybePromise(this.#handle ?? this.#open(), work);
  }

  /** Connects to the database. Concurrent calls share one attempt; if it fails, the next operation makes another. */
  #open(): Promise<StoreHandle> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** A failed attempt is repeated: the driver or the folder of the file may have been missing. */
  #connectSource(): Promise<Source> {
    return (this.#source ??= openSource(this.#options, this.#tenants).catch((thrown: unknown) => {
      this.#source = undefined;
      throw thrown;
    }));
  }

  async #connect(): Promise<StoreHandle> {
    if (this.#model === undefined) throw new Error("The store is not open.");
    const source = await this.#connectSource();
    const [model, resources] = this.#model;
    // Other instances may be creating the same tables.
    const open = (): Promise<Opened> => openStore(source, this.#options, model, resources, this.#tenants);
    const opened = await untilFree({ signal: undefined }, open);
    this.capabilities.receipts = opened.keepsReceipts;
    this.capabilities.changes = opened.keepsChanges;
    this.capabilities.search = opened.dialect.wordMatch !== undefined;
    this.#handle = { ...opened, connection: opened.database, isWithin: false };
    if (opened.keepsReceipts) {
      const prune = (): void => void pruneReceipts(opened).catch(() => {});
      this.#pruning = setInterval(prune, PRUNE_EVERY).unref();
    }
    return this.#handle;
  }
}

/** Returns `work` on the connection of a transaction. */
function inside<T>(
  handle: StoreHandle,
  work: (handle: StoreHandle) => Promise<T>,
): (connection: Connection) => Promise<T> {
  const inner = { ...handle, dialect: handle.dialect.within ?? handle.dialect, isWithin: true };
  return (connection) => work({ ...inner, connection });
}
