import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION = 20;
const INTERVAL = 500;

/** One for the process, while somebody looks. */
let watch: LoopWatch | undefined;
let watchers = 0;

/** How late the event loop is, as it is looked at. */
export interface LoopDelay {
  /** Milliseconds by which timers were late on average, in the better one of the last two half seconds: one pause is no load. */
  readonly milliseconds: () => number;
  readonly stop: () => void;
}

export function watchEventLoop(): LoopDelay {
  watchers++;
  const own = (watch ??= new LoopWatch());
  let isWatching = true;
  return {
    milliseconds: () => own.delay,
    stop() {
      if (!isWatching) return;
      isWatching = false;
      if (--watchers > 0) return;
      own.stop();
      watch = undefined;
    },
  };
}

class LoopWatch {
  delay = 0;
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #timer: NodeJS.Timeout;
  #last = 0;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #look(): void {
    // What is measured is the time between two looks, which is the resolution where nothing is late.
    const { mean } = this.#histogram;
    // Both timers may fire in one late turn, in either order: where there is nothing new, what is known holds.
    if (Number.isNaN(mean)) return;
    const delay = Math.max(0, mean / 1e6 - RESOLUTION);
    this.#histogram.reset();
    this.delay = Math.min(this.#last, delay);
    this.#last = delay;
  }
}
