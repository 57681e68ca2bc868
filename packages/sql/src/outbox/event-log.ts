import type { ChangeLog, LogHead, LogPage, LogQuery } from "@bifocal/core/store";
import type { Connection } from "../database.ts";
import { toError } from "../errors.ts";
import type { Opened } from "../opened.ts";
import { readState } from "./log-state.ts";
import { isFullStep, placeEvents } from "./place-events.ts";
import { type Keeping, pruneEvents } from "./prune-events.ts";
import { readEvents } from "./read-events.ts";

const DAY = 86_400;

/** The log of changes in a database: what transactions appended, in the order of places. */
export class EventLog implements ChangeLog {
  readonly #open: () => Opened | Promise<Opened>;
  readonly #keeping: Keeping;
  #last: number | undefined;

  constructor(open: () => Opened | Promise<Opened>, { keepFor = DAY, most = 1_000_000 }: Partial<Keeping> = {}) {
    this.#open = open;
    this.#keeping = { keepFor, most };
  }

  advance(): Promise<LogHead> {
    return this.#on(async ({ dialect, database }) => {
      let state = await readState(database, dialect);
      let grew = state.isBehind;
      if (dialect.name === "sqlite") {
        grew = this.#last !== undefined && this.#last !== state.place;
        this.#last = state.place;
      }
      if (state.isBehind) {
        const place = (connection: Connection): Promise<number> => placeEvents(connection, dialect);
        while (isFullStep(await database.session(place)));
        state = await readState(database, dialect);
      }
      return { name: state.name, place: state.place, grew };
    });
  }

  read(query: LogQuery): Promise<LogPage> {
    return this.#on(({ database, dialect }) => readEvents(database, dialect, query));
  }

  prune(): Promise<void> {
    return this.#on(({ database, dialect }) => pruneEvents((work) => database.session(work), dialect, this.#keeping));
  }

  async #on<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = await this.#open();
    try {
      return await work(opened);
    } catch (thrown) {
      throw toError(opened.dialect, undefined, thrown);
    }
  }
}
