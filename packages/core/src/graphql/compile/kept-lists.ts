import { createOwnedLists, type OwnerPlace } from "../../operation/owned-lists.ts";
import type { WriteRows } from "./compiler.ts";
import { inOnePiece } from "./kept-texts.ts";

/** Maximum size of all texts, in bytes. */
const MAX_BYTES = 16_777_216;
const MAX_CHARACTERS = 65_536;

const createLists = createOwnedLists(MAX_BYTES);

/**
 * Caches the text of lists that are read again. `findOwners` returns undefined if the text depends on more than the
 * rows and those that they refer to.
 */
export function keepLists(write: WriteRows, findOwners: () => readonly OwnerPlace[] | undefined): WriteRows {
  const lists = createLists<string>();
  let found: { readonly owners: readonly OwnerPlace[] | undefined } | undefined;
  let isRepeated = false;

  return (text, raw, places) => {
    // Most documents that differ each time run once.
    if (!isRepeated) {
      isRepeated = true;
      return write(text, raw, places);
    }
    found ??= { owners: findOwners() };
    const slot = found.owners && lists.slotOf(raw, found.owners, places);
    if (slot === undefined) return write(text, raw, places);
    if (slot.value !== undefined) return text + slot.value;
    const own = write("", raw, places);
    return text + (own.length > MAX_CHARACTERS ? own : slot.fill(inOnePiece(own), 2 * own.length));
  };
}
