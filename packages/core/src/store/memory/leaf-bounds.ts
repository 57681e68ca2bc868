import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { FieldOrder, ValuedRow } from "./field-order.ts";
import { commonPrefix, textRank } from "./text-rank.ts";

/**
 * The bounds between the leaves of a sorted list. The rows of a leaf sort before the bound behind it, and those of later
 * leaves don't.
 */
export class LeafBounds {
  readonly #order: FieldOrder;
  /** The ranks of the values. They are adjacent in memory, so searching them is much faster than reading texts. */
  readonly #ranks: number[] = [];
  readonly #values: Json[] = [];
  /** The sorted fields of rows that may have been deleted since. */
  readonly #rows: Row[] = [];
  /** The characters that all texts begin with; undefined without texts. */
  #prefix: string | undefined;

  constructor(order: FieldOrder) {
    this.#order = order;
  }

  /** Returns the first index at which a test of the value holds, if it holds for all later values too. */
  firstWhere(holds: (value: Json) => boolean): number {
    let [low, high] = [0, this.#values.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#values[middle] as Json)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the first index with a higher value, or with the same value and a row for which a test holds. */
  firstBehind(value: Json, holds: (row: Row) => boolean): number {
    const rank = this.#rankOf(value);
    let [low, high] = [0, this.#ranks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#ranks[middle] as number;
      if (other > rank || (!(other < rank) && this.#isBehind(middle, value, holds))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #isBehind(index: number, value: Json, holds: (row: Row) => boolean): boolean {
    const difference = this.#order.compareValues(this.#values[index] as Json, value);
    return difference === 0 ? holds(this.#rows[index] as Row) : difference > 0;
  }

  insert(index: number, { value, row }: ValuedRow): void {
    const { field, tieFields, ranking } = this.#order;
    if (ranking === "text" && typeof value === "string") this.#sharePrefix(value);
    this.#ranks.splice(index, 0, this.#rankOf(value));
    this.#values.splice(index, 0, value);
    // The whole row would stay in memory after its deletion.
    this.#rows.splice(index, 0, Object.fromEntries([field, ...tieFields].map((name) => [name, row[name] ?? null])));
  }

  delete(index: number): void {
    this.#ranks.splice(index, 1);
    this.#values.splice(index, 1);
    this.#rows.splice(index, 1);
    if (this.#values.length === 0) this.#prefix = undefined;
  }

  #sharePrefix(text: string): void {
    const prefix = commonPrefix(this.#prefix ?? text, text);
    if (prefix === this.#prefix) return;
    this.#prefix = prefix;
    for (const [index, value] of this.#values.entries()) this.#ranks[index] = this.#rankOf(value);
  }

  #rankOf(value: Json): number {
    const { ranking } = this.#order;
    if (value === null) return Number.POSITIVE_INFINITY;
    if (ranking !== "text") return ranking(value);
    return this.#prefix === undefined ? 0 : textRank(value as string, this.#prefix);
  }
}
