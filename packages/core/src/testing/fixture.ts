import type { RelationModel, ResourceModel, Row } from "../model/model.ts";
import { keyOf } from "../operation/key.ts";
import type { Filter } from "../operation/filter.ts";
import type { Sort } from "../operation/sort.ts";
import type { ListQuery, Store, StoreContext, StorePage } from "../store/store.ts";
import { libraryModel } from "./library.ts";
import { LINKS, ROWS } from "./rows.ts";

/** A store with the rows of the library in it, and short ways to ask it. */
export interface Fixture {
  readonly store: Store;
  readonly context: StoreContext;
  readonly resource: (name: string) => ResourceModel;
  readonly relation: (resource: string, name: string) => RelationModel;
  readonly list: (name: string, query?: Partial<ListQuery>) => Promise<StorePage>;
  /** The keys of the rows that match, in the order of their keys. */
  readonly matching: (name: string, filter: Filter) => Promise<readonly unknown[]>;
  readonly row: (name: string, key: string | number) => Promise<Row | undefined>;
  readonly close: () => Promise<void>;
}

export function ascending(...names: readonly string[]): Sort {
  return names.map((name) => ({ path: [name], descending: false }));
}

/** The ids of rows, one letter each. */
export function idsOf({ rows }: Pick<StorePage, "rows">): string {
  return rows.map((row) => row["id"] as string).join("");
}

/**
 * Opens a new, empty store for the library and fills it: by its own writes, so a store that only reads is to be given
 * `ROWS` by whoever makes it, and `fill: false`.
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
