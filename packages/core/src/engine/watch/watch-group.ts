import type { Principal } from "../../definition/principal.ts";
import type { ChangeMessage } from "../../events/change-event.ts";
import type { ChangeSource, SourceObserver } from "../../events/change-source.ts";
import type { ResourceModel } from "../../model/model.ts";
import { keyToken } from "../../operation/key.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { Engine } from "../operation-context.ts";
import type { Crowd } from "./crowd.ts";
import { EventReader } from "./event-reader.ts";
import { FanOut } from "./fan-out.ts";
import { type GroupOfWatches, SharedWatch, type WatchKey } from "./shared-watch.ts";

/** All callers, if no rule depends on them. */
export const ANYBODY = Symbol("anybody");
/** The callers with the rights of one `SharedWatch`. */
type Sharer = Principal | null | typeof ANYBODY;

export interface WatchGroupOptions {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly crowd: Crowd;
  readonly resource: ResourceModel;
  readonly operation: WatchOperation;
  /** Identifies the operation. */
  readonly text: string;
}

/** The watches of one operation: one for each caller with its own rights, and one for each watcher that is being opened. */
export class WatchGroup extends FanOut<WatchKey, SharedWatch> implements GroupOfWatches {
  readonly feed: Feed;
  readonly crowd: Crowd;
  readonly reader: EventReader;
  readonly telemetry: Telemetry | undefined;
  readonly #operation: WatchOperation;
  readonly #key: string | undefined;
  readonly #text: string;

  constructor({ engine, feed, crowd, resource, operation, text }: WatchGroupOptions) {
    super();
    this.feed = feed;
    this.crowd = crowd;
    this.reader = new EventReader(engine, resource, operation);
    this.telemetry = engine.telemetry;
    this.#operation = operation;
    this.#key = operation.key === undefined ? undefined : keyToken(operation.key);
    this.#text = text;
  }

  /** Returns the watch for all watchers with these rights. */
  sharedBy(who: Sharer): SharedWatch {
    return this.get(who) ?? new SharedWatch(this, who, this.reader.readFor(who === ANYBODY ? null : who));
  }

  wants(message: ChangeMessage): boolean {
    if (message.kind === "reset") return true;
    return (
      this.#operation.on.includes(message.kind) && (this.#key === undefined || keyToken(message.key) === this.#key)
    );
  }

  next(message: ChangeMessage): void {
    if (!this.wants(message)) return;
    for (const watch of this.members.values()) watch.next(message);
  }

  endAll(): void {
    for (const watch of this.members.values()) watch.endAll();
  }

  protected open(): () => void {
    this.feed.add(this.#text, this);
    return () => this.feed.delete(this.#text);
  }
}

/** The groups of a resource, by the text of their operation. They share one subscription to its changes. */
export class Feed extends FanOut<string, WatchGroup> {
  readonly #source: ChangeSource;
  readonly #resource: string;

  constructor(source: ChangeSource, resource: string) {
    super();
    this.#source = source;
    this.#resource = resource;
  }

  /** Delivers to a single observer, which receives the changes since `after` first. */
  resume(observer: SourceObserver, after: string): () => void {
    return this.#source.subscribe(this.#resource, observer, after);
  }

  endAll(): void {
    for (const group of this.members.values()) group.endAll();
  }

  protected open(): () => void {
    return this.#source.subscribe(this.#resource, {
      next: (message: ChangeMessage) => {
        for (const group of this.members.values()) group.next(message);
      },
    });
  }
}
