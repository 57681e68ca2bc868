import type { StoreLoad } from "@bifocal/core/store";

/** A place in the line. */
export interface Turn {
  readonly since: number;
}

/** Who waits for a connection of a pool, in the order in which they came. */
export class WaitingLine {
  readonly #turns = new Set<Turn>();

  enter(): Turn {
    const turn = { since: performance.now() };
    this.#turns.add(turn);
    return turn;
  }

  leave(turn: Turn): void {
    this.#turns.delete(turn);
  }

  readonly load = (): StoreLoad => {
    const [first] = this.#turns;
    return { waiting: this.#turns.size, longest: first === undefined ? 0 : performance.now() - first.since };
  };
}
