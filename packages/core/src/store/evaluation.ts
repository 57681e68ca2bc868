import type { Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import type { Predicate } from "./evaluate-filter.ts";
import { type StoreContext, throwIfOver } from "./store.ts";

/** Returns the rows that a relation leads to from a row. */
export type Related = (relation: RelationModel, row: Row) => readonly Row[];

const STRIDE = 1_024;

interface Compiled {
  readonly resource: ResourceModel;
  readonly matches: Predicate;
}

/**
 * The filters that one read evaluates. A relation is tested once per related key, however many rows lead to it, so that
 * a nested filter costs the rows of each level and never their product. Valid only while the data does not change.
 */
export class Evaluation {
  readonly model: Model;
  readonly related: Related;
  readonly #context: StoreContext | undefined;
  #compiled: Map<Filter, Compiled> | undefined;
  #rows = 0;
  #isDue = false;
  readonly #stride: number;

  /** Without a `context` nothing ends the evaluation early. `stride`: rows between two looks at the clock. */
  constructor(model: Model, related: Related, context?: StoreContext, stride = STRIDE) {
    this.model = model;
    this.related = related;
    this.#context = context;
    this.#stride = stride;
  }

  /** Counts rows. Returns true when a long read should let others run. Throws after the deadline. */
  look(rows = 1): boolean {
    this.#rows += rows;
    if (this.#rows >= this.#stride) {
      this.#rows = 0;
      if (this.#context !== undefined) throwIfOver(this.#context);
      this.#isDue = true;
    }
    return this.#isDue;
  }

  /** Others have run. */
  resume(): void {
    this.#isDue = false;
  }

  /** Returns the test of a relation filter, compiled once for this read. */
  once(filter: Filter, resource: ResourceModel, compile: () => Predicate): Predicate {
    const known = this.#compiled?.get(filter);
    if (known?.resource === resource) return known.matches;
    const matches = compile();
    (this.#compiled ??= new Map()).set(filter, { resource, matches });
    return matches;
  }
}
