import type { Answer, Statement } from "../../database.ts";
import type { PgConnection } from "./pg.ts";
import { sendStatement } from "./postgres-query.ts";
import type { PreparedNames } from "./prepared-names.ts";

/** One of several statements that go together. */
export interface Grouped {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Why a group ended before all of it was done. */
export interface GroupFailure {
  readonly error: unknown;
  /** Those that have no answer; the first of them was being done. */
  readonly rest: number;
}

/**
 * Reads of several operations, sent in one piece (PostgreSQL, 55.2.4): the server answers as many as it can before it
 * writes. What fails ends the group, because the server skips what comes behind it.
 */
export class PostgresGroup {
  readonly #members: readonly Grouped[];
  readonly #prepared: PreparedNames;
  readonly #onAnswer: (at: number, answer: Answer) => void;
  #rows: (readonly unknown[])[] = [];
  #at = 0;
  #end!: (failure: GroupFailure | undefined) => void;
  /** Settled once the connection is free again, or gone. */
  readonly ended = new Promise<GroupFailure | undefined>((resolve) => {
    this.#end = resolve;
  });
  /** What `pg` calls when a connection breaks. */
  readonly callback = (error: unknown): void => {
    if (error) this.handleError(error);
  };

  /** `onAnswer`: gets the answer of each, as soon as it is there. */
  constructor(members: readonly Grouped[], prepared: PreparedNames, onAnswer: (at: number, answer: Answer) => void) {
    this.#members = members;
    this.#prepared = prepared;
    this.#onAnswer = onAnswer;
  }

  submit(connection: PgConnection): undefined {
    connection.stream.cork?.();
    try {
      for (const { statement, values } of this.#members) sendStatement(connection, statement, values, this.#prepared);
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    const at = this.#at++;
    const rows = this.#rows;
    this.#rows = [];
    this.#onAnswer(at, { rows, affected: rows.length });
  }

  handleReadyForQuery(): void {
    this.#prepared.succeed();
    this.#end(undefined);
  }

  handleError(error: unknown): void {
    this.#prepared.fail();
    this.#end({ error, rest: this.#at });
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
