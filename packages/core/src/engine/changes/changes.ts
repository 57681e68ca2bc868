import type { Bus } from "../../events/bus.ts";
import type { EventDraft } from "../../events/change-event.ts";
import type { ChangeSource } from "../../events/change-source.ts";
import { LogReader } from "../../events/log-reader.ts";
import { MemoryLog } from "../../events/memory-log.ts";
import type { Model } from "../../model/model.ts";
import type { Store, StoreContext } from "../../store/store.ts";
import type { Log } from "../../util/log.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { Instances } from "./instances.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface ChangesOptions {
  readonly model: Model;
  readonly storeOf: (resource: string) => Store;
  /** Reaches other instances. Undefined: there are none. */
  readonly bus: Bus | undefined;
  /** Changes of each resource that are kept in memory, for stores that keep none. */
  readonly keep: number;
  /** Milliseconds between looks at the logs of stores while no message comes. */
  readonly poll: number;
  readonly log: Log;
}

/** What was committed, on its way to all who listen: from the log of its store, or, where that has none, through memory. */
export class Changes {
  readonly #model: Model;
  readonly #storeOf: (resource: string) => Store;
  readonly #memory: MemoryLog;
  readonly #readers = new Map<Store, LogReader>();
  readonly #instances: Instances;

  constructor({ model, storeOf, bus, keep, poll, log }: ChangesOptions) {
    this.#model = model;
    this.#storeOf = storeOf;
    this.#memory = new MemoryLog({ keep });
    const onGrowth = (): void => this.#instances.wake();
    for (const store of new Set([...model.resources.keys()].map(storeOf))) {
      const { changeLog } = store;
      if (changeLog !== undefined) this.#readers.set(store, new LogReader(changeLog, { poll, log, onGrowth }));
    }
    // Another version of the API may have resources that this one has not.
    const isUnkept = (name: string): boolean => model.resources.has(name) && !this.isKept(name);
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

  /** Whether changes of the resource are kept by its store, in the transaction that makes them. */
  isKept(resource: string): boolean {
    return this.#readerOf(this.#storeOf(resource)) !== undefined;
  }

  /** After the commit. `kept`: the store whose transaction wrote its own changes to its log already. */
  publish(noted: readonly EventDraft[], kept: Store | undefined, context: StoreContext): MaybePromise<void> {
    const drafts = withoutSecrets(this.#model, noted);
    if (this.#readers.size === 0) return this.#publishUnkept(drafts);
    const groups = new Map<Store, EventDraft[]>();
    for (const draft of drafts) {
      const store = this.#storeOf(draft.resource);
      groups.set(store, [...(groups.get(store) ?? []), draft]);
    }
    return this.#publishGroups(groups, kept, context);
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) reader.close();
    await this.#instances.close();
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
        reader.wake();
      }
    }
  }

  /** Whether a store keeps its changes is known once it is open. */
  #readerOf(store: Store): LogReader | undefined {
    return store.capabilities.changes === true ? this.#readers.get(store) : undefined;
  }

  #publishUnkept(drafts: readonly EventDraft[]): void {
    this.#memory.append(drafts);
    this.#instances.tell(drafts);
  }
}
