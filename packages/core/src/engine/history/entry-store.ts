import type { Key, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { referenceFields, type Token, tokenOf } from "../../model/reference.ts";
import { andFilters, type Filter } from "../../operation/filter.ts";
import { keyOf } from "../../operation/key.ts";
import { valueFilter } from "../../operation/keys-filter.ts";
import type { ListQuery, Store, StorePage } from "../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { eachRow } from "../read/each-row.ts";
import { totalSort } from "../read/needed-fields.ts";

/** The entries of a history in the store of their rows, within its transaction. */
export class EntryStore {
  readonly #context: OperationContext;
  readonly #history: ResourceModel;
  readonly #relation: RelationModel;
  /** Without the limits of the scope: a cascade can change rows of several tenants. */
  readonly #store: Store;

  /** @param relation - leads from a row to its entries */
  constructor(context: OperationContext, history: ResourceModel, relation: RelationModel) {
    this.#context = context;
    this.#history = history;
    this.#relation = relation;
    this.#store = context.unscopedStoreOf(history.name);
  }

  /** Returns the time of the last entry of each key that has entries. */
  async lastTimes(keys: readonly Key[]): Promise<Map<Token, number>> {
    const parents = [...new Map(keys.map((key) => [tokenOf(key), key])).values()];
    const pages = await this.#lastOf(parents);
    const times = new Map<Token, number>();
    for (const [index, { rows }] of pages.entries()) {
      const [last] = rows;
      if (last !== undefined) times.set(tokenOf(parents[index] as Key), Date.parse(last["at"] as string));
    }
    return times;
  }

  async insert(rows: readonly Row[]): Promise<void> {
    await this.#store.insert({ resource: this.#history, rows }, this.#context.deadline);
  }

  /** Ends the history of a row that no longer exists, because its key is used again. */
  end(key: Key): Promise<void> {
    return this.#updateAll(key, { ended: true });
  }

  /** Moves the history of a row to its new key. */
  move(from: Key, to: Key): Promise<void> {
    return this.#updateAll(from, referenceFields(this.#relation.foreign, to));
  }

  async #updateAll(key: Key, set: Row): Promise<void> {
    const current: Filter = { kind: "compare", field: "ended", operator: "eq", value: false };
    const filter = andFilters(valueFilter(this.#relation.foreign, key), current);
    const found: Key[] = [];
    await eachRow(this.#context, this.#history, filter, (row) => found.push(keyOf(this.#history, row)), this.#store);
    for (const one of found) {
      await this.#store.update({ resource: this.#history, key: one, set }, this.#context.deadline);
    }
  }

  async #lastOf(parents: readonly Key[]): Promise<readonly StorePage[]> {
    const { deadline } = this.#context;
    const query: ListQuery = { resource: this.#history, sort: totalSort(this.#history, []), limit: 1 };
    if (this.#store.capabilities.listPer) {
      return this.#store.listPer({ ...query, relation: this.#relation, parents }, deadline);
    }
    const pages: StorePage[] = [];
    for (const parent of parents) {
      const filter = valueFilter(this.#relation.foreign, parent);
      pages.push(await this.#store.list({ ...query, filter }, deadline));
    }
    return pages;
  }
}
