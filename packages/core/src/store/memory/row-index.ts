import type { Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { Bucket } from "./bucket.ts";
import type { RowPlaces, RowSource } from "./row-slots.ts";

/** Buckets of rows by a value that is computed from each row. A row whose value is `undefined` isn't in the index. */
export class RowIndex implements RowPlaces {
  readonly #source: RowSource;
  readonly #valueOf: (row: Row) => Json | undefined;
  readonly #buckets = new Map<Json, Bucket>();

  constructor(source: RowSource, valueOf: (row: Row) => Json | undefined) {
    this.#source = source;
    this.#valueOf = valueOf;
    for (const slot of source.rows.slots()) this.add(slot);
  }

  get(value: Json): Bucket | undefined {
    return this.#buckets.get(value);
  }

  add(slot: number): void {
    const value = this.#valueAt(slot);
    if (value === undefined) return;
    let bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, (bucket = new Bucket(this.#source, new Set())));
    bucket.add(slot);
  }

  delete(slot: number): void {
    const value = this.#valueAt(slot);
    if (value === undefined) return;
    const bucket = this.#buckets.get(value);
    bucket?.delete(slot);
    if (bucket?.size === 0) this.#buckets.delete(value);
  }

  detachMoved(slot: number, after: Row, detached: RowPlaces[]): void {
    const value = this.#valueAt(slot);
    if (value !== this.#valueOf(after)) {
      this.delete(slot);
      detached.push(this);
    } else if (value !== undefined) this.#buckets.get(value)?.detachMoved(slot, after, detached);
  }

  #valueAt(slot: number): Json | undefined {
    return this.#valueOf(this.#source.rows.at(slot));
  }
}
