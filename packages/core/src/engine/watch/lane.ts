import type { ChangeMessage } from "../../events/change-event.ts";
import type { Change } from "../../operation/outcome.ts";
import type { SubscriptionWatch, Telemetry } from "../../telemetry/telemetry.ts";
import type { Source, Watcher } from "./watcher.ts";

const MOST_WAITING = 1_000;
/** There is room for more of what was missed below so many. */
const ROOM = 250;

export interface LaneOptions {
  readonly wants: (message: ChangeMessage) => boolean;
  /** What a message is to the watchers. Never throws. */
  readonly read: (message: ChangeMessage) => Promise<Change | undefined>;
  readonly telemetry: Telemetry | undefined;
  /** Called when the last watcher has left. */
  readonly abandon: (lane: Lane) => void;
  /** Keeps its messages until `release`. */
  readonly isHeld?: boolean;
}

/**
 * The watchers for whom every message is read once: they watch by one operation, and the rules tell none of them
 * apart. Messages are read one after the other, so each watcher gets them in order.
 */
export class Lane implements Source {
  readonly #options: LaneOptions;
  readonly #watchers = new Set<Watcher>();
  #queue: { readonly number: number; readonly message: ChangeMessage }[] = [];
  #count = 0;
  #isHeld: boolean;
  #isReading = false;
  #onIdle: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#isHeld = options.isHeld === true;
  }

  /** From the next message on: those that wait to be read were published before. */
  join(watcher: Watcher): void {
    watcher.joined = this.#count;
    watcher.source = this;
    this.#watchers.add(watcher);
  }

  leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#options.abandon(this);
    this.#hasRoom();
  }

  push(message: ChangeMessage): void {
    if (!this.#options.wants(message)) return;
    this.#count++;
    if (this.#queue.length >= MOST_WAITING) this.#queue = [{ number: this.#count, message: reset(message) }];
    else this.#queue.push({ number: this.#count, message });
    if (!this.#isHeld && !this.#isReading) void this.#readAll();
  }

  /** What came until now was before those who join. */
  forget(): void {
    this.#queue = [];
  }

  /** Waits until most of what waits was read; undefined where little does. */
  room(): Promise<void> | undefined {
    if (this.#queue.length < ROOM || this.#watchers.size === 0) return undefined;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Reads what was kept; `then` is called once nothing waits any more, and before another message can come. */
  release(then: () => void): void {
    this.#isHeld = false;
    this.#onIdle = then;
    void this.#readAll();
  }

  /** Calls `then` once nothing waits to be read, in the turn in which that is so; where it is held, `release` says what is then. */
  whenIdle(then: () => void): void {
    if (this.#isHeld) return;
    if (this.#isReading) this.#onIdle = then;
    else then();
  }

  /** Its watchers go on in another lane, which must have had the same messages. */
  moveTo(other: Lane): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    this.#options.abandon(this);
    for (const watcher of watchers) other.join(watcher);
  }

  endAll(): void {
    for (const watcher of this.#watchers) watcher.end();
  }

  #read(message: ChangeMessage): Promise<Change | undefined> {
    const { read, telemetry } = this.#options;
    if (telemetry === undefined || message.kind === "reset") return read(message);
    return telemetry.delivery({ event: message, subscriptions: this.#subscriptions() }, () => read(message));
  }

  *#subscriptions(): Generator<SubscriptionWatch> {
    for (const { watch } of this.#watchers) if (watch !== undefined) yield watch;
  }

  #hasRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (this.#queue.length < ROOM) this.#hasRoom();
      if (this.#watchers.size === 0) continue;
      const change = await this.#read(next.message);
      if (change === undefined) continue;
      for (const watcher of this.#watchers) if (watcher.joined < next.number) watcher.deliver(change);
    }
    this.#isReading = false;
    const then = this.#onIdle;
    this.#onIdle = undefined;
    then?.();
  }
}

function reset({ id }: ChangeMessage): ChangeMessage {
  return { kind: "reset", id };
}
