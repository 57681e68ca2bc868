import type { Json, MaybePromise, StoreContext, StoreLoad } from "@bifocal/core/store";

/**
 * The text of a statement, with slots among its parameters. It is compiled once for all operations of the same shape.
 */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The unique name under which connections keep the statement prepared; `undefined` if they don't prepare it. */
  readonly name: string | undefined;
  /** True if the statement changes nothing, so it can be repeated. */
  readonly isRead?: boolean;
  /** Whether each value of a row is needed only as a number. Text is also accepted. */
  readonly numbers?: readonly boolean[] | undefined;
  /**
   * A variant for slow statements. Its time grows with the size of the tables instead of their product, but it is
   * slower for a short page.
   */
  readonly thorough?: Statement;
}

export interface StatementResult {
  /** The columns of each row, in the order of the select list. */
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows that a write affected. */
  readonly affected: number;
}

/** Runs statements one after the other. */
export interface Connection {
  query(statement: Statement, values: readonly Json[], context?: StoreContext): MaybePromise<StatementResult>;
  /** Begins a transaction. If the driver allows it, `begin` is sent together with the first statement. */
  begin?(text: string): void;
  /**
   * Runs a statement whose result isn't needed. It may run now, or together with the next statement of the same
   * transaction.
   */
  later?(statement: Statement, values: readonly Json[]): void;
  /** Runs the last statement of a transaction, and commits it in the same round trip. */
  commitWith?(statement: Statement, values: readonly Json[], context?: StoreContext): Promise<StatementResult>;
  /** Runs one statement without values, or several separated by semicolons. */
  run(text: string, context?: StoreContext): MaybePromise<void>;
}

/** A database behind a pool of connections. `query` uses any free connection. */
export interface Database extends Connection {
  /** Reserves one connection until `work` has finished. A broken connection isn't reused. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which may wait only for its connection, in a transaction that other such works may share. If it fails,
   * only its own changes are rolled back. Settles after the commit. Absent if sharing a commit saves nothing.
   */
  shareCommit?<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The number of operations that wait for a connection. Absent if the application supplied the pool. */
  load?(): StoreLoad;
  close(): MaybePromise<void>;
}
