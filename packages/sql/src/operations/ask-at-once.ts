import { catchMaybePromise } from "@bifocal/core/internal";
import type { MaybePromise } from "@bifocal/core/store";
import { RetryError } from "../errors.ts";
import type { Table } from "../table/table.ts";
import { ask, type Asked, type StoreHandle } from "./ask.ts";
import type { StatementResult } from "../database.ts";

const ruled = new WeakSet<Table>();

/** Whether a statement that combines several steps has failed because of the rules of a table. */
export function isRuled(table: Table): boolean {
  return ruled.has(table);
}

/** Runs a statement that combines several steps. If the rules of its table don't allow that, the next attempt won't. */
export function askAtOnce<Read, T>(
  handle: StoreHandle,
  asked: Asked<Read>,
  then: (read: Read, answer: StatementResult) => T,
): MaybePromise<T> {
  return catchMaybePromise(
    () => ask(handle, asked, then),
    (thrown) => {
      if (handle.dialect.faultOf(thrown)?.kind !== "ruled") throw thrown;
      ruled.add(handle.tables.of(asked.resource));
      throw new RetryError(thrown);
    },
  );
}
