import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";
import type { LoadContext } from "./load-context.ts";

/**
 * A field that is computed when it is read. `Row` is the row of its resource.
 *
 * The call signature only exists for the compiler: TypeScript infers a nested generic call after its surroundings only
 * if the call returns a function. Without it, the row of `get` would be unknown.
 */
export interface ComputedField<Row, Schema extends ZodSchema = ZodSchema> {
  (row: Row): unknown;
  readonly "~bifocal": "computed";
  readonly schema: Schema;
}

/** Computes a value from fields of the same row. */
export interface FromOptions<Row, From extends keyof Row, Value> {
  /** The fields that `get` receives. */
  readonly from: readonly From[];
  readonly get: (row: Pick<Row, From>) => Value;
  readonly load?: never;
}

/** Loads the values of many rows at once. */
export interface LoadOptions<Row, From extends keyof Row, Value> {
  /** The fields of the rows that `load` receives. */
  readonly from: readonly From[];
  /** Returns the values in the order of the rows. It runs once for each page, and once for each relation of a page. */
  readonly load: (
    rows: readonly Pick<Row, From>[],
    context: LoadContext,
  ) => readonly Value[] | Promise<readonly Value[]>;
  readonly get?: never;
}

/**
 * Defines a field that no store holds and no input contains: `get` computes it from fields of the row, or `load` loads
 * the values of all rows of a page. By default, a caller can read it if the caller can read all fields in `from`.
 * @example overdue: computed(z.boolean(), { from: ["dueDate"], get: (row) => row.dueDate < today() })
 */
export function computed<Schema extends ZodSchema, Row, const From extends keyof Row & string>(
  schema: Schema,
  options: FromOptions<Row, From, z.output<Schema>> | LoadOptions<Row, From, z.output<Schema>>,
): ComputedField<Row, Schema> {
  return { ...options, "~bifocal": "computed", schema } as unknown as ComputedField<Row, Schema>;
}
