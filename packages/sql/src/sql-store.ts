import {
  type Bus,
  type EventDraft,
  type Model,
  type Receipt,
  type ResourceModel,
  type Store,
  type StoreCapabilities,
  type StoreContext,
  type MaybePromise,
  thenNow,
  isBifocalError,
} from "@bifocal/core/store";
import type { Connection } from "./database.ts";
import { type Explanation, explainWork } from "./explain/explain.ts";
import { isOneStatement } from "./insert-rows.ts";
import { postgresBus } from "./dialect/postgres/postgres-bus.ts";
import { type Opened, openSource, openStore, type Source } from "./opened.ts";
import { Operations } from "./operations.ts";
import { appendChanges } from "./outbox/append-changes.ts";
import { EventLog } from "./outbox/event-log.ts";
import { dialectOf, type SqlStoreOptions } from "./options.ts";
import { pruneReceipts, readReceipt, writeReceipt } from "./receipts.ts";
import { inTransaction, untilFree } from "./run.ts";
import { SqlSchemaTools } from "./schema-tools.ts";

/**
 * Rows in PostgreSQL, MySQL, MariaDB or SQLite. Throws at once for a URL of none of them; a database that is not there
 * yet is asked again with each operation, which is UNAVAILABLE until then.
 *
 * @example const store = sqlStore("postgres://localhost/books");
 */
export function sqlStore(given: string | SqlStoreOptions): SqlStore {
  const options = typeof given === "string" ? { url: given } : given;
  if (options.url !== undefined) dialectOf(options.url);
  return new OpenableStore(options);
}

/** A store of rows in a SQL database. */
export interface SqlStore extends Store {
  /**
   * Runs `work` and tells which statements it took, how long they ran, which plan of reading was chosen and why, and
   * which indexes are missing. For developers: what writes is written.
   *
   * @example console.log((await store.explain(() => api.local.book.list({ sort: ["-price"] }))).text);
   */
  readonly explain: (work: () => Promise<unknown>) => Promise<Explanation>;
}

/** Milliseconds. */
const PRUNE_EVERY = 60_000;

class OpenableStore implements SqlStore {
  readonly capabilities: StoreCapabilities & { receipts: boolean; changes: boolean } = {
    transactions: true,
    relationFilters: true,
    relationSort: true,
    listPer: true,
    links: true,
    receipts: false,
    // Until it is open that is taken to be so: what was asked before is answered from the log then.
    changes: true,
    writes: true,
  };
  readonly changeLog: EventLog;
  readonly bus?: Bus;
  readonly "~schema": SqlSchemaTools;
  readonly #options: SqlStoreOptions;
  #model: readonly [Model, readonly ResourceModel[]] | undefined;
  #source: Promise<Source> | undefined;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  #operations: Operations | undefined;
  #pruning: NodeJS.Timeout | undefined;

  constructor(options: SqlStoreOptions) {
    this.#options = options;
    const { url, events, connectTimeout } = options;
    this.changeLog = new EventLog(() => this.#opened ?? this.#open(), events);
    if (url !== undefined && dialectOf(url) === "postgres") {
      this.bus = postgresBus({ url, ...(connectTimeout === undefined ? {} : { connectTimeout }) });
    }
    this["~schema"] = new SqlSchemaTools(options, () => this.#connectSource());
  }

  async open(model: Model, resources: readonly ResourceModel[]): Promise<void> {
    if (this.#model !== undefined) throw new Error("A store belongs to one API; make another sqlStore().");
    this.#model = [model, resources];
    try {
      await this.#open();
    } catch (thrown) {
      // It may come; what is wrong with the tables will not become right by waiting.
      if (!isBifocalError(thrown) || thrown.code !== "UNAVAILABLE") throw thrown;
    }
  }

  byKeys: Store["byKeys"] = (query, context) => this.#on((on) => on.byKeys(query, context));
  list: Store["list"] = (query, context) => this.#on((on) => on.list(query, context));
  listTexts: NonNullable<Store["listTexts"]> = (query, context) => this.#on((on) => on.listTexts(query, context));
  listPer: Store["listPer"] = (query, context) => this.#on((on) => on.listPer(query, context));
  link: Store["link"] = (command, context) => untilFree(context, () => this.#on((on) => on.link(command, context)));
  unlink: Store["unlink"] = (command, context) =>
    untilFree(context, () => this.#on((on) => on.unlink(command, context)));

  insert: Store["insert"] = (command, context) =>
    this.#whenOpen((opened) =>
      isOneStatement(opened, command)
        ? untilFree(context, () => new Operations(opened, opened.database, false).insert(command, context))
        : this.#within(opened, context, (on) => Promise.resolve(on.insert(command, context))),
    );

  update: Store["update"] = (command, context) =>
    this.#whenOpen((opened) => this.#within(opened, context, (on) => on.update(command, context)));

  remove: Store["remove"] = (command, context) =>
    this.#whenOpen((opened) => this.#within(opened, context, (on) => on.remove(command, context)));

  async transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T> {
    const opened = this.#opened ?? (await this.#open());
    return this.#within(opened, context, (on, connection) => work(this.#handle(opened, on, connection)));
  }

  readReceipt = (token: string, context: StoreContext): MaybePromise<Receipt | undefined> =>
    this.#whenOpen((opened) => readReceipt(opened, opened.database, token, context));

  writeReceipt = (receipt: Receipt, context: StoreContext): MaybePromise<void> =>
    this.#whenOpen((opened) => writeReceipt(opened, opened.database, receipt, context));

  appendChanges = (drafts: readonly EventDraft[], context: StoreContext): MaybePromise<void> =>
    this.#whenOpen((opened) => appendChanges(opened, opened.database, drafts, context));

  readonly explain = async (work: () => Promise<unknown>): Promise<Explanation> => {
    const { database, dialect } = this.#opened ?? (await this.#open());
    return explainWork(database, dialect, work);
  };

  async close(): Promise<void> {
    clearInterval(this.#pruning);
    await this.bus?.close?.();
    const source = await this.#source?.catch(() => undefined);
    await source?.database.close();
  }

  #within<T>(
    opened: Opened,
    context: StoreContext,
    work: (on: Operations, connection: Connection) => Promise<T>,
  ): Promise<T> {
    const { database, dialect } = opened;
    return inTransaction(database, dialect, context, (connection) =>
      work(new Operations(opened, connection, true), connection),
    );
  }

  /** The store within a transaction. */
  #handle(opened: Opened, on: Operations, connection: Connection): Store {
    return {
      capabilities: this.capabilities,
      open: () => {
        throw new Error("A transaction is of a store that is open.");
      },
      byKeys: (query, context) => on.byKeys(query, context),
      list: (query, context) => on.list(query, context),
      listPer: (query, context) => on.listPer(query, context),
      insert: (command, context) => on.insert(command, context),
      update: (command, context) => on.update(command, context),
      remove: (command, context) => on.remove(command, context),
      link: (command, context) => on.link(command, context),
      unlink: (command, context) => on.unlink(command, context),
      // One within another is part of it.
      transaction: (work) => work(this.#handle(opened, on, connection)),
      readReceipt: (token, context) => readReceipt(opened, connection, token, context),
      writeReceipt: (receipt, context) => writeReceipt(opened, connection, receipt, context),
      appendChanges: (drafts, context) => appendChanges(opened, connection, drafts, context),
    };
  }

  #on<T>(work: (operations: Operations) => MaybePromise<T>): MaybePromise<T> {
    if (this.#operations !== undefined) return work(this.#operations);
    return this.#open().then(() => work(this.#operations as Operations));
  }

  #whenOpen<T>(work: (opened: Opened) => MaybePromise<T>): MaybePromise<T> {
    return thenNow(this.#opened ?? this.#open(), work);
  }

  /** One attempt at a time; the next operation makes another where it failed. */
  #open(): Promise<Opened> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #connectSource(): Promise<Source> {
    return (this.#source ??= openSource(this.#options));
  }

  async #connect(): Promise<Opened> {
    if (this.#model === undefined) throw new Error("The store was not opened.");
    const source = await this.#connectSource();
    const [model, resources] = this.#model;
    // Others may be making the same tables.
    const opened = await untilFree({ signal: undefined }, () => openStore(source, this.#options, model, resources));
    this.capabilities.receipts = opened.keepsReceipts;
    this.capabilities.changes = opened.keepsChanges;
    this.#operations = new Operations(opened, opened.database, false);
    this.#opened = opened;
    if (opened.keepsReceipts) {
      const prune = (): void => void pruneReceipts(opened).catch(() => {});
      this.#pruning = setInterval(prune, PRUNE_EVERY).unref();
    }
    return opened;
  }
}
