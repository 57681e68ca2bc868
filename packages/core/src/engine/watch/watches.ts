import type { Principal } from "../../definition/principal.ts";
import type { ChangeMessage } from "../../events/change-event.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { WatchOperation } from "../../operation/operation.ts";
import type { Caller } from "../../operation/run.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Engine } from "../frame.ts";
import { Feed } from "./feed.ts";
import type { Crowd } from "./crowd.ts";
import { Group, type ReadMessage } from "./group.ts";
import { Lane } from "./lane.ts";
import { tick } from "./shared-reads.ts";
import { Watcher } from "./watcher.ts";

/** A watcher whose rights are still being checked: messages are kept for it already, so no change is missed. */
export interface Opening {
  readonly watcher: Watcher;
  /** Settled once what was committed before is behind it; undefined where it is. Rejects where the data is out of reach. */
  readonly ready: Promise<void> | undefined;
  /** Lets changes come. `isPersonal`: a rule looked at who asks, so what is read for one principal is not for another. */
  readonly start: (isPersonal: boolean) => void;
}

interface Shared {
  readonly group: Group;
  /** By principal; those whom no rule looks at are in one. */
  readonly lanes: Map<Principal | null | typeof ANYBODY, Lane>;
  count: number;
}

/** An operation that many subscribers have in common is one object, whose text is made once. */
const TEXTS = new WeakMap<WatchOperation, string>();

function textOf(operation: WatchOperation, asked: WatchOperation): string {
  let text = TEXTS.get(operation);
  if (text === undefined) TEXTS.set(operation, (text = canonicalJson(asked)));
  return text;
}

const ANYBODY = Symbol("anybody");

/** All watchers of an engine: those that ask the same, and may see the same, have their changes read once. */
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
    const { after, initial: _, ...asked } = operation;
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
    // Until it has all that it missed, who resumes is behind the others.
    let isBehind = after !== undefined;
    const share = (): void => {
      if (isBehind || isPersonal === undefined || watcher.isOver) return;
      own.moveTo(this.#sharedLane(resource, text, shared, isPersonal ? caller.principal : ANYBODY));
    };
    const onCaughtUp = (): void => {
      isBehind = false;
      // Before it starts it is held, and may not even be there yet.
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
        // Rows are read after the state that was sent first, so that no change shows them as they were before it.
        reader = shared.group.reader(caller.principal, tick());
        own.release(share);
      },
    };
  }

  /** Ends all that are open, and each that is opened from now on. */
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
      /** The one for whom it is held. */
      readonly watcher?: Watcher;
      readonly who?: Principal | null | typeof ANYBODY;
      /** Who resumes has all that it missed. */
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
    // Before anything comes: the source may hand over at once what was missed.
    if (watcher !== undefined) lane.join(watcher);
    shared.count++;
    this.#lanes.add(lane);
    if (after !== undefined) {
      const listener = {
        push: (message: ChangeMessage) => lane.push(message),
        room: () => lane.room(),
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
