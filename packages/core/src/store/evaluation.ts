import type { Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import { type StoreContext, throwIfOver } from "./store.ts";

export type Predicate = (row: Row) => boolean;

/** Returns the related rows of a row. */
export type Related = (relation: RelationModel, row: Row) => readonly Row[];

const STRIDE = 1_024;

interface Compiled {
  readonly resource: ResourceModel;
  readonly matches: Predicate;
}

/**
 * The compiled filters of one read. A relation is evaluated once for each related key, however many rows refer to it. A
 * nested filter therefore costs the sum of the rows of its levels, not their product. Only valid while the data doesn't
 * change.
 */
export class Evaluation {
  readonly model: Model;
  readonly related: Related;
  readonly #context: StoreContext | undefined;
  #compiled: Map<Filter, Compiled> | undefined;
  #rows = 0;
  #isDue = false;
  readonly #stride: number;

  /**
   * Without a `context`, the evaluation has no deadline. `stride` is the number of rows between two checks of the
   * clock.
   */
  constructor(model: Model, related: Related, context?: StoreContext, stride = STRIDE) {
    this.model = model;
    this.related = related;
    this.#context = context;
    this.#stride = stride;
  }

  /** Counts rows. Returns true if a long read should let other work run. Throws after the deadline. */
  look(rows = 1): boolean {
    this.#rows += rows;
    if (this.#rows >= this.#stride) {
      this.#rows = 0;
      if (this.#context !== undefined) throwIfOver(this.#context);
      this.#isDue = true;
    }
    return this.#isDue;
  }

  /** Call this after other work has run. */
  resume(): void {
    this.#isDue = false;
  }

  /** Returns the predicate of a relation filter, compiled once for each read. */
  once(filter: Filter, resource: ResourceModel, compile: () => Predicate): Predicate {
    const known = this.#compiled?.get(filter);
    if (known?.resource === resource) return known.matches;
    const matches = compile();
    (this.#compiled ??= new Map()).set(filter, { resource, matches });
    return matches;
  }
}
