import type { Key, RelationModel, ResourceModel, Row } from "../model/model.ts";
import { tokenOf } from "../model/reference.ts";
import { checkCallOptions } from "../util/check-call.ts";
import { compileFilter } from "./evaluate-filter.ts";
import { Evaluation } from "./evaluation.ts";
import { aggregateRows, aggregateParents } from "./memory/aggregate.ts";
import { findCandidates } from "./memory/candidates.ts";
import { addRelatedValues } from "./memory/add-related-values.ts";
import { type Committed, createCommitted } from "./memory/committed.ts";
import { type Directed, directList } from "./memory/directed.ts";
import { listRows, scanRows } from "./memory/list-rows.ts";
import { createOverlay, type Overlay } from "./memory/overlay.ts";
import { createPauses } from "./memory/pauses.ts";
import { type Reading, type ReadSource, runReading } from "./memory/reading.ts";
import { seed } from "./memory/seed.ts";
import { createMutex } from "./memory/mutex.ts";
import type { StoreView } from "./memory/store-view.ts";
import {
  applyDelete,
  applyInsert,
  applyUpdate,
  deleteInOverlay,
  insertInOverlay,
  updateInOverlay,
} from "./memory/write.ts";
import type { SeedData } from "./seed-row.ts";
import {
  type KeysQuery,
  type ListQuery,
  type MaybePromise,
  type ParentGroups,
  type PerParentAggregateQuery,
  type PerParentQuery,
  type Store,
  type StoreCapabilities,
  type StoreContext,
  type StorePage,
  throwIfOver,
} from "./store.ts";

export interface MemoryStoreOptions {
  /** Initial data: rows by resource with decoded values, and links by the name of their table. */
  readonly data?: SeedData;
}

const CAPABILITIES: StoreCapabilities = Object.freeze({
  transactions: true,
  relationFilters: true,
  relationSort: true,
  search: true,
  listPer: true,
  relatedValues: true,
  relatedGroups: true,
  links: true,
  receipts: true,
  writes: true,
});

/**
 * Keeps all rows in memory. This is the default store, and the reference for the behavior of all others. Reads use
 * indexes on keys, filterable fields and relations; sorted lists are built on first use. A transaction collects its
 * changes and commits them in one step, so other callers never see a partial state.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkCallOptions("memoryStore", options, { data: "an object" });
  const { data = {} } = options;
  let committed: Committed | undefined;
  const mutex = createMutex();
  const opened = (): Committed => {
    if (committed === undefined) throw new Error("The store is not open.");
    return committed;
  };

  /** A single command is a transaction that can't be interrupted. */
  function writeNow<T>(context: StoreContext, write: () => T): T | Promise<T> {
    return mutex.runWhenFree(() => {
      // The deadline may have passed while the command waited for others.
      throwIfOver(context);
      return write();
    });
  }

  /** A command with several changes makes all of them or none. */
  function writeMany<T>(context: StoreContext, write: (overlay: Overlay) => T): T | Promise<T> {
    return writeNow(context, () => {
      const overlay = createOverlay(opened());
      const result = write(overlay);
      overlay.commit();
      return result;
    });
  }

  return {
    capabilities: CAPABILITIES,
    open(model, resources) {
      if (committed !== undefined)
        throw new Error("A store can be used by only one API. Create another memoryStore().");
      committed = createCommitted(model, resources);
      seed(committed, resources, data);
    },
    byKeys: (query, context) => readKeys(opened().view, query, context),
    list(query, context) {
      const { view, tableOf, version } = opened();
      return runReading(sourceOf(view, version, context), (evaluation) =>
        listRows(tableOf, directList(view, query, evaluation)),
      );
    },
    listPer(query, context) {
      const { view, version } = opened();
      return runReading(sourceOf(view, version, context), (evaluation) =>
        listParents(opened(), query, directList(view, query, evaluation)),
      );
    },
    aggregate(query, context) {
      const { view, tableOf, version } = opened();
      return runReading(sourceOf(view, version, context), (evaluation) => {
        const found = findCandidates({ view, tableOf, evaluation }, query.resource, query.filter);
        return aggregateRows(query, evaluation, () => found?.rows() ?? view.all(query.resource));
      });
    },
    aggregatePer(query, context) {
      const { view, version } = opened();
      return runReading(sourceOf(view, version, context), (evaluation) => groupParents(view, query, evaluation));
    },
    isFree: mutex.isFree,
    insert({ resource, rows }, context) {
      // Not destructured, because an index is faster.
      const only = rows[0];
      if (only === undefined || rows.length > 1) {
        return writeMany(context, (overlay) => insertInOverlay(overlay, opened().count, { resource, rows }));
      }
      return writeNow(context, () => [applyInsert(opened(), resource, only)]);
    },
    update: (command, context) => writeNow(context, () => applyUpdate(opened(), command)),
    delete: (command, context) => writeNow(context, () => applyDelete(opened(), command)),
    link: ({ relation, from, to }, context) =>
      writeMany(context, (overlay) => overlay.setLink(relation, tokenOf(from), tokenOf(to), true)),
    unlink: ({ relation, from, to }, context) =>
      writeMany(context, (overlay) => overlay.setLink(relation, tokenOf(from), tokenOf(to), false)),
    transaction(work, context) {
      return mutex.runExclusive(async () => {
        throwIfOver(context);
        const overlay = createOverlay(opened());
        const handle = createHandle(opened(), overlay);
        try {
          const result = await work(handle.store);
          throwIfOver(context);
          overlay.commit();
          return result;
        } finally {
          handle.end();
        }
      });
    },
  };
}

function sourceOf(view: StoreView, version: () => number, context: StoreContext): ReadSource {
  return { context, version, createEvaluation: () => new Evaluation(view.model, view.related, context) };
}

function readKeys(view: StoreView, query: KeysQuery, context: StoreContext): readonly Row[] {
  const { resource, keys, filter, relatedValues } = query;
  const isPlain = filter === undefined && relatedValues === undefined;
  const evaluation = isPlain ? undefined : new Evaluation(view.model, view.related, context);
  const matches = filter && evaluation && compileFilter(filter, resource, evaluation);
  const rows: Row[] = [];
  for (const key of keys) {
    const row = view.get(resource, tokenOf(key));
    if (row !== undefined && (matches === undefined || matches(row))) rows.push(row);
  }
  return evaluation === undefined ? rows : addRelatedValues(query, rows, evaluation);
}

function listParents(committed: Committed, query: PerParentQuery, directed: Directed): Reading<readonly StorePage[]> {
  const { view, tableOf } = committed;
  const { relation, resource } = query;
  return readParents(query, directed, (parent) => {
    const bucket =
      relation.through === undefined ? tableOf(resource.name).withValues(relation.foreign, tokenOf(parent)) : undefined;
    if (bucket === undefined) return scanRows(directed, rowsOfParent(view, relation, resource, parent));
    return listRows(tableOf, directed, bucket);
  });
}

/** Reads one page after the other. */
function readParents(
  { parents }: PerParentQuery,
  { evaluation }: Directed,
  readPage: (parent: Key) => Reading<StorePage>,
): Reading<readonly StorePage[]> {
  const pages: StorePage[] = [];
  let reading: Reading<StorePage> | undefined;
  return () => {
    while (pages.length < parents.length) {
      reading ??= readPage(parents[pages.length] as Key);
      const page = reading();
      if (page === undefined) return undefined;
      pages.push(page);
      reading = undefined;
      if (evaluation.look()) return undefined;
    }
    return pages;
  };
}

function rowsOfParent(view: StoreView, relation: RelationModel, resource: ResourceModel, parent: Key): readonly Row[] {
  if (relation.through === undefined) return view.withValues(resource, relation.foreign, tokenOf(parent));
  return view.linked(relation, tokenOf(parent)).flatMap((far) => {
    const row = view.get(resource, far);
    return row === undefined ? [] : [row];
  });
}

function groupParents(view: StoreView, query: PerParentAggregateQuery, evaluation: Evaluation): Reading<ParentGroups> {
  const { relation, resource } = query;
  return aggregateParents(query, evaluation, (parent) => rowsOfParent(view, relation, resource, parent));
}

function scanParents(view: StoreView, query: PerParentQuery, directed: Directed): Reading<readonly StorePage[]> {
  const { relation, resource } = query;
  return readParents(query, directed, (parent) => scanRows(directed, rowsOfParent(view, relation, resource, parent)));
}

/** Returns the store as a transaction sees it. It can't be used after the transaction. */
function createHandle(committed: Committed, overlay: Overlay): { readonly store: Store; readonly end: () => void } {
  const { view, version } = overlay;
  const { whenDue } = createPauses();
  let isOver = false;
  const check = (): void => {
    if (isOver) throw new Error("The transaction has ended. Its store can't be used any more.");
  };
  const guarded =
    <Command, Result>(work: (command: Command, context: StoreContext) => MaybePromise<Result>) =>
    (command: Command, context: StoreContext): MaybePromise<Result> =>
      whenDue(() => {
        check();
        throwIfOver(context);
        return work(command, context);
      });
  const read = <T>(
    context: StoreContext,
    query: ListQuery,
    start: (directed: Directed) => Reading<T>,
  ): MaybePromise<T> =>
    runReading(sourceOf(view, version, context), (evaluation) => start(directList(view, query, evaluation)));
  const store: Store = {
    capabilities: CAPABILITIES,
    open: () => {},
    byKeys: guarded((query, context) => readKeys(view, query, context)),
    list: guarded((query, context) =>
      read(context, query, (directed) =>
        version() === 0
          ? listRows(committed.tableOf, directed)
          : scanRows(directed, overlay.candidates(query.resource, query.filter) ?? view.all(query.resource)),
      ),
    ),
    listPer: guarded((query, context) =>
      read(context, query, (directed) =>
        version() === 0 ? listParents(committed, query, directed) : scanParents(view, query, directed),
      ),
    ),
    aggregate: guarded((query, context) =>
      runReading(sourceOf(view, version, context), (evaluation) =>
        aggregateRows(
          query,
          evaluation,
          () => overlay.candidates(query.resource, query.filter) ?? view.all(query.resource),
        ),
      ),
    ),
    aggregatePer: guarded((query, context) =>
      runReading(sourceOf(view, version, context), (evaluation) => groupParents(view, query, evaluation)),
    ),
    insert: guarded((command) => insertInOverlay(overlay, committed.count, command)),
    update: guarded((command) => updateInOverlay(overlay, command)),
    delete: guarded((command) => deleteInOverlay(overlay, command)),
    link: guarded(({ relation, from, to }) => overlay.setLink(relation, tokenOf(from), tokenOf(to), true)),
    unlink: guarded(({ relation, from, to }) => overlay.setLink(relation, tokenOf(from), tokenOf(to), false)),
    readReceipt: (token) => committed.receipts.get(token),
    writeReceipt: (receipt) => overlay.writeReceipt(receipt),
    // A nested transaction joins the outer one.
    transaction: (work) => {
      check();
      return work(store);
    },
  };
  return {
    store,
    end: () => {
      isOver = true;
    },
  };
}
