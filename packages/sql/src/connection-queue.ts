import { LinkedList, type Link } from "@bifocal/core/internal";
import type { StoreLoad } from "@bifocal/core/store";

/** An entry in the queue, with the time at which it began to wait. */
export type Turn = Link<number>;

/** The callers that wait for a connection of a pool, in order of arrival. */
export class ConnectionQueue {
  readonly #turns = new LinkedList<number>();

  enter(): Turn {
    return this.#turns.add(performance.now());
  }

  leave(turn: Turn): void {
    this.#turns.remove(turn);
  }

  readonly load = (): StoreLoad => {
    const { size, first } = this.#turns;
    return { waiting: size, longest: first === undefined ? 0 : performance.now() - first };
  };
}
