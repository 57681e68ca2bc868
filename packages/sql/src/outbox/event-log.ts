import {
  BifocalError,
  type ChangeLog,
  type LogHead,
  type LogPage,
  type LogQuery,
  type StoreContext,
} from "@bifocal/core/store";
import type { Connection } from "../database.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { toError } from "../errors.ts";
import type { Opened } from "../opened.ts";
import { readState } from "./log-state.ts";
import { LogStatements } from "./log-statements.ts";
import type { LogStep } from "./log-step.ts";
import { isFullStep, placeEvents } from "./place-events.ts";
import { isFullPruning, type Keeping, pruneEvents } from "./prune-events.ts";
import { readEvents } from "./read-events.ts";

const DAY = 86_400;

/**
 * Milliseconds that one step may take. The instance that locks the log may have crashed, and readers must not wait for
 * it forever.
 */
const STEP_TIME = 10_000;

/** The change log in a database. It returns committed changes in the order of their positions. */
export class EventLog implements ChangeLog {
  readonly #open: () => Opened | Promise<Opened>;
  readonly #keeping: Keeping;
  #last: number | undefined;
  #statements: LogStatements | undefined;

  constructor(open: () => Opened | Promise<Opened>, { keepFor = DAY, most = 1_000_000 }: Partial<Keeping> = {}) {
    this.#open = open;
    this.#keeping = { keepFor, most };
  }

  async advance(): Promise<LogHead> {
    const { name, offset, isBehind } = await this.#on(readState);
    if (isBehind) return this.#place();
    const { dialect } = await this.#open();
    const grew = dialect.name === "sqlite" && this.#last !== undefined && this.#last !== offset;
    this.#last = offset;
    return { name, offset, grew };
  }

  async #place(): Promise<LogHead> {
    let grew = false;
    for (;;) {
      const placed = await this.#alone(placeEvents);
      if (placed === undefined) return this.advance();
      grew ||= placed.count > 0;
      if (!isFullStep(placed)) return { name: placed.name, offset: placed.offset, grew };
    }
  }

  read(query: LogQuery): Promise<LogPage> {
    return this.#on((step) => readEvents(step, query));
  }

  async prune(): Promise<void> {
    while (isFullPruning(await this.#alone((step) => pruneEvents(step, this.#keeping)))) {
      // SQLite works in this process, so other requests would wait until the last step.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Runs on any free connection. */
  #on<T>(work: (step: LogStep) => Promise<T>): Promise<T> {
    return this.#within(({ database, dialect }, context) => work(this.#step(database, dialect, context)));
  }

  /** Runs on one reserved connection. */
  #alone<T>(work: (step: LogStep) => Promise<T>): Promise<T> {
    return this.#within(({ database, dialect }, context) =>
      database.session((connection) => work(this.#step(connection, dialect, context))),
    );
  }

  #step(connection: Connection, dialect: Dialect, context: StoreContext): LogStep {
    return { connection, dialect, context, statements: (this.#statements ??= new LogStatements(dialect)) };
  }

  async #within<T>(work: (opened: Opened, context: StoreContext) => Promise<T>): Promise<T> {
    const opened = await this.#open();
    const signal = AbortSignal.timeout(STEP_TIME);
    try {
      return await work(opened, { signal });
    } catch (cause) {
      if (!signal.aborted) throw toError(opened.dialect, undefined, cause);
      throw new BifocalError("TIMEOUT", "The event log is busy. Try again in a few seconds.", { cause });
    }
  }
}
