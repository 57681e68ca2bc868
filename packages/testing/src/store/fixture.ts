import {
  type Filter,
  keyOf,
  type ListQuery,
  type RelationModel,
  type ResourceModel,
  type Row,
  type Sort,
  type Store,
  type StoreContext,
  type StorePage,
} from "@bifocal/core/store";
import { libraryModel } from "./library.ts";
import { LINKS, ROWS } from "./rows.ts";

/** A store that holds the rows of the test library, with shortcuts to read them. */
export interface Fixture {
  readonly store: Store;
  readonly context: StoreContext;
  readonly resource: (name: string) => ResourceModel;
  readonly relation: (resource: string, name: string) => RelationModel;
  readonly list: (name: string, query?: Partial<ListQuery>) => Promise<StorePage>;
  /** Returns the keys of the matching rows, in key order. */
  readonly matching: (name: string, filter: Filter) => Promise<readonly unknown[]>;
  readonly row: (name: string, key: string | number) => Promise<Row | undefined>;
  readonly close: () => Promise<void>;
}

export function ascending(...names: readonly string[]): Sort {
  return names.map((name) => ({ path: [name], descending: false }));
}

/** Joins the ids of rows, which have one letter each. */
export function idsOf({ rows }: Pick<StorePage, "rows">): string {
  return rows.map((row) => row["id"] as string).join("");
}

/**
 * Opens a new, empty store for the test library and inserts `ROWS` and `LINKS`. For a store that only reads, put the
 * rows into it yourself and pass `fill: false`.
 */
export async function createFixture(
  createStore: () => Store | Promise<Store>,
  { fill = true }: { readonly fill?: boolean } = {},
): Promise<Fixture> {
  const model = libraryModel();
  const store = await createStore();
  const context: StoreContext = { signal: undefined };
  await store.open(model, [...model.resources.values()]);
  const resource = (name: string): ResourceModel => model.resources.get(name) as ResourceModel;
  const relation = (of: string, name: string): RelationModel => resource(of).relations.get(name) as RelationModel;
  if (fill) {
    for (const [name, rows] of Object.entries(ROWS)) await store.insert({ resource: resource(name), rows }, context);
    if (store.capabilities.links) {
      for (const [from, to] of LINKS) await store.link({ relation: relation("book", "tags"), from, to }, context);
    }
  }
  const list: Fixture["list"] = async (name, query = {}) =>
    store.list({ resource: resource(name), sort: ascending(...resource(name).key), limit: 100, ...query }, context);
  return {
    store,
    context,
    resource,
    relation,
    list,
    matching: async (name, filter) => (await list(name, { filter })).rows.map((row) => keyOf(resource(name), row)),
    row: async (name, key) => (await store.byKeys({ resource: resource(name), keys: [key] }, context))[0],
    close: async () => store.close?.(),
  };
}
