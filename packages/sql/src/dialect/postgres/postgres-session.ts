import { type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Connection, Statement } from "../../database.ts";
import type { Around } from "./postgres-query.ts";

/** The connection that a session uses. */
export interface Wire {
  /** Sends one statement, together with those around it. */
  readonly ask: (
    statement: Statement,
    values: readonly Json[],
    context: StoreContext | undefined,
    around: Around,
  ) => Promise<StatementResult>;
  readonly run: (text: string, context: StoreContext | undefined) => Promise<unknown>;
}

interface Waiting {
  readonly statement: Statement;
  readonly values: readonly Json[];
}

/**
 * A reserved connection. To save round trips on slow networks, `begin` is sent together with the first statement, and
 * the last writes together with the commit.
 */
export class PostgresSession implements Connection {
  readonly #wire: Wire;
  /** The text of a `begin` that hasn't been sent yet. */
  #beginning: string | undefined;
  #waiting: Waiting[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  begin(text: string): void {
    this.#beginning = text;
  }

  later(statement: Statement, values: readonly Json[]): void {
    this.#waiting.push({ statement, values });
  }

  async query(statement: Statement, values: readonly Json[], context?: StoreContext): Promise<StatementResult> {
    if (context !== undefined) throwIfOver(context);
    await this.#flush(context);
    return this.#ask({ statement, values }, context);
  }

  async commitWith(statement: Statement, values: readonly Json[], context?: StoreContext): Promise<StatementResult> {
    if (context !== undefined) throwIfOver(context);
    await this.#flush(context);
    return this.#ask({ statement, values }, context, "commit");
  }

  async run(text: string, context?: StoreContext): Promise<void> {
    const isEnd = text === "commit" || text === "rollback";
    if (text === "rollback") this.#waiting = [];
    const last = text === "commit" ? this.#waiting.pop() : undefined;
    await this.#flush(context);
    if (last !== undefined) {
      await this.#ask(last, context, text);
      return;
    }
    const beginning = this.#takeBeginning();
    // The transaction never began, so there is nothing to end.
    if (isEnd && beginning !== undefined) return;
    if (beginning !== undefined) await this.#wire.run(beginning, context);
    await this.#wire.run(text, context);
  }

  async #flush(context: StoreContext | undefined): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const one of waiting) await this.#ask(one, context);
  }

  #ask({ statement, values }: Waiting, context: StoreContext | undefined, after?: string): Promise<StatementResult> {
    return this.#wire.ask(statement, values, context, { before: this.#takeBeginning(), after });
  }

  #takeBeginning(): string | undefined {
    const beginning = this.#beginning;
    this.#beginning = undefined;
    return beginning;
  }
}
