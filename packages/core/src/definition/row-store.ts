import type { IdOf } from "./fields.ts";
import type { FilterOf } from "./filters.ts";
import type { AnyResource, TraitOf, TypesOf } from "./resource.ts";

/**
 * The rows of one resource, for trusted code. No access rule applies. The store validates every change, and each change
 * emits its event. `update` and `delete` throw NOT_FOUND if there is no such row.
 */
export interface RowStore<Row, Id> {
  get(id: Id): Promise<Row | null>;
  list(query?: { filter?: FilterOf<Row>; sort?: readonly string[]; limit?: number }): Promise<Row[]>;
  create(data: Partial<Row>): Promise<Row>;
  update(id: Id, changes: Partial<Row>): Promise<Row>;
  delete(id: Id): Promise<void>;
}

/** Returns the rows of a resource: typed for `stores(author)`, untyped for `stores("author")`. */
export interface RowStores {
  <R extends AnyResource>(resource: R): RowStore<TypesOf<R>["row"], IdOf<TypesOf<R>["row"], TraitOf<R, "key", "id">>>;
  (resource: string): RowStore<Record<string, unknown>, unknown>;
}
