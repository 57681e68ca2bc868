import { nextTurn } from "../../runtime/timers.ts";
import type { Principal } from "../../definition/principal.ts";
import type { ChangeMessage } from "../../events/change-event.ts";
import type { SourceObserver } from "../../events/change-source.ts";
import type { Change } from "../../operation/outcome.ts";
import type { SubscriptionWatch, Telemetry } from "../../telemetry/telemetry.ts";
import { waitForDrain } from "../../util/drain-signal.ts";
import { pauseWhenDue } from "../../util/pause-when-due.ts";
import { type Crowd, spreadOf } from "./crowd.ts";
import type { ReadMessage } from "./event-reader.ts";
import { FanOut } from "./fan-out.ts";
import { type Numbered, WaitingMessages } from "./waiting-messages.ts";
import type { Source, Watcher } from "./watcher.ts";

/** Maximum milliseconds to wait for a resuming watcher, because others may be waiting to resume. */
const MAX_PAUSE_MS = 1_000;

/** Identifies a watch in its group: its callers or, while it is being opened, its only watcher. */
export type WatchKey = Principal | null | symbol | Watcher;

/** The part of a group that its watches use. */
export interface GroupOfWatches {
  readonly feed: { readonly resume: (observer: SourceObserver, after: string) => () => void };
  readonly crowd: Crowd;
  readonly telemetry: Telemetry | undefined;
  readonly wants: (message: ChangeMessage) => boolean;
  readonly add: (key: WatchKey, watch: SharedWatch) => void;
  readonly delete: (key: WatchKey) => void;
}

/**
 * The watchers of a group that have the same rights and share each read, with the number of the last message before they
 * joined. Each receives the messages in order.
 */
export class SharedWatch extends FanOut<Watcher, number> implements Source {
  protected readonly group: GroupOfWatches;
  protected readonly waiting = new WaitingMessages();
  protected isReading = false;
  readonly #key: WatchKey;
  readonly #isOpening: boolean;
  #read: ReadMessage | undefined;

  /** @param read - without it, messages wait until `readAll` */
  constructor(group: GroupOfWatches, key: WatchKey, read: ReadMessage | undefined) {
    super();
    this.group = group;
    this.#key = key;
    this.#isOpening = read === undefined;
    this.#read = read;
  }

  /** The watcher receives messages from the next one on. Those still waiting were published before it joined. */
  join(watcher: Watcher): void {
    watcher.source = this;
    this.group.crowd.size++;
    this.add(watcher, this.waiting.count);
  }

  leave(watcher: Watcher): void {
    this.group.crowd.size--;
    this.delete(watcher);
  }

  next(message: ChangeMessage): void {
    this.waiting.push(message);
    if (this.#read !== undefined && !this.isReading) void this.readAll(this.#read);
  }

  endAll(): void {
    for (const watcher of this.members.keys()) watcher.end();
  }

  protected open(): () => void {
    this.group.add(this.#key, this);
    return () => this.group.delete(this.#key);
  }

  /** Reads all waiting messages, and from now on each further one. */
  protected async readAll(read: ReadMessage): Promise<void> {
    this.#read = read;
    this.isReading = true;
    for (let next = this.waiting.take(); next.length > 0; next = this.waiting.take()) {
      if (this.members.size === 0) continue;
      // A store in memory reads at once, so a write with many changes or subscribers would delay all requests.
      const turn = pauseWhenDue(next.length);
      const readings = next.map(({ message }) => this.#readOne(read, message, turn));
      for (const [index, reading] of readings.entries()) {
        this.#deliver(next[index] as Numbered, await reading);
        const isLast = index === next.length - 1 && this.waiting.length === 0;
        const pause = isLast ? undefined : (this.#pause() ?? pauseWhenDue());
        if (pause !== undefined) await pause;
      }
    }
    this.isReading = false;
    this.onIdle();
  }

  /** Called when no message is waiting, in the turn of the last delivery. */
  protected onIdle(): void {}

  #readOne(read: ReadMessage, message: ChangeMessage, turn: Promise<void> | undefined): Promise<Change | undefined> {
    const { telemetry } = this.group;
    const isWanted = (): boolean => this.members.size > 0;
    if (telemetry === undefined || message.kind === "reset") return read(message, isWanted, turn);
    return telemetry.delivery({ event: message, subscriptions: this.#subscriptions() }, () =>
      read(message, isWanted, turn),
    );
  }

  *#subscriptions(): Generator<SubscriptionWatch> {
    for (const { watch } of this.members.keys()) if (watch !== undefined) yield watch;
  }

  #deliver({ number }: Numbered, change: Change | undefined): void {
    if (change === undefined) return;
    // A watcher that has just reconnected is alone, so it needs no delay.
    const spread = change.kind === "reset" && !this.#isOpening ? spreadOf(this.group.crowd) : 0;
    // `forEach` creates no array for each watcher.
    this.members.forEach((joined, watcher) => {
      if (joined < number) watcher.deliver(change, spread);
    });
  }

  /**
   * Waits if a watcher's buffer is full. A resuming watcher gets up to a second; watchers that share their reads get one
   * turn of the event loop, in which sockets are flushed.
   */
  #pause(): Promise<void> | undefined {
    for (const watcher of this.members.keys()) {
      const drain = watcher.drain();
      if (drain !== undefined) return this.#isOpening ? waitForDrain(drain, MAX_PAUSE_MS) : nextTurn();
    }
    return undefined;
  }
}
