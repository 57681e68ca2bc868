/** An entry of a linked list. */
export interface Link<Value> {
  readonly value: Value;
}

interface OwnLink<Value> extends Link<Value> {
  isIn: boolean;
  previous: OwnLink<Value> | undefined;
  next: OwnLink<Value> | undefined;
}

/**
 * A list with fast insertion and removal, in the order of insertion. A `Set` would keep garbage alive: V8 replaces its
 * hash table after a number of changes, and each old table references its successor and all former entries. Once such a
 * table is in the old generation, everything added later survives until the next full collection.
 */
export class LinkedList<Value> {
  #first: OwnLink<Value> | undefined;
  #last: OwnLink<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The oldest value in the list. */
  get first(): Value | undefined {
    return this.#first?.value;
  }

  add(value: Value): Link<Value> {
    const link: OwnLink<Value> = { value, isIn: true, previous: this.#last, next: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size++;
    return link;
  }

  /** Removing an entry twice has no effect. */
  remove(given: Link<Value>): void {
    const link = given as OwnLink<Value>;
    if (!link.isIn) return;
    const { previous, next } = link;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    link.isIn = false;
    // A removed entry must not keep its former neighbors alive.
    link.previous = undefined;
    link.next = undefined;
    this.#size--;
  }

  values(): Value[] {
    return [...this];
  }

  /** The entry of a value can be removed once it has been returned. */
  *[Symbol.iterator](): Generator<Value, undefined> {
    let link = this.#first;
    while (link !== undefined) {
      const { value, next } = link;
      yield value;
      link = next;
    }
  }
}
