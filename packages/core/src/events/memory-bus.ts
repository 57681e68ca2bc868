import type { Bus, BusListener } from "./bus.ts";

/** A bus within one process: APIs that are given the same one hear each other. */
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
