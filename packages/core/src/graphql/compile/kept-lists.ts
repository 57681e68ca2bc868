import type { Row } from "../../model/model.ts";
import type { RawRelations, RawRows } from "../../operation/visible-rows.ts";
import { createListCaches, isSameList, type Slot } from "../../util/list-caches.ts";
import type { PlaceOf, RelationPlaces, WriteRows } from "./compiler.ts";
import { inOnePiece } from "./kept-texts.ts";

/** A relation to the one row that a row refers to, and those of that row. */
export interface OwnerPlace {
  readonly placeOf: PlaceOf;
  readonly beneath: readonly OwnerPlace[];
}

/** The text of a list, with everything that it depends on besides the rows of the list. */
interface Written {
  readonly places: RelationPlaces;
  /** The rows of each relation. */
  readonly owners: readonly (readonly Row[])[];
  readonly text: string;
}

/** Maximum size of all texts, in bytes. */
const MAX_BYTES = 16_777_216;
const MAX_CHARACTERS = 65_536;
/** Size of a reference to a row, in bytes. */
const ROW = 8;

const createCache = createListCaches<Row>(MAX_BYTES);

/** Caches the text of lists whose rows refer to others. The same rows with the same owners have the same text. */
export function keepLists(write: WriteRows, findOwners: () => readonly OwnerPlace[] | undefined): WriteRows {
  const texts = createCache<Written>();
  let found: { readonly owners: readonly OwnerPlace[] | undefined } | undefined;

  function writeAgain(slot: Slot<Written>, raw: RawRows, places: RelationPlaces): string {
    found ??= { owners: findOwners() };
    const owners: (readonly Row[])[] = [];
    const isComplete = found.owners !== undefined && addOwners(owners, found.owners, raw.related, places);
    const { value: before } = slot;
    if (before !== undefined && isComplete && before.places === places && isEachSame(before.owners, owners))
      return before.text;
    const text = write("", raw, places);
    if (!isComplete || text.length > MAX_CHARACTERS || !owners.every(areFrozen)) return text;
    // Copies, because a store may change its lists.
    const copies = owners.map((rows) => rows.slice());
    const rows = copies.reduce((sum, { length }) => sum + length, 0);
    return slot.fill({ places, owners: copies, text: inOnePiece(text) }, 2 * text.length + ROW * rows).text;
  }

  let isRepeated = false;

  return (text, raw, places) => {
    // Most documents that differ each time run once.
    if (!isRepeated) {
      isRepeated = true;
      return write(text, raw, places);
    }
    const slot = found !== undefined && found.owners === undefined ? undefined : texts.slotOf(raw.rows);
    return slot === undefined ? write(text, raw, places) : text + writeAgain(slot, raw, places);
  };
}

/** Adds the rows of each relation. Returns false if a relation doesn't have them. */
function addOwners(
  lists: (readonly Row[])[],
  owners: readonly OwnerPlace[],
  related: RawRelations,
  places: RelationPlaces,
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
