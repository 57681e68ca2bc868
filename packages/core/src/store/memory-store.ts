import type { RelationModel, ResourceModel, Row } from "../model/model.ts";
import { compileFilter } from "./evaluate-filter.ts";
import { type Committed, createCommitted } from "./memory/committed.ts";
import { listRows, scanRows } from "./memory/list-rows.ts";
import { createOverlay, type Overlay } from "./memory/overlay.ts";
import { seed } from "./memory/seed.ts";
import { createTurns } from "./memory/turns.ts";
import { tokenOf, type View } from "./memory/view.ts";
import { insertRow, insertRows, removeRow, updateRow } from "./memory/write.ts";
import type { SeedData } from "./seed-row.ts";
import {
  type KeysQuery,
  type PerParentQuery,
  type Store,
  type StoreCapabilities,
  type StoreContext,
  type StorePage,
  throwIfOver,
} from "./store.ts";

export interface MemoryStoreOptions {
  /** What is there at start: rows by resource, as user code sees them, and links by the name of their table. */
  readonly data?: SeedData;
}

const CAPABILITIES: StoreCapabilities = Object.freeze({
  transactions: true,
  relationFilters: true,
  relationSort: true,
  listPer: true,
  links: true,
  receipts: true,
  writes: true,
});

/**
 * Keeps all rows in memory: the default, and the meaning that every other store has to agree with. Reads go by indexes
 * of keys, filterable fields and relations; sorted lists are built when first asked for.
 *
 * A transaction collects its changes apart and commits them in one step, so others never see it half done.
 */
export function memoryStore({ data = {} }: MemoryStoreOptions = {}): Store {
  let committed: Committed | undefined;
  const turns = createTurns();
  const opened = (): Committed => {
    if (committed === undefined) throw new Error("The store was not opened.");
    return committed;
  };

  /** One command on its own is a transaction that cannot be interrupted. */
  function writeNow<T>(context: StoreContext, write: (overlay: Overlay) => T): T | Promise<T> {
    return turns.afterTurn(() => {
      // Whoever had to wait for others may have been answered meanwhile.
      throwIfOver(context);
      const overlay = createOverlay(opened());
      const result = write(overlay);
      overlay.commit();
      return result;
    });
  }

  return {
    capabilities: CAPABILITIES,
    open(model, resources) {
      if (committed !== undefined) throw new Error("A store belongs to one API; make another memoryStore().");
      committed = createCommitted(model, resources);
      seed(committed, resources, data);
    },
    // Reads answer at once, so there is no signal to look at in between.
    byKeys: (query) => readKeys(opened().view, query),
    list(query) {
      const { view, tableOf } = opened();
      return listRows(view, tableOf, query);
    },
    listPer: (query) => query.parents.map((parent) => listOfParent(opened(), query, parent)),
    insert(command, context) {
      const [only, ...others] = command.rows;
      if (only === undefined || others.length > 0) {
        return writeNow(context, (overlay) => insertRows(overlay, opened().count, command));
      }
      return turns.afterTurn(() => {
        throwIfOver(context);
        return [insertRow(opened(), command.resource, only)];
      });
    },
    update: (command, context) => writeNow(context, (overlay) => updateRow(overlay, opened().view.model, command)),
    remove: (command, context) => writeNow(context, (overlay) => removeRow(overlay, opened().view.model, command)),
    link: ({ relation, from, to }, context) =>
      writeNow(context, (overlay) => overlay.setLink(relation, from, to, true)),
    unlink: ({ relation, from, to }, context) =>
      writeNow(context, (overlay) => overlay.setLink(relation, from, to, false)),
    transaction(work, context) {
      return turns.takeTurn(async () => {
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

function readKeys(view: View, { resource, keys, filter }: KeysQuery): readonly Row[] {
  const matches = filter && compileFilter(filter, resource, view.related, view.model);
  const rows: Row[] = [];
  for (const key of keys) {
    const row = view.get(resource, tokenOf(key));
    if (row !== undefined && (matches === undefined || matches(row))) rows.push(row);
  }
  return rows;
}

function listOfParent({ view, tableOf }: Committed, query: PerParentQuery, parent: string | number): StorePage {
  const { relation, resource } = query;
  if (relation.through === undefined) {
    const bucket = tableOf(resource.name).withValue(relation.foreign, parent);
    if (bucket !== undefined) return listRows(view, tableOf, query, bucket);
  }
  return scanRows(view, query, rowsOfParent(view, relation, resource, parent));
}

function rowsOfParent(
  view: View,
  relation: RelationModel,
  resource: ResourceModel,
  parent: string | number,
): readonly Row[] {
  if (relation.through === undefined) return view.withValue(resource, relation.foreign, parent);
  return view.linked(relation, parent).flatMap((far) => {
    const row = view.get(resource, far as string | number);
    return row === undefined ? [] : [row];
  });
}

/** The store as a transaction sees it; useless once that is over. */
function createHandle(committed: Committed, overlay: Overlay): { readonly store: Store; readonly end: () => void } {
  const { view, isTouched } = overlay;
  const { model } = view;
  let isOver = false;
  const check = (): void => {
    if (isOver) throw new Error("The transaction is over: its store cannot be used any more.");
  };
  const guarded =
    <Command, Result>(work: (command: Command) => Result) =>
    (command: Command, context: StoreContext): Result => {
      check();
      throwIfOver(context);
      return work(command);
    };
  const store: Store = {
    capabilities: CAPABILITIES,
    open: () => {},
    byKeys: guarded((query) => readKeys(view, query)),
    list: guarded((query) =>
      isTouched()
        ? scanRows(view, query, view.all(query.resource))
        : listRows(committed.view, committed.tableOf, query),
    ),
    listPer: guarded((query) =>
      query.parents.map((parent) =>
        isTouched()
          ? scanRows(view, query, rowsOfParent(view, query.relation, query.resource, parent))
          : listOfParent(committed, query, parent),
      ),
    ),
    insert: guarded((command) => insertRows(overlay, committed.count, command)),
    update: guarded((command) => updateRow(overlay, model, command)),
    remove: guarded((command) => removeRow(overlay, model, command)),
    link: guarded(({ relation, from, to }) => overlay.setLink(relation, from, to, true)),
    unlink: guarded(({ relation, from, to }) => overlay.setLink(relation, from, to, false)),
    readReceipt: (token) => committed.receipts.get(token),
    writeReceipt: (receipt) => overlay.writeReceipt(receipt),
    // Already within one: the work joins it.
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
