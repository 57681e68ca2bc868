import { sleep } from "../../runtime/timers.ts";
import type { Principal } from "../../definition/principal.ts";
import type { ChangeEvent, ChangeMessage } from "../../events/change-event.ts";
import { type BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import type { ResourceModel } from "../../model/model.ts";
import { createCaller } from "../../operation/create-caller.ts";
import type { Caller } from "../../operation/run.ts";
import { formatId } from "../../operation/key.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Change } from "../../operation/outcome.ts";
import { createOperationContext, type Engine, type OperationContext } from "../operation-context.ts";
import { maskError } from "../../errors/mask-error.ts";
import { isNews } from "./is-news.ts";
import { readChange } from "./read-change.ts";
import { SharedReads } from "./shared-reads.ts";
import { resolveView, type SubscriberView } from "./view.ts";

/** Milliseconds between two attempts: the first pause and the longest. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [100, 2_000];
/** Milliseconds without a successful read after which changes are dropped. */
const MAX_OUTAGE_MS = 30_000;

interface Reading {
  /** When the read began (see `tick`). */
  readonly start: number;
  readonly change: Change | undefined;
}

/**
 * Reads a message for watchers, after `turn`. Never throws. Retries while the store is unavailable and there are
 * watchers.
 */
export type ReadMessage = (
  message: ChangeMessage,
  isWanted: () => boolean,
  turn?: Promise<void>,
) => Promise<Change | undefined>;

/** Reads the events of one operation. Watchers with the same view share the reads. */
export class EventReader {
  readonly #engine: Engine;
  readonly #resource: ResourceModel;
  readonly #operation: WatchOperation;
  readonly #reads = new SharedReads();
  readonly #retried = new RetriedReads();
  #readers = 0;
  /** The view of all callers, once it is known that no rule depends on them. */
  #commonView: SubscriberView | undefined;

  constructor(engine: Engine, resource: ResourceModel, operation: WatchOperation) {
    this.#engine = engine;
    this.#resource = resource;
    this.#operation = operation;
  }

  /**
   * Returns a function that reads messages for one principal. Messages about different rows can be read concurrently.
   * Rules run again for each message, because their data may have changed.
   */
  readFor(principal: Principal | null, since = 0): ReadMessage {
    const caller = createCaller(principal, undefined);
    let last = since;
    return async (message, isWanted, turn) => {
      if (message.kind === "reset") return message;
      // Captured when the message arrives: concurrent reads are of other rows.
      const before = last;
      const readOnce = (): Promise<Reading | undefined> => {
        const deadline = this.#engine.createDeadline(caller);
        return deadline.limit(this.#read(createOperationContext(this.#engine, caller, deadline), message, before));
      };
      // It counts while it waits, so that it can share the results of others.
      this.#readers++;
      try {
        if (turn !== undefined) {
          await turn;
          if (!isWanted()) return undefined;
        }
        const read = await this.#retried.run(readOnce, isWanted);
        if (read === undefined) return undefined;
        last = Math.max(last, read.start);
        return read.change;
      } catch (thrown) {
        return this.#failed(caller, message, thrown);
      } finally {
        // No reader is left that could share the results.
        if (--this.#readers === 0) this.#reads.clear();
      }
    };
  }

  async #read(context: OperationContext, event: ChangeEvent, since: number): Promise<Reading | undefined> {
    // The system bypasses even rules that deny access to all callers.
    const common = context.system ? undefined : this.#commonView;
    const view = common ?? (await resolveView(context, this.#resource, this.#operation));
    if (view?.text === "") this.#commonView = view;
    if (view === undefined || !(await isNews(context, this.#resource, view, event))) return undefined;
    const shared = this.#reads.get(event.id, view.text, since, () => readChange(context, this.#resource, view, event));
    return { start: shared.start, change: await shared.reading };
  }

  /** A caller without access gets no message. If the read failed for another reason, the watcher gets a reset. */
  #failed(caller: Caller, event: ChangeEvent, thrown: unknown): Change | undefined {
    const { log } = this.#engine;
    const error = maskError(thrown, caller, log);
    const name = `${this.#resource.name} ${formatId(this.#resource, event.key)}`;
    log.warn(`A change to ${name} could not be delivered.`, { cause: error });
    return isRefusal(error) ? undefined : { kind: "reset", id: event.id };
  }
}

function isRefusal({ code }: BifocalError): boolean {
  return code === "FORBIDDEN" || code === "UNAUTHENTICATED" || code === "NOT_FOUND";
}

/**
 * Retries reads with increasing pauses while the store is unavailable. After a short outage, each subscriber receives
 * every change, and no client has to read everything again.
 */
export class RetriedReads {
  #failingSince: number | undefined;

  /** Throws the error of `read` once the outage is too long. Returns undefined as soon as `isWanted` returns false. */
  async run<T>(read: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        const result = await read();
        this.#failingSince = undefined;
        return result;
      } catch (thrown) {
        if (!isTransient(thrown)) throw thrown;
        this.#failingSince ??= performance.now();
        if (performance.now() - this.#failingSince > MAX_OUTAGE_MS) throw thrown;
      }
      await sleep(pause / 2 + (Math.random() * pause) / 2, undefined, { ref: false });
      if (!isWanted()) return undefined;
    }
  }
}

/** A network failure can look like a slow store, so timeouts count too. */
function isTransient(thrown: unknown): boolean {
  if (isBifocalError(thrown)) return thrown.code === "UNAVAILABLE" || thrown.code === "TIMEOUT";
  return thrown instanceof Error && thrown.name === "TimeoutError";
}
