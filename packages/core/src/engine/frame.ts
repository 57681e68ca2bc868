import { isSystem } from "../definition/principal.ts";
import type { Model, ResourceModel, RuleModel } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import type { ChargeMore } from "../limits/charge.ts";
import type { Limits } from "../limits/limits.ts";
import type { Caller } from "../operation/run.ts";
import type { MaybePromise, Store } from "../store/store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";
import type { Changes } from "./changes/changes.ts";
import type { Cursors } from "./cursors.ts";
import type { CreateDeadline, Deadline } from "./deadline.ts";
import type { Resumptions } from "./watch/resumptions.ts";
import type { Watches } from "./watch/watches.ts";

/** What every operation runs on. */
export interface Engine {
  readonly model: Model;
  readonly storeOf: (resource: string) => Store;
  readonly changes: Pick<Changes, "isKept" | "sourceOf" | "publish"> & {
    /** Within the transaction of other code, if the store of the resource has a part in that: it must not be committed. */
    readonly spoil?: (resource: string, thrown: unknown) => void;
  };
  readonly limits: Limits;
  readonly charge: ChargeMore;
  readonly cursors: Cursors;
  readonly createDeadline: CreateDeadline;
  readonly watches: Watches;
  readonly resumptions: Resumptions;
  readonly telemetry: Telemetry | undefined;
  readonly log: Log;
}

/** One operation on its way: who asks, what the rules said so far, and where its data is. */
export interface Frame {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly context: Deadline;
  readonly log: Log;
  /** Rules do not apply. */
  readonly system: boolean;
  /** Answers of rules that look at the caller alone, each asked once. */
  decisions: Map<RuleModel, MaybePromise<Filter>> | undefined;
  readonly notes: Notes;
  /** Within a transaction its handle, otherwise the store itself. */
  readonly storeOf: (resource: string) => Store;
}

export interface Notes {
  /** A rule, or a hook of a read, could look at who asks. */
  personal: boolean;
}

export function createFrame(engine: Engine, caller: Caller, context: Deadline): Frame {
  const { principal, log = engine.log } = caller;
  const system = isSystem(principal);
  return {
    engine,
    caller,
    context,
    log,
    system,
    decisions: undefined,
    notes: { personal: false },
    storeOf: engine.storeOf,
  };
}

/** A resource that an operation names; front ends lower only into names of the model. */
export function resourceOf(model: Model, name: string): ResourceModel {
  const resource = model.resources.get(name);
  if (resource === undefined) throw new Error(`Unknown resource '${name}'.`);
  return resource;
}
