import { createLru } from "@bifocal/core/internal";
import type { Statement } from "../database.ts";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { StatementPlan } from "./statement-plan.ts";
import type { StatementShape } from "./statement-shape.ts";

/** A compiled statement and the function that reads its result. */
export interface PreparedStatement<Read> {
  readonly statement: Statement;
  readonly read: Read;
}

interface Entry {
  readonly prepared: PreparedStatement<unknown>;
  uses: number;
  named: PreparedStatement<unknown> | undefined;
}

/** Maximum characters of SQL and shapes in the cache. */
const MAX_CHARACTERS = 8_000_000;

/**
 * Preparing a statement costs a server more than running it a few times, and clients can cause any number of different
 * statements.
 */
const USES_BEFORE_NAMED = 5;

/**
 * Caches compiled statements by shape. Statements that are used often get a name, so that connections keep them
 * prepared.
 */
export class Statements {
  readonly #dialect: Dialect;
  readonly #kept = createLru<Entry>(MAX_CHARACTERS);
  readonly #prepares: boolean;
  #named = 0;

  constructor(dialect: Dialect, prepares: boolean) {
    this.#dialect = dialect;
    this.#prepares = prepares;
  }

  get<Read>(shape: StatementShape, build: () => StatementPlan<Read>): PreparedStatement<Read> {
    const known = this.#kept.get(shape.text);
    if (known !== undefined) return this.#use(known) as PreparedStatement<Read>;
    const prepared = this.once(build());
    this.#kept.set(
      shape.text,
      { prepared, uses: 1, named: undefined },
      shape.text.length + prepared.statement.sql.length,
    );
    return prepared;
  }

  /** Compiles a statement without caching it. */
  once<Read>({ statement, read, thorough, numbers }: StatementPlan<Read>): PreparedStatement<Read> {
    const compiled = this.#compile(statement, numbers);
    if (thorough === undefined) return { statement: compiled, read };
    return { statement: { ...compiled, thorough: this.#compile(thorough, numbers) }, read };
  }

  #compile(statement: Sql, numbers: readonly boolean[] | undefined): Statement {
    const { sql, parameters } = statement.compile(this.#dialect.compiler);
    return { sql, parameters, name: undefined, isRead: sql.startsWith("select "), numbers };
  }

  #use(entry: Entry): PreparedStatement<unknown> {
    if (entry.named !== undefined) return entry.named;
    const { prepared } = entry;
    if (!this.#prepares || ++entry.uses < USES_BEFORE_NAMED) return prepared;
    entry.named = { ...prepared, statement: { ...prepared.statement, name: `bifocal_${this.#named++}` } };
    return entry.named;
  }
}
