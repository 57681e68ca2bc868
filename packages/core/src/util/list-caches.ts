/** The place for the value of a list. Empty until `fill` is called. */
export interface Slot<Value> {
  readonly value: Value | undefined;
  /** Stores the value, whose size is estimated in bytes, and returns it. */
  readonly fill: (value: Value, bytes: number) => Value;
}

/** Caches a value for lists of frozen objects. Such a list is found again by the same objects in the same order. */
export interface ListCache<Item, Value> {
  /**
   * Returns undefined for lists that are new, not frozen, or long. A list gets its slot when it is seen again, so that a
   * list that is seen once costs little.
   */
  readonly slotOf: (list: readonly Item[]) => Slot<Value> | undefined;
}

const MAX_LENGTH = 1_024;
/** Estimated size of an entry, and of each object in its list, in bytes. The objects usually belong to a store. */
const ENTRY = 256;
const ITEM = 8;

/** The lists of a group of caches, the oldest first. */
class Lists<Item extends object> {
  readonly #entries: Entry<Item, unknown>[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(entry: Entry<Item, unknown>): void {
    this.#entries.push(entry);
    this.resize(entry, entry.bytes);
  }

  resize(entry: Entry<Item, unknown>, bytes: number): void {
    if (entry.isRemoved) return;
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest.bytes;
      oldest.remove();
    }
  }
}

class Entry<Item extends object, Value> implements Slot<Value> {
  /** A copy, because the owner of the list may change it. */
  list: readonly Item[];
  bytes: number;
  value: Value | undefined;
  isRemoved = false;
  /** Undefined until the list is seen again. */
  #isFrozen: boolean | undefined;
  readonly #lists: Lists<Item>;
  readonly #cache: WeakMap<Item, Entry<Item, Value>>;

  constructor(list: readonly Item[], cache: WeakMap<Item, Entry<Item, Value>>, lists: Lists<Item>) {
    this.list = list.slice();
    this.bytes = ENTRY + ITEM * list.length;
    this.#cache = cache;
    this.#lists = lists;
  }

  get isFrozen(): boolean {
    return (this.#isFrozen ??= this.list.every(Object.isFrozen));
  }

  replace(list: readonly Item[]): void {
    this.list = list.slice();
    this.value = undefined;
    this.#isFrozen = undefined;
    this.#resize(ENTRY + ITEM * list.length);
  }

  fill(value: Value, bytes: number): Value {
    this.value = value;
    this.#resize(ENTRY + ITEM * this.list.length + bytes);
    return value;
  }

  remove(): void {
    this.isRemoved = true;
    this.#cache.delete(this.list[0] as Item);
  }

  #resize(bytes: number): void {
    const more = bytes - this.bytes;
    this.bytes = bytes;
    this.#lists.resize(this, more);
  }
}

/** Returns a function that creates caches. Together they take at most `maxBytes`, and drop the oldest lists first. */
export function createListCaches<Item extends object>(maxBytes: number): <Value>() => ListCache<Item, Value> {
  const lists = new Lists<Item>(maxBytes);
  return <Value>() => {
    const cache = new WeakMap<Item, Entry<Item, Value>>();
    return {
      slotOf(list) {
        const [first] = list;
        if (first === undefined || list.length > MAX_LENGTH) return undefined;
        const entry = cache.get(first);
        if (entry !== undefined) {
          if (isSameList(entry.list, list)) return entry.isFrozen ? entry : undefined;
          entry.replace(list);
          return undefined;
        }
        // Most stores create their objects for each read, so these would never be found again.
        if (!Object.isFrozen(first)) return undefined;
        const added = new Entry(list, cache, lists);
        cache.set(first, added);
        lists.add(added);
        return undefined;
      },
    };
  };
}

/** Whether two lists have the same objects in the same order. */
export function isSameList(one: readonly object[], other: readonly object[]): boolean {
  if (one.length !== other.length) return false;
  // The last objects of two pages differ more often than the first ones.
  for (let index = one.length - 1; index >= 0; index--) if (one[index] !== other[index]) return false;
  return true;
}
