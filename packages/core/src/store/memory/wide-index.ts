import type { ResourceModel, Row } from "../../model/model.ts";
import { type Token, tokenReader } from "../../model/reference.ts";
import { Bucket } from "./bucket.ts";

/** Rows by their values in several fields. A row with a missing value isn't in the index. */
export class WideIndex {
  readonly #tokenIn: (row: Row) => Token | null;
  readonly #resource: ResourceModel;
  readonly #buckets = new Map<Token, Bucket>();

  constructor(resource: ResourceModel, fields: readonly string[], rows: Iterable<Row>) {
    this.#resource = resource;
    this.#tokenIn = tokenReader(fields);
    for (const row of rows) this.add(row);
  }

  get(token: Token): Bucket | undefined {
    return this.#buckets.get(token);
  }

  add(row: Row): void {
    const token = this.#tokenIn(row);
    if (token === null) return;
    let bucket = this.#buckets.get(token);
    if (bucket === undefined) this.#buckets.set(token, (bucket = new Bucket(this.#resource)));
    bucket.add(row);
  }

  replace(before: Row, after: Row): void {
    const token = this.#tokenIn(after);
    if (token !== null && token === this.#tokenIn(before)) this.#buckets.get(token)?.replace(before, after);
    else {
      this.delete(before);
      this.add(after);
    }
  }

  delete(row: Row): void {
    const token = this.#tokenIn(row);
    if (token === null) return;
    const bucket = this.#buckets.get(token);
    bucket?.delete(row);
    if (bucket?.rows.size === 0) this.#buckets.delete(token);
  }
}
