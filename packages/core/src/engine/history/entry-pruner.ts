import type { ResourceModel } from "../../model/model.ts";
import { createCaller } from "../../operation/create-caller.ts";
import type { Filter } from "../../operation/filter.ts";
import { keyOf } from "../../operation/key.ts";
import type { ListQuery } from "../../store/store.ts";
import { eventLoopTurn } from "../../util/event-loop-turn.ts";
import { createOperationContext, type Engine } from "../operation-context.ts";

const PRUNE_EVERY_MS = 60_000;
/** Maximum number of entries that one transaction deletes, because other writes wait for it. */
const STEP = 500;

/** Deletes the entries of histories that are older than `keepFor`, now and then. */
export class EntryPruner {
  readonly #engine: Engine;
  readonly #histories: readonly ResourceModel[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(engine: Engine, histories: readonly ResourceModel[]) {
    this.#engine = engine;
    this.#histories = histories;
  }

  /** Called for each operation, because the stores are open then. Only the first call has an effect. */
  start(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setInterval(() => this.#prune(), PRUNE_EVERY_MS).unref();
    this.#prune();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #prune(): void {
    this.#running ??= this.#pruneAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #pruneAll(): Promise<void> {
    for (const history of this.#histories) {
      try {
        while (!this.#isClosed && (await this.#pruneSome(history)) === STEP) {
          // A database in this process answers at once, so other requests would wait until the last step.
          await eventLoopTurn();
        }
      } catch (cause) {
        this.#engine.log.error(`Old entries of '${history.name}' could not be deleted. Trying again in a minute.`, {
          cause,
        });
      }
    }
  }

  /** Deletes some of the old entries, and returns their number. */
  async #pruneSome(history: ResourceModel): Promise<number> {
    const engine = this.#engine;
    const caller = createCaller(null, undefined);
    const deadline = engine.createDeadline(caller);
    // Entries of all tenants.
    const { unscopedStoreOf } = createOperationContext(engine, caller, deadline, true);
    const value = new Date(Date.now() - (history.keepFor ?? 0) * 1_000).toISOString();
    const filter: Filter = { kind: "compare", field: "at", operator: "lt", value };
    const sort = ["at", ...history.key].map((field) => ({ path: [field] as const, descending: false }));
    const query: ListQuery = { resource: history, filter, sort, limit: STEP };
    const deletion = unscopedStoreOf(history.name).transaction(async (store) => {
      const { rows } = await store.list(query, deadline);
      for (const row of rows) await store.delete({ resource: history, key: keyOf(history, row) }, deadline);
      return rows.length;
    }, deadline);
    return deadline.limit(deletion);
  }
}
