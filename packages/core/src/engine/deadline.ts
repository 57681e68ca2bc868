import type { Caller } from "../operation/run.ts";
import type { StoreContext } from "../store/store.ts";

const TICK = 100;

/** The end of one operation's time: `signal` aborts with it, or when the caller goes. */
export interface Deadline extends StoreContext {
  readonly signal: AbortSignal;
  end(): void;
}

export type StartDeadline = (caller: Caller, onExpire: () => void) => Deadline;

/**
 * Deadlines that share one timer: an operation of microseconds should not pay for a timer of its own, nor for a
 * signal that no store looks at. They are late by up to a tenth of a second.
 */
export function createDeadlines(milliseconds: number): StartDeadline {
  const running = new Set<RunningDeadline>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const now = performance.now();
    for (const one of running) if (one.until <= now) one.expire();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (caller, onExpire) => {
    timer ??= setInterval(tick, TICK).unref();
    const deadline = new RunningDeadline(running, caller, performance.now() + milliseconds, onExpire);
    running.add(deadline);
    return deadline;
  };
}

class RunningDeadline implements Deadline {
  readonly until: number;
  readonly #running: Set<RunningDeadline>;
  readonly #caller: Caller;
  readonly #onExpire: () => void;
  #controller: AbortController | undefined;
  #callerSignal: AbortSignal | undefined;
  #expired: unknown;

  constructor(running: Set<RunningDeadline>, caller: Caller, until: number, onExpire: () => void) {
    this.#running = running;
    this.#caller = caller;
    this.until = until;
    this.#onExpire = onExpire;
  }

  get signal(): AbortSignal {
    return (this.#controller ?? this.#connect()).signal;
  }

  end(): void {
    this.#running.delete(this);
    this.#callerSignal?.removeEventListener("abort", this);
  }

  expire(): void {
    this.end();
    this.#expired = new DOMException("The operation took too long.", "TimeoutError");
    this.#controller?.abort(this.#expired);
    this.#onExpire();
  }

  #connect(): AbortController {
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = this.#caller;
    this.#callerSignal = signal;
    if (this.#expired !== undefined) controller.abort(this.#expired);
    else if (signal?.aborted === true) controller.abort(signal.reason);
    else signal?.addEventListener("abort", this, { once: true });
    return controller;
  }

  handleEvent(): void {
    this.#controller?.abort(this.#callerSignal?.reason);
  }
}
