import type { Principal } from "../../definition/principal.ts";
import type { ChangeMessage } from "../../events/change-event.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Caller } from "../../operation/run.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Engine } from "../operation-context.ts";
import { Feed } from "./feed.ts";
import type { Crowd } from "./crowd.ts";
import { Group, type ReadMessage } from "./group.ts";
import { Lane } from "./lane.ts";
import type { Opening } from "./opening.ts";
import { tick } from "./shared-reads.ts";
import { Watcher } from "./watcher.ts";

interface Shared {
  readonly group: Group;
  /** By principal. Callers that no rule depends on share one lane. */
  readonly lanes: Map<Principal | null | typeof ANYBODY, Lane>;
  count: number;
}

/** Many subscribers share one operation object, whose text is computed once. */
const TEXTS = new WeakMap<WatchOperation, string>();

function textOf(operation: WatchOperation, asked: WatchOperation): string {
  let text = TEXTS.get(operation);
  if (text === undefined) TEXTS.set(operation, (text = canonicalJson(asked)));
  return text;
}

const ANYBODY = Symbol("anybody");

/** All watchers of an engine. Watchers with the same operation and rights share the reads of their changes. */
export class Watches {
  readonly #engine: () => Engine;
  readonly #feeds = new Map<string, Feed>();
  readonly #shared = new Map<string, Shared>();
  readonly #lanes = new Set<Lane>();
  readonly #crowd: Crowd = { size: 0 };
  #isOver = false;

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  open(resource: ResourceModel, operation: WatchOperation, caller: Caller): Opening {
    const { log, telemetry } = this.#engine();
    // Subscribers that differ only in these share their reads.
    const { after, initial: _initial, named: _named, ...asked } = operation;
    const text = textOf(operation, asked);
    const shared = this.#shared.get(text) ?? {
      group: new Group(this.#engine(), resource, asked),
      lanes: new Map(),
      count: 0,
    };
    this.#shared.set(text, shared);
    let reader: ReadMessage;
    const read: ReadMessage = (message, isWanted) => reader(message, isWanted);
    const watcher = new Watcher(caller, log, telemetry?.subscription(operation));
    if (this.#isOver) watcher.end();
    let isPersonal: boolean | undefined;
    // A resuming watcher lags behind the others until it has received everything that it missed.
    let isBehind = after !== undefined;
    const share = (): void => {
      if (isBehind || isPersonal === undefined || watcher.isOver) return;
      own.moveTo(this.#sharedLane(resource, text, shared, isPersonal ? caller.principal : ANYBODY));
    };
    const onCaughtUp = (): void => {
      isBehind = false;
      // Before that, the lane is held, and `own` might be unassigned.
      if (isPersonal !== undefined) own.whenIdle(share);
    };
    const own: Lane = this.#addLane(resource, text, shared, { read, after, watcher, onCaughtUp });
    if (watcher.isOver) own.leave(watcher);
    const ready = this.#engine().changes.sourceOf(resource.name).settled();

    return {
      watcher,
      ready: after === undefined ? ready?.then(() => own.forget()) : ready,
      start: (personal) => {
        isPersonal = personal;
        // Rows must be read after the initial state was sent, so that no change shows an older state of them.
        reader = shared.group.reader(caller.principal, tick());
        own.release(share);
      },
    };
  }

  /** Ends all watchers, including those opened later. */
  endAll(): void {
    this.#isOver = true;
    for (const lane of this.#lanes) lane.endAll();
  }

  #sharedLane(resource: ResourceModel, text: string, shared: Shared, who: Principal | null | typeof ANYBODY): Lane {
    let lane = shared.lanes.get(who);
    if (lane === undefined) {
      const read = shared.group.reader(who === ANYBODY ? null : who);
      lane = this.#addLane(resource, text, shared, { read, who });
      shared.lanes.set(who, lane);
    }
    return lane;
  }

  #addLane(
    resource: ResourceModel,
    text: string,
    shared: Shared,
    parts: {
      readonly read: ReadMessage;
      readonly after?: string | undefined;
      /** The watcher for which the lane holds messages. */
      readonly watcher?: Watcher;
      readonly who?: Principal | null | typeof ANYBODY;
      /** Called when a resuming watcher has received everything that it missed. */
      readonly onCaughtUp?: () => void;
    },
  ): Lane {
    const { read, after, watcher, who, onCaughtUp } = parts;
    let unsubscribe: (() => void) | undefined;
    const abandon = (): void => {
      this.#lanes.delete(lane);
      unsubscribe?.();
      if (who !== undefined && shared.lanes.get(who) === lane) shared.lanes.delete(who);
      if (--shared.count === 0 && this.#shared.get(text) === shared) this.#shared.delete(text);
    };
    const { telemetry } = this.#engine();
    const { wants } = shared.group;
    const isHeld = watcher !== undefined;
    const lane: Lane = new Lane({ wants, read, crowd: this.#crowd, telemetry, abandon, isHeld });
    // Joins first, because the source may deliver missed changes synchronously.
    if (watcher !== undefined) lane.join(watcher);
    shared.count++;
    this.#lanes.add(lane);
    if (after !== undefined) {
      const listener = {
        next: (message: ChangeMessage) => lane.push(message),
        drain: () => lane.drain(),
        ...(onCaughtUp === undefined ? {} : { caughtUp: onCaughtUp }),
      };
      unsubscribe = this.#engine().changes.sourceOf(resource.name).subscribe(resource.name, listener, after);
    } else {
      const feed = this.#feedOf(resource.name);
      feed.add(lane);
      unsubscribe = () => feed.remove(lane);
    }
    return lane;
  }

  #feedOf(resource: string): Feed {
    let feed = this.#feeds.get(resource);
    if (feed === undefined) {
      feed = new Feed(this.#engine().changes.sourceOf(resource), resource, () => void this.#feeds.delete(resource));
      this.#feeds.set(resource, feed);
    }
    return feed;
  }
}
