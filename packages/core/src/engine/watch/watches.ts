import type { ResourceModel } from "../../model/model.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Caller } from "../../operation/run.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Engine } from "../operation-context.ts";
import type { Crowd } from "./crowd.ts";
import { OpeningWatch } from "./opening-watch.ts";
import type { Opening } from "./opening.ts";
import { tick } from "./shared-reads.ts";
import { ANYBODY, Feed, WatchGroup } from "./watch-group.ts";
import { Watcher } from "./watcher.ts";

/** Many subscribers share one operation object, whose text is computed once. */
const TEXTS = new WeakMap<WatchOperation, string>();

function textOf(operation: WatchOperation, asked: WatchOperation): string {
  let text = TEXTS.get(operation);
  if (text === undefined) TEXTS.set(operation, (text = canonicalJson(asked)));
  return text;
}

/**
 * All watchers of an engine. They share their work on three levels: a `Feed` for each resource, in it a `WatchGroup` for
 * each operation, and in it a `SharedWatch` for watchers with the same rights.
 */
export class Watches {
  readonly #engine: () => Engine;
  readonly #feeds = new Map<string, Feed>();
  readonly #crowd: Crowd = { size: 0 };
  #isOver = false;

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  open(resource: ResourceModel, operation: WatchOperation, caller: Caller): Opening {
    const { changes, log, telemetry } = this.#engine();
    const { after } = operation;
    const group = this.#groupOf(resource, operation);
    const watcher = new Watcher(caller, log, telemetry?.subscription(operation));
    if (this.#isOver) watcher.end();
    const own = new OpeningWatch(group, watcher, after);
    const ready = changes.sourceOf(resource.name).settled();
    return {
      watcher,
      ready: after === undefined ? ready?.then(() => own.forget()) : ready,
      start: (isPersonal) => {
        // Rows must be read after the initial state was sent, so that no change shows an older state of them.
        const read = group.reader.readFor(caller.principal, tick());
        own.release(read, () => group.sharedBy(isPersonal ? caller.principal : ANYBODY));
      },
    };
  }

  /** Ends all watchers, including those opened later. */
  endAll(): void {
    this.#isOver = true;
    for (const feed of this.#feeds.values()) feed.endAll();
  }

  #groupOf(resource: ResourceModel, given: WatchOperation): WatchGroup {
    // Subscribers that differ only in these share their reads.
    const { after: _after, initial: _initial, named: _named, ...operation } = given;
    const text = textOf(given, operation);
    const feed = this.#feedOf(resource.name);
    const parts = { engine: this.#engine(), crowd: this.#crowd, feed, resource, operation, text };
    return feed.get(text) ?? new WatchGroup(parts);
  }

  #feedOf(resource: string): Feed {
    let feed = this.#feeds.get(resource);
    if (feed === undefined) {
      feed = new Feed(this.#engine().changes.sourceOf(resource), resource);
      this.#feeds.set(resource, feed);
    }
    return feed;
  }
}
