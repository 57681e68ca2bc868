import type { Row } from "../model/model.ts";
import { createListCaches, isSameList, type ListCache, type Slot } from "../util/list-caches.ts";
import type { RawRelations, RawRows } from "./visible-rows.ts";

/** A relation to the one row that a row refers to, and those of that row. */
export interface OwnerPlace {
  /** Returns the `as` of the relation. `places` contains those that differ between executions. */
  readonly placeOf: (places: readonly string[]) => string;
  readonly beneath: readonly OwnerPlace[];
}

/** Caches a value for lists of frozen rows, which depends on the rows and on those that they refer to. */
export interface OwnedLists<Value> {
  /** Returns undefined for lists that are new, not frozen, or long. */
  readonly slotOf: (raw: RawRows, owners: readonly OwnerPlace[], places: readonly string[]) => Slot<Value> | undefined;
}

/** Size of a reference to a row, in bytes. */
const ROW = 8;

/** A value, with everything that it depends on besides the rows of its list. */
class Owned<Value> implements Slot<Value> {
  value: Value | undefined;
  readonly places: readonly string[];
  readonly owners: readonly (readonly Row[])[];
  readonly #slot: Slot<Owned<Value>>;

  constructor(slot: Slot<Owned<Value>>, places: readonly string[], owners: readonly (readonly Row[])[]) {
    this.#slot = slot;
    this.places = places;
    // Copies, because a store may change its lists.
    this.owners = owners.map((rows) => rows.slice());
  }

  fill(value: Value, bytes: number): Value {
    this.value = value;
    const rows = this.owners.reduce((sum, { length }) => sum + length, 0);
    if (this.owners.every(areFrozen)) this.#slot.fill(this, bytes + ROW * rows);
    return value;
  }
}

/** Returns a function that creates caches. Together they take at most `maxBytes`, and drop the oldest lists first. */
export function createOwnedLists(maxBytes: number): <Value>() => OwnedLists<Value> {
  const createCache = createListCaches<Row>(maxBytes);
  return <Value>() => {
    const cache: ListCache<Row, Owned<Value>> = createCache();
    return {
      slotOf({ rows, related }, ownerPlaces, places) {
        const slot = cache.slotOf(rows);
        const owners: (readonly Row[])[] = [];
        if (slot === undefined || !addOwners(owners, ownerPlaces, related, places)) return undefined;
        const { value: before } = slot;
        const isKnown = before !== undefined && before.places === places && isEachSame(before.owners, owners);
        return isKnown ? before : new Owned(slot, places, owners);
      },
    };
  };
}

/** Adds the rows of each relation. Returns false if a relation doesn't have them. */
function addOwners(
  lists: (readonly Row[])[],
  owners: readonly OwnerPlace[],
  related: RawRelations,
  places: readonly string[],
): boolean {
  for (const { placeOf, beneath } of owners) {
    const relation = related.get(placeOf(places));
    if (relation?.owners === undefined) return false;
    lists.push(relation.owners);
    if (relation.owners.length > 0 && !addOwners(lists, beneath, relation.related, places)) return false;
  }
  return true;
}

function isEachSame(before: readonly (readonly Row[])[], now: readonly (readonly Row[])[]): boolean {
  return before.length === now.length && before.every((rows, index) => isSameList(rows, now[index] as readonly Row[]));
}

function areFrozen(rows: readonly Row[]): boolean {
  return rows.every(Object.isFrozen);
}
