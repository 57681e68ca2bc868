import type { FieldModel, ResourceModel } from "../../model/model.ts";
import type { Sort } from "../../operation/sort.ts";
import { compareWithNulls, rankingOf } from "./order.ts";
import type { FieldOrder } from "./field-order.ts";
import type { RowSource } from "./row-slots.ts";
import { SortedRows } from "./sorted-rows.ts";

/** Maximum number of lists that writes keep up to date. The list that was read longest ago is dropped. */
const MAX_ORDERS = 4;
/** In smaller collections, rows with equal values are sorted fast enough. */
const MIN_ROWS = 1_024;

/**
 * The lists of a collection that are sorted by several fields. A list by one field is enough until many rows have the
 * same value, such as `null`. A list by all fields is built when reads have sorted as many such rows as the collection
 * has, so that it costs about as much as those reads.
 */
export class WholeOrders {
  readonly #source: RowSource;
  readonly #sorted = new Map<string, SortedRows>();
  readonly #spent = new Map<string, number>();

  constructor(source: RowSource) {
    this.#source = source;
  }

  /**
   * Returns the list of a sort, ascending by its first field; undefined until it is worth its cost. Without `slots`, it
   * contains all rows.
   */
  get(sort: Sort, slots?: ReadonlySet<number>): SortedRows | undefined {
    const name = nameOf(sort);
    let sorted = this.#sorted.get(name);
    if (sorted === undefined) {
      const { resource, rows } = this.#source;
      const { size } = slots ?? rows;
      if (size < MIN_ROWS || (this.#spent.get(name) ?? 0) < size) return undefined;
      sorted = new SortedRows(rows, slots ?? rows.slots(), orderOf(resource, sort));
      this.#spent.delete(name);
    }
    // The last entry is the list that was read last.
    this.#sorted.delete(name);
    this.#sorted.set(name, sorted);
    const [oldest] = this.#sorted.keys();
    if (oldest !== undefined && this.#sorted.size > MAX_ORDERS) this.#sorted.delete(oldest);
    return sorted;
  }

  /** Counts rows with equal values that a read has sorted or skipped. */
  spend(sort: Sort, count: number): void {
    const name = nameOf(sort);
    if (this.#spent.size >= MAX_ORDERS * 8 && !this.#spent.has(name)) this.#spent.clear();
    this.#spent.set(name, (this.#spent.get(name) ?? 0) + count);
  }

  all(): Iterable<SortedRows> {
    return this.#sorted.values();
  }
}

/** A sort and its reverse have the same name, because they share a list. */
function nameOf(sort: Sort): string {
  const isReversed = sort[0]?.descending;
  return sort.map(({ path, descending }) => (descending === isReversed ? path[0] : `-${path[0]}`)).join();
}

function orderOf(resource: ResourceModel, sort: Sort): FieldOrder {
  const isReversed = sort[0]?.descending;
  const terms = sort.map(({ path: [name], descending }) => ({
    name,
    compare: compareWithNulls((resource.fields.get(name) as FieldModel).type, descending !== isReversed),
  }));
  const [first, ...others] = terms;
  if (first === undefined) throw new Error("A sort has at least one field.");
  return {
    field: first.name,
    tieFields: others.map(({ name }) => name),
    ranking: rankingOf((resource.fields.get(first.name) as FieldModel).type),
    compareValues: first.compare,
    compareTies(a, b) {
      for (const { name, compare } of others) {
        const difference = compare(a[name] ?? null, b[name] ?? null);
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
}
