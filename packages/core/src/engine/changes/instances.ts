import { randomUUID } from "../../runtime/crypto.ts";
import { sleep } from "../../runtime/timers.ts";
import type { Bus } from "../../events/bus.ts";
import type { EventDraft } from "../../events/change-event.ts";
import { readBusMessage, writeChanges, writeBusMessage } from "../../events/bus-message.ts";
import { settleWithin } from "../../util/settle-within.ts";
import type { Log } from "../../util/log.ts";

const MESSAGE_BYTES = 65_536;
/** Milliseconds before the next attempt to report missed changes, after the bus failed. */
const RETRY_AFTER = 1_000;
/** Milliseconds to wait for a store or a bus that doesn't respond while the API closes. */
export const CLOSE_MS = 1_000;
/** Milliseconds between two messages that ask other instances to read their logs. */
const WAKE_PAUSE = 10;
/** The same while no other instance is heard, because there may be none. */
const LONE_PAUSE = 1_000;
/** An instance that hears another one sends a message at least this often, in milliseconds, and sooner to a lone one. */
const PRESENCE = 30_000;

export interface InstancesOptions {
  readonly bus: Bus;
  readonly log: Log;
  /** Called when a log may have grown. */
  readonly onWake: () => void;
  /** Called with changes that no log keeps. */
  readonly onChanges: (drafts: readonly EventDraft[]) => void;
  /** Called when such changes were missed, of these resources or, without the argument, of any resource. */
  readonly onMissed: (resources?: readonly string[]) => void;
}

/** Communicates with other instances of the API over the bus. Failures are logged and don't affect this instance. */
export class Instances {
  readonly #options: InstancesOptions;
  readonly #id = randomUUID();
  readonly #unsubscribe: () => void;
  /** Resources with changes that other instances have missed. */
  readonly #untold = new Set<string>();
  readonly #sending = new Set<Promise<void>>();
  #retry: NodeJS.Timeout | undefined;
  #isAway = false;
  #isClosed = false;
  #isWaking = false;
  #isWakeWanted = false;
  #lastSent = Number.NEGATIVE_INFINITY;
  #lastHeard = Number.NEGATIVE_INFINITY;
  /** Ends the pause of an instance that seemed to be alone. */
  #endPause: (() => void) | undefined;

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.#unsubscribe = options.bus.subscribe({
      message: (text) => this.#hear(text),
      missed: () => {
        options.onWake();
        options.onMissed();
      },
    });
  }

  /** Asks other instances to read their logs, at most once in 10 milliseconds, or once a second if none is heard. */
  wake(): void {
    if (this.#isWaking) this.#isWakeWanted = true;
    else if (!this.#isClosed) void this.#wakeOthers();
  }

  tell(drafts: readonly EventDraft[]): void {
    const { bus } = this.#options;
    this.#tellMissed(bus);
    const bytes = bus.messageBytes ?? MESSAGE_BYTES;
    const resources = drafts.map(({ resource }) => resource);
    for (const message of writeChanges(this.#id, drafts, bytes)) void this.#send(bus, message, resources);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    if (this.#isWakeWanted) void this.#sendWake();
    await settleWithin(CLOSE_MS, this.#sending);
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#options.bus.close?.();
  }

  async #wakeOthers(): Promise<void> {
    this.#isWaking = true;
    do {
      this.#isWakeWanted = false;
      await this.#sendWake();
      await sleep(WAKE_PAUSE, undefined, { ref: false });
      if (this.#isAlone) await this.#untilHeard(LONE_PAUSE - WAKE_PAUSE);
    } while (this.#isWakeWanted && !this.#isClosed);
    this.#isWaking = false;
  }

  #untilHeard(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#endPause = resolve;
      setTimeout(resolve, milliseconds).unref();
    });
  }

  #sendWake(): Promise<void> {
    return this.#send(
      this.#options.bus,
      writeBusMessage(this.#id, { kind: "wake", ...(this.#isAlone && { alone: true }) }),
    );
  }

  #hear(text: string): void {
    const letter = readBusMessage(text);
    if (letter === undefined) return this.#options.log.warn("An unknown message from the event bus was ignored.");
    if (letter.from === this.#id) return;
    this.#lastHeard = performance.now();
    this.#endPause?.();
    if (letter.kind === "wake") {
      this.#answer(letter.alone === true);
      this.#options.onWake();
    } else if (letter.kind === "changes") this.#options.onChanges(letter.changes);
    else this.#options.onMissed(letter.resources);
  }

  /** Lets the sender of a wake know that it isn't alone. */
  #answer(isAlone: boolean): void {
    const pause = isAlone ? LONE_PAUSE / 2 : PRESENCE;
    if (performance.now() - this.#lastSent > pause && !this.#isClosed) void this.#sendWake();
  }

  get #isAlone(): boolean {
    return performance.now() - this.#lastHeard > 2 * PRESENCE;
  }

  /** Comes before any other message, because there is a gap before the next changes. */
  #tellMissed(bus: Bus): void {
    const resources = [...this.#untold];
    this.#untold.clear();
    for (const one of resources) {
      void this.#send(bus, writeBusMessage(this.#id, { kind: "reset", resources: [one] }), [one]);
    }
  }

  /** `resources` lists those whose subscribers miss changes if sending fails. Never rejects. */
  #send(bus: Bus, message: string, resources: readonly string[] = []): Promise<void> {
    this.#lastSent = performance.now();
    const sending = this.#publish(bus, message, resources).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return sending;
  }

  async #publish(bus: Bus, message: string, resources: readonly string[]): Promise<void> {
    try {
      await bus.publish(message);
      this.#sent();
    } catch (thrown) {
      this.#failed(bus, thrown, resources);
    }
  }

  #sent(): void {
    if (this.#isAway) this.#options.log.info("The event bus is available again.");
    this.#isAway = false;
  }

  /** Logs the first failure, not each message. */
  #failed(bus: Bus, thrown: unknown, resources: readonly string[]): void {
    // The API closed the bus itself.
    if (this.#isClosed) return;
    if (!this.#isAway)
      this.#options.log.warn("The event bus is unavailable. Other instances don't receive events.", { cause: thrown });
    this.#isAway = true;
    if (resources.length === 0) return;
    for (const one of resources) this.#untold.add(one);
    // Other instances must learn of the gap even if no write follows for a long time.
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#tellMissed(bus);
    }, RETRY_AFTER).unref();
  }
}
