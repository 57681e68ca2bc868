import { type RawBuilder, sql } from "kysely";
import type { Json } from "@bifocal/core/store";

/** A placeholder while a statement is built. On each run, the encoded `values[index]` replaces it. */
export class Slot {
  readonly #index: number;
  readonly #encode: (value: Json) => unknown;

  constructor(index: number, encode: (value: Json) => unknown) {
    this.#index = index;
    this.#encode = encode;
  }

  read(values: readonly Json[]): unknown {
    return this.#encode(values[this.#index] as Json);
  }
}

/** A slot that a statement takes as one parameter, however often it contains it. Only PostgreSQL has such parameters. */
export class SharedSlot extends Slot {}

/** Assigns slots in the order in which a shape lists its values. */
export class Slots {
  #count = 0;

  /** Returns the index of the next value. Several slots may read the same value. */
  next(): number {
    return this.#count++;
  }
}

export function slot(index: number, encode: (value: Json) => unknown): RawBuilder<unknown> {
  return sql.val(new Slot(index, encode));
}

export function sharedSlot(index: number, encode: (value: Json) => unknown): RawBuilder<unknown> {
  return sql.val(new SharedSlot(index, encode));
}

/** Returns the values that the driver binds. */
export function bind(parameters: readonly unknown[], values: readonly Json[]): unknown[] {
  const bound: unknown[] = [];
  for (const parameter of parameters) bound.push(parameter instanceof Slot ? parameter.read(values) : parameter);
  return bound;
}
