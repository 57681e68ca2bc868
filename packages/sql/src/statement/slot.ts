import { type RawBuilder, sql } from "kysely";
import type { Json } from "@bifocal/core/store";

/** Stands for a value while a statement is built; `values[index]`, encoded, takes its place whenever it runs. */
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

/** Hands out slots, in the order in which a shape lists its values. */
export class Slots {
  #count = 0;

  /** The place of the next value; several slots may read from it. */
  next(): number {
    return this.#count++;
  }
}

export function slot(index: number, encode: (value: Json) => unknown): RawBuilder<unknown> {
  return sql.val(new Slot(index, encode));
}

/** What the driver is to bind. */
export function bind(parameters: readonly unknown[], values: readonly Json[]): unknown[] {
  const bound: unknown[] = [];
  for (const parameter of parameters) bound.push(parameter instanceof Slot ? parameter.read(values) : parameter);
  return bound;
}
