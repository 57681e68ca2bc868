import { LinkedList, type Link, type StoreLoad } from "@bifocal/core/store";

/** A place in the line: since when. */
export type Turn = Link<number>;

/** Who waits for a connection of a pool, in the order in which they came. */
export class WaitingLine {
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
