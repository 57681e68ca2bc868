import type { Bus, BusListener } from "./bus.ts";

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
