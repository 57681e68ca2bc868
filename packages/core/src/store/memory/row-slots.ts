import type { ResourceModel, Row } from "../../model/model.ts";

/** An unordered collection of rows. */
export interface Rows extends Iterable<Row> {
  readonly size: number;
}

/**
 * The rows of a table by slot. A row keeps its slot when it is updated, so indexes and sorted lists store slots and
 * change only if their own fields do.
 */
export class RowSlots implements Rows {
  readonly #rows: (Row | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#rows.length - this.#free.length;
  }

  /** Returns the row in a slot, which must be in use. */
  at(slot: number): Row {
    return this.#rows[slot] as Row;
  }

  /** Returns the slot of the new row. */
  add(row: Row): number {
    const slot = this.#free.pop() ?? this.#rows.length;
    this.#rows[slot] = row;
    return slot;
  }

  replace(slot: number, row: Row): void {
    this.#rows[slot] = row;
  }

  delete(slot: number): void {
    this.#rows[slot] = undefined;
    this.#free.push(slot);
  }

  /** Whether at least half of the slots are in use, so that iterating over all of them is fast. */
  get isDense(): boolean {
    return this.#free.length * 2 <= this.#rows.length;
  }

  slots(): number[] {
    const slots: number[] = [];
    for (const [slot, row] of this.#rows.entries()) if (row !== undefined) slots.push(slot);
    return slots;
  }

  /** Written by hand, because scans take several times as long with a generator. */
  [Symbol.iterator](): Iterator<Row, undefined> {
    const rows = this.#rows;
    let index = 0;
    return {
      next() {
        while (index < rows.length) {
          const row = rows[index++];
          if (row !== undefined) return { done: false, value: row };
        }
        return { done: true, value: undefined };
      },
    };
  }
}

/** A `Set` of slots, or the values of a `Map`. */
export type Slots = Pick<ReadonlySet<number>, "size" | "values">;

/** The rows in some of the slots. */
export class RowsIn implements Rows {
  readonly #rows: RowSlots;
  readonly #slots: Slots;

  constructor(rows: RowSlots, slots: Slots) {
    this.#rows = rows;
    this.#slots = slots;
  }

  get size(): number {
    return this.#slots.size;
  }

  [Symbol.iterator](): Iterator<Row, undefined> {
    const rows = this.#rows;
    const slots = this.#slots.values();
    return {
      next() {
        const { done, value } = slots.next();
        return done === true ? { done, value: undefined } : { done: false, value: rows.at(value) };
      },
    };
  }
}

/** A resource with its rows. */
export interface RowSource {
  readonly resource: ResourceModel;
  readonly rows: RowSlots;
  /** The slots of all rows. */
  readonly slots: Slots;
}

/** A structure that contains slots, at places that depend on the rows in them. */
export interface RowPlaces {
  add(slot: number): void;
}
