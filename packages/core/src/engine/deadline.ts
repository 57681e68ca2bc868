import type { StoreContext } from "../store/store.ts";

const TICK = 100;

interface Running {
  readonly until: number;
  readonly expire: () => void;
}

/** The end of one operation's time: `context.signal` aborts with it, or when the caller goes. */
export interface Deadline {
  readonly context: StoreContext;
  readonly end: () => void;
}

export type StartDeadline = (callerSignal: AbortSignal | undefined, onExpire: () => void) => Deadline;

/**
 * Deadlines that share one timer: an operation of microseconds should not pay for a timer of its own, nor for a
 * signal that no store looks at. They are late by up to a tenth of a second.
 */
export function createDeadlines(milliseconds: number): StartDeadline {
  const running = new Set<Running>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const now = performance.now();
    for (const one of running) if (one.until <= now) one.expire();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (callerSignal, onExpire) => {
    let controller: AbortController | undefined;
    let aborted: unknown;
    const abort = (reason: unknown): void => {
      aborted ??= reason;
      controller?.abort(reason);
    };
    const onCallerGone = (): void => abort(callerSignal?.reason);
    const one: Running = {
      until: performance.now() + milliseconds,
      expire() {
        end();
        abort(new DOMException("The operation took too long.", "TimeoutError"));
        onExpire();
      },
    };
    function end(): void {
      running.delete(one);
      if (controller !== undefined) callerSignal?.removeEventListener("abort", onCallerGone);
    }
    running.add(one);
    timer ??= setInterval(tick, TICK).unref();
    return {
      end,
      context: {
        get signal(): AbortSignal {
          if (controller === undefined) {
            controller = new AbortController();
            if (aborted !== undefined) controller.abort(aborted);
            else if (callerSignal?.aborted === true) onCallerGone();
            else callerSignal?.addEventListener("abort", onCallerGone, { once: true });
          }
          return controller.signal;
        },
      },
    };
  };
}
