import { type Principal } from "../../definition/principal.ts";
import type { ChangeEvent, ChangeMessage } from "../../events/change-event.ts";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { ResourceModel } from "../../model/model.ts";
import { createCaller } from "../../operation/create-caller.ts";
import { formatId, keyToken } from "../../operation/key.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Change } from "../../operation/outcome.ts";
import { createFrame, type Engine, type Frame } from "../frame.ts";
import { maskError } from "../mask-error.ts";
import { isNews } from "./is-news.ts";
import { readChange } from "./read-change.ts";
import { SharedReads } from "./shared-reads.ts";
import { resolveView } from "./view.ts";

/** All who watch by the same operation. They share what they read, as far as the rules let them see the same. */
export class Group {
  readonly #engine: Engine;
  readonly #resource: ResourceModel;
  readonly #operation: WatchOperation;
  readonly #key: string | undefined;
  readonly #reads = new SharedReads();
  #readers = 0;

  constructor(engine: Engine, resource: ResourceModel, operation: WatchOperation) {
    this.#engine = engine;
    this.#resource = resource;
    this.#operation = operation;
    this.#key = operation.key === undefined ? undefined : keyToken(operation.key);
  }

  readonly wants = (message: ChangeMessage): boolean =>
    message.kind === "reset" ||
    (this.#operation.on.includes(message.kind) && (this.#key === undefined || keyToken(message.key) === this.#key));

  /**
   * Reads messages for one principal, some at a time where they are of different rows; rules are asked anew each time,
   * because what they look at may have changed.
   */
  reader(principal: Principal | null, since = 0): (message: ChangeMessage) => Promise<Change | undefined> {
    const caller = createCaller(principal, undefined);
    let last = since;
    return async (message) => {
      if (message.kind === "reset") return message;
      // As it is when the message comes: those that are read beside it are of other rows.
      const before = last;
      const deadline = this.#engine.createDeadline(caller);
      const frame = createFrame(this.#engine, caller, deadline);
      this.#readers++;
      try {
        return await deadline.limit(
          this.#read(frame, message, before).then((read) => {
            if (read === undefined) return undefined;
            last = Math.max(last, read.start);
            return read.reading;
          }),
        );
      } catch (thrown) {
        return this.#failed(frame, message, thrown);
      } finally {
        // Nobody is behind the others any more.
        if (--this.#readers === 0) this.#reads.clear();
      }
    };
  }

  async #read(frame: Frame, event: ChangeEvent, since: number): Promise<ReturnType<SharedReads["get"]> | undefined> {
    const view = await resolveView(frame, this.#resource, this.#operation);
    if (view === undefined || !(await isNews(frame, this.#resource, view, event))) return undefined;
    return this.#reads.get(event.id, view.text, since, () => readChange(frame, this.#resource, view, event));
  }

  /** Who may not look gets nothing; who could not be told is told that something is missing. */
  #failed(frame: Frame, event: ChangeEvent, thrown: unknown): Change | undefined {
    const error = maskError(thrown, frame.caller, frame.log);
    const name = `${this.#resource.name} ${formatId(this.#resource, event.key)}`;
    frame.log.warn(`A change of ${name} was not delivered.`, { cause: error });
    return isRefusal(error) ? undefined : { kind: "reset", id: event.id };
  }
}

function isRefusal({ code }: BifocalError): boolean {
  return code === "FORBIDDEN" || code === "UNAUTHENTICATED" || code === "NOT_FOUND";
}
