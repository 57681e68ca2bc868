import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION = 20;
const INTERVAL = 500;

/** Shared by all watchers in the process. */
let watch: LoopWatch | undefined;
let watchers = 0;

/** Measures the delay of the event loop. */
export interface LoopDelay {
  readonly watch: {
    /**
     * The average delay of timers in milliseconds: the lower value of the last two half seconds, so that a single pause
     * doesn't count as load.
     */
    readonly delay: number;
  };
  readonly stop: () => void;
}

export function watchEventLoop(): LoopDelay {
  watchers++;
  const own = (watch ??= new LoopWatch());
  let isWatching = true;
  return {
    watch: own,
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
    // The histogram measures the time between two ticks, which equals the resolution if nothing is delayed.
    const { mean } = this.#histogram;
    // Both timers may fire in one delayed turn, in either order. Without new measurements, keep the previous value.
    if (Number.isNaN(mean)) return;
    const delay = Math.max(0, mean / 1e6 - RESOLUTION);
    this.#histogram.reset();
    this.delay = Math.min(this.#last, delay);
    this.#last = delay;
  }
}
