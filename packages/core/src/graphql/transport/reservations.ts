import { randomUUID } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";

const WAIT = 30_000;
const MOST = 1_000;

/**
 * Tokens of event streams that were asked for and not opened yet (graphql-sse, "single connection mode"). Nobody need
 * ever open one, so each is given up after half a minute, and there is a most.
 */
export function createReservations(giveUp: (token: string) => void): {
  readonly reserve: () => string;
  readonly opened: (token: string) => void;
} {
  const waiting = new Map<string, NodeJS.Timeout>();
  function opened(token: string): void {
    clearTimeout(waiting.get(token));
    waiting.delete(token);
  }
  return {
    opened,
    reserve() {
      if (waiting.size >= MOST) {
        throw new BifocalError("UNAVAILABLE", "Too many event streams wait to be opened.", {
          headers: { "Retry-After": String(WAIT / 1000) },
        });
      }
      const token = randomUUID();
      const timer = setTimeout(() => {
        waiting.delete(token);
        giveUp(token);
      }, WAIT);
      timer.unref();
      waiting.set(token, timer);
      return token;
    },
  };
}
