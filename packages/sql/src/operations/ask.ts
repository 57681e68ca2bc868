import { type MaybePromise, type Row, type StoreContext, thenNow } from "@bifocal/core/store";
import type { Answer, Connection } from "../database.ts";
import type { Opened } from "../opened.ts";
import { run } from "../run.ts";
import type { Plan } from "../statement/plan.ts";
import type { Shape } from "../statement/shape.ts";

/** Where the commands of a store run: on one connection, or on whichever is free. */
export interface Place extends Opened {
  readonly connection: Connection;
  /** What was read is kept as it is until the end of the transaction. */
  readonly isWithin: boolean;
}

interface Asked<Read> {
  readonly shape: Shape;
  /** Makes the statement, where none of this shape was made yet. */
  readonly plan: () => Plan<Read>;
  /** Which errors are about. */
  readonly resource: string;
  readonly context: StoreContext;
  /** What is written. */
  readonly rows?: readonly Row[];
}

/** Runs a statement, and reads its answer as its plan says. */
export function ask<Read, T>(
  { dialect, tables, statements, connection }: Place,
  { shape, plan, resource, context, rows = [] }: Asked<Read>,
  then: (read: Read, answer: Answer) => T,
): MaybePromise<T> {
  const prepared = statements.get(shape, plan);
  const answer = run(dialect, connection, prepared, shape, { table: tables.of(resource), context, rows });
  return thenNow(answer, (found) => then(prepared.read, found));
}
