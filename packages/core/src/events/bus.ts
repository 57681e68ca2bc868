import type { MaybePromise } from "../util/maybe-promise.ts";

/**
 * A driver that carries small messages between the instances of an API. It delivers each message at most once, to
 * connected instances. Lost messages are tolerated: the changes are found in another way or reported as missed.
 */
export interface Bus {
  /** Maximum size of a message, in bytes of UTF-8. Default: 65,536. */
  readonly messageBytes?: number;
  /** Sends a message to all subscribers. Whether the sender receives it too makes no difference. Rejects on failure. */
  publish(message: string): MaybePromise<void>;
  /** Listens from now on, and reconnects automatically. Returns a function that ends the subscription. */
  subscribe(listener: BusListener): () => void;
  close?(): MaybePromise<void>;
}

export interface BusListener {
  readonly message: (text: string) => void;
  /** Called when the bus listens again after it may have missed messages. */
  readonly missed: () => void;
}

/** Creates a bus within one process. APIs with the same bus receive each other's messages. */
export function memoryBus(): Bus {
  const listeners = new Set<BusListener>();
  return {
    publish(message) {
      for (const listener of listeners) listener.message(message);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
}
