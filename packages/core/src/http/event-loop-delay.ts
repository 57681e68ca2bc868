import { monitorEventLoopDelay } from "../runtime/monitor-event-loop-delay.ts";

type Histogram = ReturnType<typeof monitorEventLoopDelay>;

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
  const histogram = watch === undefined ? createHistogram() : undefined;
  if (watch === undefined && histogram === undefined) return UNMEASURED;
  watchers++;
  const own = (watch ??= new LoopWatch(histogram as Histogram));
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

const UNMEASURED: LoopDelay = { watch: { delay: 0 }, stop() {} };

/** Returns `undefined` on hosts that can't measure the delay, such as workerd, which limits the load itself. */
function createHistogram(): Histogram | undefined {
  try {
    return monitorEventLoopDelay({ resolution: RESOLUTION });
  } catch {
    return undefined;
  }
}

class LoopWatch {
  delay = 0;
  readonly #histogram: Histogram;
  readonly #timer: NodeJS.Timeout;
  #last = 0;

  constructor(histogram: Histogram) {
    this.#histogram = histogram;
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
