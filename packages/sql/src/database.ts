import type { Json, MaybePromise, StoreContext, StoreLoad } from "@bifocal/core/store";

/** A statement as text, with slots among its parameters. Made once for all operations of one shape. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Where it is to be kept prepared: a name of its own. */
  readonly name: string | undefined;
  /** It changes nothing, so it may be done again. */
  readonly isRead?: boolean;
  /** The same for when it takes long: its time grows with the tables, and not with their product, but a short page takes longer. */
  readonly thorough?: Statement;
}

export interface Answer {
  /** The columns of each row, in the order they were selected in. */
  readonly rows: readonly (readonly unknown[])[];
  /** How many rows a write touched. */
  readonly affected: number;
}

/** Runs statements, one after the other. */
export interface Connection {
  query(statement: Statement, values: readonly Json[], context?: StoreContext): MaybePromise<Answer>;
  /** Begins a transaction along with the first statement, where that can be. */
  begin?(text: string): void;
  /** A statement of which nothing is wanted but that it is done with the others of its transaction: now, or along with what comes next. */
  later?(statement: Statement, values: readonly Json[]): void;
  /** A statement without values, or several of them separated by semicolons. */
  run(text: string, context?: StoreContext): MaybePromise<void>;
}

/** A database behind a pool of connections. `query` takes whichever is free. */
export interface Database extends Connection {
  /** Lends one connection for as long as `work` takes; one that is broken is not given to others. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** How much waits for a connection, where the pool is ours. */
  load?(): StoreLoad;
  close(): MaybePromise<void>;
}
