/** A place in a chain. */
export interface Link<Value> {
  readonly value: Value;
}

interface OwnLink<Value> extends Link<Value> {
  isIn: boolean;
  previous: OwnLink<Value> | undefined;
  next: OwnLink<Value> | undefined;
}

/**
 * Values that come and go in great number, in the order in which they came. A `Set` says the same, but V8 makes its table
 * anew every so many changes, and each old table goes on pointing at the next one and at all that was in it: once one has
 * lived long, everything that came after it stays until the next full collection.
 */
export class LinkedList<Value> {
  #first: OwnLink<Value> | undefined;
  #last: OwnLink<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one that came before all others that are in. */
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

  /** Of one that is out already nothing happens. */
  remove(given: Link<Value>): void {
    const link = given as OwnLink<Value>;
    if (!link.isIn) return;
    const { previous, next } = link;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    link.isIn = false;
    // What is out keeps nothing alive.
    link.previous = undefined;
    link.next = undefined;
    this.#size--;
  }

  /** Those that are in now. */
  values(): Value[] {
    const values: Value[] = [];
    for (let link = this.#first; link !== undefined; link = link.next) values.push(link.value);
    return values;
  }
}
