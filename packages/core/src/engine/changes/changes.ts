import type { Bus } from "../../events/bus.ts";
import type { EventDraft } from "../../events/change-event.ts";
import type { ChangeSource } from "../../events/change-source.ts";
import { LogReader } from "../../events/log-reader.ts";
import { MemoryLog } from "../../events/memory-log.ts";
import type { Model, Row } from "../../model/model.ts";
import type { Store, StoreContext } from "../../store/store.ts";
import type { Log } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { settleWithin } from "../../util/settle-within.ts";
import { CLOSE_MS, Instances } from "./instances.ts";

export interface ChangesOptions {
  readonly model: Model;
  readonly storeOf: (resource: string) => Store;
  /** Connects the instances of the API. Undefined if there is only one. */
  readonly bus: Bus | undefined;
  /** Number of changes per resource to keep in memory, for stores without a change log. */
  readonly keep: number;
  /** Milliseconds between reads of the stores' logs while no message arrives. */
  readonly poll: number;
  readonly log: Log;
}

/** Delivers committed changes to all listeners: from the change log of their store or, if it has none, from memory. */
export class Changes {
  readonly #model: Model;
  readonly #storeOf: (resource: string) => Store;
  readonly #memory: MemoryLog;
  readonly #readers = new Map<Store, LogReader>();
  /** Undefined without a bus. */
  readonly #instances: Instances | undefined;
  readonly #hasSecrets: boolean;

  constructor({ model, storeOf, bus, keep, poll, log }: ChangesOptions) {
    this.#model = model;
    this.#storeOf = storeOf;
    this.#memory = new MemoryLog({ keep });
    this.#hasSecrets = [...model.resources.values()].some(({ secretFields }) => secretFields.length > 0);
    const onGrowth = (): void => this.#instances?.wake();
    for (const store of new Set([...model.resources.keys()].map(storeOf))) {
      const { changeLog } = store;
      if (changeLog !== undefined) this.#readers.set(store, new LogReader(changeLog, { poll, log, onGrowth }));
    }
    // Another version of the API may have other resources.
    const isUnkept = (name: string): boolean => model.resources.has(name) && !this.isKept(name);
    if (bus === undefined) return;
    this.#instances = new Instances({
      bus,
      log,
      onWake: () => {
        for (const reader of this.#readers.values()) reader.hear();
      },
      onChanges: (drafts) => this.#memory.append(drafts.filter(({ resource }) => isUnkept(resource))),
      onMissed: (resources = [...model.resources.keys()]) => {
        for (const name of resources) if (isUnkept(name)) this.#memory.reset(name);
      },
    });
  }

  sourceOf(resource: string): ChangeSource {
    return this.#readerOf(this.#storeOf(resource)) ?? this.#memory;
  }

  /** Whether the resource's store logs changes in the transaction that makes them. */
  isKept(resource: string): boolean {
    return this.#readerOf(this.#storeOf(resource)) !== undefined;
  }

  /** Publishes changes after the commit. `kept` is the store whose transaction has already logged its own changes. */
  publish(noted: readonly EventDraft[], kept: Store | undefined, context: StoreContext): MaybePromise<void> {
    const reader = kept && this.#readerOf(kept);
    if (reader !== undefined && noted.every(({ resource }) => this.#storeOf(resource) === kept)) {
      reader.noteWrite();
      return undefined;
    }
    const drafts = this.#hasSecrets ? withoutSecrets(this.#model, noted) : noted;
    if (this.#readers.size === 0) return this.#publishUnkept(drafts);
    const groups = new Map<Store, EventDraft[]>();
    for (const draft of drafts) {
      const store = this.#storeOf(draft.resource);
      const group = groups.get(store);
      if (group === undefined) groups.set(store, [draft]);
      else group.push(draft);
    }
    return this.#publishGroups(groups, kept, context);
  }

  async close(): Promise<void> {
    await settleWithin(
      CLOSE_MS,
      [...this.#readers.values()].map((reader) => reader.close()),
    );
    await this.#instances?.close();
  }

  async #publishGroups(
    groups: ReadonlyMap<Store, readonly EventDraft[]>,
    kept: Store | undefined,
    context: StoreContext,
  ): Promise<void> {
    for (const [store, drafts] of groups) {
      const reader = this.#readerOf(store);
      if (reader === undefined) this.#publishUnkept(drafts);
      else {
        if (store !== kept) await store.appendChanges?.(drafts, context);
        reader.noteWrite();
      }
    }
  }

  /** Stores only know whether they keep changes once they are open. */
  #readerOf(store: Store): LogReader | undefined {
    return store.capabilities.changes === true ? this.#readers.get(store) : undefined;
  }

  #publishUnkept(drafts: readonly EventDraft[]): void {
    this.#memory.append(drafts);
    this.#instances?.tell(drafts);
  }
}

/** Removes secret fields from changes. Logs and buses have other readers than the rows. */
export function withoutSecrets(model: Model, drafts: readonly EventDraft[]): readonly EventDraft[] {
  const hasSecrets = ({ resource }: EventDraft): boolean => model.resources.get(resource)?.secretFields.length !== 0;
  return drafts.some(hasSecrets) ? drafts.map((draft) => withoutSecret(model, draft)) : drafts;
}

function withoutSecret(model: Model, draft: EventDraft): EventDraft {
  const secrets = model.resources.get(draft.resource)?.secretFields ?? [];
  const strip = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => !secrets.includes(name)));
  const { before, after } = draft;
  return { ...draft, ...(before && { before: strip(before) }), ...(after && { after: strip(after) }) };
}
