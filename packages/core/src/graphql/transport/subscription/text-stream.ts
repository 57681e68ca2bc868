import type { Observer } from "../../../operation/observer.ts";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { EventSource } from "./event-source.ts";
import type { FormatEvent } from "./shared-texts.ts";

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
