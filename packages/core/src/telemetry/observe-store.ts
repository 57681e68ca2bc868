import type { DeleteResult, Store, StoreContext, StorePage, WriteResult } from "../store/store.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { StoreActivity, StoreMethod, Telemetry } from "./telemetry.ts";

/** Wraps each call of a store in telemetry. */
export function observeStore(store: Store, telemetry: Telemetry): Store {
  return new ObservedStore(store, telemetry);
}

class ObservedStore implements Store {
  readonly capabilities: Store["capabilities"];
  readonly open: Store["open"];
  readonly writesOf?: NonNullable<Store["writesOf"]>;
  readonly readReceipt?: NonNullable<Store["readReceipt"]>;
  readonly writeReceipt?: NonNullable<Store["writeReceipt"]>;
  readonly insertAtOnce?: NonNullable<Store["insertAtOnce"]>;
  readonly appendChanges?: NonNullable<Store["appendChanges"]>;
  readonly changeLog?: NonNullable<Store["changeLog"]>;
  readonly bus?: NonNullable<Store["bus"]>;
  readonly listTexts?: NonNullable<Store["listTexts"]>;
  readonly aggregate?: NonNullable<Store["aggregate"]>;
  readonly aggregatePer?: NonNullable<Store["aggregatePer"]>;
  readonly lock?: NonNullable<Store["lock"]>;
  readonly close?: NonNullable<Store["close"]>;
  readonly #store: Store;
  readonly #telemetry: Telemetry;

  constructor(store: Store, telemetry: Telemetry) {
    this.capabilities = store.capabilities;
    this.open = (model, resources) => store.open(model, resources);
    this.#store = store;
    this.#telemetry = telemetry;
    if (store.writesOf !== undefined) this.writesOf = store.writesOf.bind(store);
    if (store.readReceipt !== undefined) {
      const read = store.readReceipt.bind(store);
      this.readReceipt = (token, context) => this.#call("readReceipt", undefined, () => read(token, context));
    }
    if (store.writeReceipt !== undefined) {
      const write = store.writeReceipt.bind(store);
      this.writeReceipt = (receipt, context) => this.#call("writeReceipt", undefined, () => write(receipt, context));
    }
    if (store.insertAtOnce !== undefined) {
      const insert = store.insertAtOnce.bind(store);
      this.insertAtOnce = (command, context) =>
        this.#call(
          "insertAtOnce",
          command.resource.name,
          () => insert(command, context),
          (rows) => rows?.length ?? 0,
        );
    }
    if (store.lock !== undefined) {
      const lock = store.lock.bind(store);
      this.lock = (query, context) => this.#call("lock", query.resource.name, () => lock(query, context));
    }
    if (store.appendChanges !== undefined) {
      const append = store.appendChanges.bind(store);
      this.appendChanges = (drafts, context) => this.#call("appendChanges", undefined, () => append(drafts, context));
    }
    if (store.listTexts !== undefined) {
      const list = store.listTexts.bind(store);
      this.listTexts = (query, context) =>
        this.#call(
          "listTexts",
          query.resource.name,
          () => list(query, context),
          (page) => page?.texts.length ?? 0,
        );
    }
    if (store.aggregate !== undefined) {
      const aggregate = store.aggregate.bind(store);
      this.aggregate = (query, context) =>
        this.#call(
          "aggregate",
          query.resource.name,
          () => aggregate(query, context),
          ({ groups }) => groups.length,
        );
    }
    if (store.aggregatePer !== undefined) {
      const aggregate = store.aggregatePer.bind(store);
      this.aggregatePer = (query, context) =>
        this.#call(
          "aggregatePer",
          query.resource.name,
          () => aggregate(query, context),
          ({ groups }) => groups.reduce((sum, own) => sum + own.length, 0),
        );
    }
    if (store.changeLog !== undefined) this.changeLog = store.changeLog;
    if (store.bus !== undefined) this.bus = store.bus;
    if (store.close !== undefined) this.close = store.close.bind(store);
  }

  #call<T>(
    method: StoreMethod,
    resource: string | undefined,
    work: () => MaybePromise<T>,
    rowsOf?: StoreActivity<T>["rowsOf"],
  ): MaybePromise<T> {
    return this.#telemetry.storeCall({ method, resource, rowsOf }, work);
  }

  byKeys: Store["byKeys"] = (query, context) =>
    this.#call("byKeys", query.resource.name, () => this.#store.byKeys(query, context), countRows);

  list: Store["list"] = (query, context) =>
    this.#call("list", query.resource.name, () => this.#store.list(query, context), countPage);

  listPer: Store["listPer"] = (query, context) =>
    this.#call("listPer", query.resource.name, () => this.#store.listPer(query, context), countPages);

  isFree = (): boolean => this.#store.isFree?.() === true;

  insert: Store["insert"] = (command, context) =>
    this.#call("insert", command.resource.name, () => this.#store.insert(command, context), countRows);

  update: Store["update"] = (command, context) =>
    this.#call("update", command.resource.name, () => this.#store.update(command, context), countDone);

  delete: Store["delete"] = (command, context) =>
    this.#call("delete", command.resource.name, () => this.#store.delete(command, context), countDone);

  link: Store["link"] = (command, context) =>
    this.#call("link", command.relation.source, () => this.#store.link(command, context));

  unlink: Store["unlink"] = (command, context) =>
    this.#call("unlink", command.relation.source, () => this.#store.unlink(command, context));

  transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T> {
    const inside = (handle: Store): Promise<T> => work(observeStore(handle, this.#telemetry));
    return Promise.resolve(this.#call("transaction", undefined, () => this.#store.transaction(inside, context)));
  }
}

function countRows(rows: readonly unknown[]): number {
  return rows.length;
}

function countPage({ rows }: StorePage): number {
  return rows.length;
}

function countPages(pages: readonly StorePage[]): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 0);
}

function countDone({ kind }: WriteResult | DeleteResult): number {
  return kind === "done" ? 1 : 0;
}
