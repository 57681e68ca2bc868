import type { StatementResult, Statement } from "../../database.ts";
import type { PgConnection } from "./pg.ts";
import { sendStatement, sendTenant } from "./postgres-query.ts";
import type { PreparedNames } from "./prepared-names.ts";
import { RowMessages } from "./row-messages.ts";

/** One of several statements that are sent together. */
export interface Grouped {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  /** The value of `bifocal.tenant`. Undefined if it isn't set. */
  readonly tenant: string | undefined;
}

/** The error that ended a group early. */
export interface GroupFailure {
  readonly error: unknown;
  /** The number of statements without an answer. The first of them failed. */
  readonly rest: number;
}

/**
 * Sends reads of several operations in one batch (PostgreSQL, 55.2.4). The server runs as many as it can before it
 * writes the responses. A failure ends the group, because the server skips the statements after it.
 */
export class PostgresGroup {
  readonly #members: readonly Grouped[];
  readonly #prepared: PreparedNames;
  readonly #onAnswer: (at: number, answer: StatementResult) => void;
  #rows: (readonly unknown[])[] = [];
  #at = 0;
  /** Whether the tenant of the current statement was set. */
  #isSet = false;
  #end!: (failure: GroupFailure | undefined) => void;
  /** Settles when the connection is free again or has broken. */
  readonly ended = new Promise<GroupFailure | undefined>((resolve) => {
    this.#end = resolve;
  });
  /** `pg` calls this when the connection breaks. */
  readonly callback = (error: unknown): void => {
    if (error) this.handleError(error);
  };

  /** `onAnswer` receives each statement's answer as soon as it arrives. */
  constructor(
    members: readonly Grouped[],
    prepared: PreparedNames,
    onAnswer: (at: number, answer: StatementResult) => void,
  ) {
    this.#members = members;
    this.#prepared = prepared;
    this.#onAnswer = onAnswer;
  }

  submit(connection: PgConnection): undefined {
    RowMessages.expect(connection, this);
    connection.stream.cork?.();
    try {
      for (const { statement, values, tenant } of this.#members) {
        if (tenant !== undefined) sendTenant(connection, tenant, statement, this.#prepared);
        sendStatement(connection, statement, values, this.#prepared);
      }
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
  }

  get numbers(): Statement["numbers"] {
    return this.#members[this.#at]?.statement.numbers;
  }

  addRow(values: readonly unknown[]): void {
    this.#rows.push(values);
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    this.addRow(fields);
  }

  handleCommandComplete(): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#isSet = !this.#isSet && this.#members[this.#at]?.tenant !== undefined;
    if (this.#isSet) return;
    const at = this.#at++;
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
