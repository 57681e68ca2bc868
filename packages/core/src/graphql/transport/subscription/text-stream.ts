import type { Observer } from "../../../operation/observer.ts";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { FormatEvent } from "./format-event.ts";
import { waitForDrain } from "../../../util/drain-signal.ts";
import { pauseWhenDue } from "../../../util/pause-when-due.ts";

/** An open subscription of one client. Passes each result on as JSON text. */
export class TextStream implements Observer<object> {
  readonly #source: EventSource;
  readonly #format: FormatEvent;
  readonly #release: () => void;
  readonly #listener: Observer<string>;
  /** The last asynchronous text. Later texts wait for it, to keep their order. */
  #last: Promise<void> | undefined;
  #isOver = false;
  /** Whether texts that are still being written are discarded. */
  #isStopped = false;

  /** @param release - called once, when the subscription ends */
  constructor(source: EventSource, format: FormatEvent, release: () => void, listener: Observer<string>) {
    this.#source = source;
    this.#format = format;
    this.#release = release;
    this.#listener = listener;
  }

  /** Starts the delivery: first the queued results, then each new one. */
  start(): void {
    this.#source.listen(this);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    void this.#source.return();
  }

  next(event: object): void {
    const text = this.#format(event);
    if (typeof text === "string" && this.#last === undefined) this.#listener.next(text);
    else this.#nextLater(text);
  }

  drain(): Promise<void> | undefined {
    // A text that is still being written has not reached the reader.
    return this.#last === undefined ? this.#listener.drain?.() : this.#last.then(() => this.#listener.drain?.());
  }

  end(error: BifocalError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // After an error, texts that are still being written are discarded, because the caller may have lost its rights.
    this.#isStopped = error !== undefined;
    this.#release();
    if (this.#last === undefined) this.#listener.end(error);
    else void this.#last.then(() => this.#listener.end(error));
  }

  #nextLater(text: string | Promise<string>): void {
    const before = this.#last;
    const own = (async () => {
      await before;
      const written = await text;
      if (!this.#isStopped) this.#listener.next(written);
    })();
    this.#last = own;
    void own.then(() => {
      if (this.#last === own) this.#last = undefined;
    });
  }
}

/** The events of a subscription: changes of rows, or the events of a host's own field. */
interface EventSource {
  readonly listen: (listener: Observer<object>) => void;
  readonly return: () => unknown;
}

/** Logs an error of the host's code and returns one that the caller may see. */
type Mask = (thrown: unknown) => BifocalError;

/**
 * Wraps the source that graphql-js opened. A source of Bifocal supports listeners; any other one is read until it ends.
 */
export function toEventSource(opened: AsyncIterable<unknown>, mask: Mask): EventSource {
  if ("listen" in opened) return opened as AsyncIterable<unknown> & EventSource;
  const iterator = opened[Symbol.asyncIterator]();
  return {
    listen: (listener) => void readAll(iterator, listener, mask),
    return: async () => {
      try {
        await iterator.return?.();
      } catch (thrown) {
        mask(thrown);
      }
    },
  };
}

async function readAll(iterator: AsyncIterator<unknown>, listener: Observer<object>, mask: Mask): Promise<void> {
  try {
    for (let result = await iterator.next(); result.done !== true; result = await iterator.next()) {
      listener.next(result.value as object);
      await waitForDrain(listener.drain?.());
      // The next value may be ready at once, and so may all others.
      await pauseWhenDue();
    }
    listener.end(undefined);
  } catch (thrown) {
    listener.end(mask(thrown));
  }
}
