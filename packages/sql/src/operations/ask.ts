import type { MaybePromise, Row, StoreContext } from "@bifocal/core/store";
import type { StatementResult, Connection } from "../database.ts";
import type { Opened } from "../opened.ts";
import { run } from "../run.ts";
import type { StatementPlan } from "../statement/statement-plan.ts";
import type { StatementShape } from "../statement/statement-shape.ts";

/** The place where the commands of a store run: one connection, or any free connection. */
export interface StoreHandle extends Opened {
  readonly connection: Connection;
  /** True in a transaction: rows that were read are locked until it ends. */
  readonly isWithin: boolean;
}

export interface Asked<Read> {
  readonly shape: StatementShape;
  /** Builds the statement if the cache has no statement of this shape. */
  readonly plan: () => StatementPlan<Read>;
  /** The resource that errors refer to. */
  readonly resource: string;
  readonly context: StoreContext;
  /** The rows that are written. */
  readonly rows?: readonly Row[];
}

/** Runs a statement and reads its result according to its plan. */
export function ask<Read, T>(
  { dialect, tables, statements, connection, choice }: StoreHandle,
  { shape, plan, resource, context, rows = [] }: Asked<Read>,
  then: (read: Read, answer: StatementResult) => T,
): MaybePromise<T> {
  const prepared = statements.get(shape, plan);
  const answer = run(dialect, connection, prepared, shape, { table: tables.of(resource), context, rows });
  const read = (found: StatementResult): T => {
    const result = then(prepared.read, found);
    choice.answered(context);
    return result;
  };
  if (!(answer instanceof Promise)) return read(answer);
  const { traffic } = choice;
  traffic.start();
  return answer.then(
    (found) => {
      traffic.end();
      return read(found);
    },
    (thrown: unknown) => {
      traffic.end();
      throw thrown;
    },
  );
}
