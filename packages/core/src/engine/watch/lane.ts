import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChangeMessage } from "../../events/change-event.ts";
import type { Change } from "../../operation/outcome.ts";
import type { SubscriptionWatch, Telemetry } from "../../telemetry/telemetry.ts";
import { waitForDrain } from "../../util/drain-signal.ts";
import { type Crowd, spreadOf } from "./crowd.ts";
import type { ReadMessage } from "./group.ts";
import { type Numbered, WaitingMessages } from "./waiting-messages.ts";
import type { Source, Watcher } from "./watcher.ts";

/** Maximum milliseconds to wait for a resuming watcher, because others may be waiting to resume. */
const MAX_PAUSE_MS = 1_000;
/** More missed changes are accepted while fewer than this are waiting. */
const ROOM = 250;

export interface LaneOptions {
  readonly wants: (message: ChangeMessage) => boolean;
  /** Reads a message for the watchers. Never throws. */
  readonly read: ReadMessage;
  /** The number of all watchers. */
  readonly crowd: Crowd;
  readonly telemetry: Telemetry | undefined;
  /** Called when the last watcher has left. */
  readonly abandon: (lane: Lane) => void;
  /** True for a lane with a single watcher, which holds its messages until `release`. */
  readonly isHeld?: boolean;
}

/**
 * The watchers that share each read: they have the same operation and the same rights. Each receives the messages in
 * order.
 */
export class Lane implements Source {
  readonly #options: LaneOptions;
  readonly #watchers = new Set<Watcher>();
  readonly #waiting = new WaitingMessages();
  readonly #isOwn: boolean;
  #isHeld: boolean;
  #isReading = false;
  #onIdle: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#isOwn = options.isHeld === true;
    this.#isHeld = this.#isOwn;
  }

  /** The watcher receives messages from the next one on. Those still waiting were published before it joined. */
  join(watcher: Watcher): void {
    watcher.joined = this.#waiting.count;
    watcher.source = this;
    this.#watchers.add(watcher);
    this.#options.crowd.size++;
  }

  leave(watcher: Watcher): void {
    if (this.#watchers.delete(watcher)) this.#options.crowd.size--;
    if (this.#watchers.size > 0) return;
    this.#options.abandon(this);
    this.#hasRoom();
  }

  push(message: ChangeMessage): void {
    if (!this.#options.wants(message)) return;
    this.#waiting.push(message);
    if (!this.#isHeld && !this.#isReading) void this.#readAll();
  }

  /** Drops the waiting messages, which were published before the watcher joined. */
  forget(): void {
    this.#waiting.clear();
  }

  /** Waits until most of the waiting messages were read; undefined if there are few. */
  drain(): Promise<void> | undefined {
    if (this.#waiting.length < ROOM || this.#watchers.size === 0) return undefined;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Reads the held messages. Calls `then` after the last one, before another message can arrive. */
  release(then: () => void): void {
    this.#isHeld = false;
    this.#onIdle = then;
    void this.#readAll();
  }

  /**
   * Calls `then` as soon as no message is waiting, in the same turn. If the lane is held, the callback of `release`
   * applies instead.
   */
  whenIdle(then: () => void): void {
    if (this.#isHeld) return;
    if (this.#isReading) this.#onIdle = then;
    else then();
  }

  /** Moves the watchers to another lane, which must have received the same messages. */
  moveTo(other: Lane): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    this.#options.crowd.size -= watchers.length;
    this.#options.abandon(this);
    for (const watcher of watchers) other.join(watcher);
  }

  endAll(): void {
    for (const watcher of this.#watchers) watcher.end();
  }

  #read(message: ChangeMessage): Promise<Change | undefined> {
    const { read, telemetry } = this.#options;
    const isWanted = (): boolean => this.#watchers.size > 0;
    if (telemetry === undefined || message.kind === "reset") return read(message, isWanted);
    return telemetry.delivery({ event: message, subscriptions: this.#subscriptions() }, () => read(message, isWanted));
  }

  *#subscriptions(): Generator<SubscriptionWatch> {
    for (const { watch } of this.#watchers) if (watch !== undefined) yield watch;
  }

  #hasRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  #deliver({ number }: Numbered, change: Change | undefined): void {
    if (change === undefined) return;
    // A watcher that has just reconnected is alone in its lane, so it needs no delay.
    const spread = change.kind === "reset" && !this.#isOwn ? spreadOf(this.#options.crowd) : 0;
    for (const watcher of this.#watchers) if (watcher.joined < number) watcher.deliver(change, spread);
  }

  /**
   * Waits if a watcher's buffer is full. A resuming watcher gets up to a second; watchers that share a lane get one
   * turn of the event loop, in which sockets are flushed.
   */
  #pause(): Promise<void> | undefined {
    for (const watcher of this.#watchers) {
      const drain = watcher.drain();
      if (drain !== undefined) return this.#isOwn ? waitForDrain(drain, MAX_PAUSE_MS) : nextTurn();
    }
    return undefined;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#waiting.take(); next.length > 0; next = this.#waiting.take()) {
      if (this.#waiting.length < ROOM) this.#hasRoom();
      if (this.#watchers.size === 0) continue;
      const readings = next.map(({ message }) => this.#read(message));
      for (const [index, reading] of readings.entries()) {
        this.#deliver(next[index] as Numbered, await reading);
        const isLast = index === next.length - 1 && this.#waiting.length === 0;
        const pause = isLast ? undefined : this.#pause();
        if (pause !== undefined) await pause;
      }
    }
    this.#isReading = false;
    const then = this.#onIdle;
    this.#onIdle = undefined;
    then?.();
  }
}
