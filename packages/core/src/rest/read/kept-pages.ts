import type { ResourceModel, Row } from "../../model/model.ts";
import { rowVersion } from "../../model/row-version.ts";
import { formatId, keyOf } from "../../operation/key.ts";
import { createOwnedLists, type OwnedLists, type OwnerPlace } from "../../operation/owned-lists.ts";
import type { Selection } from "../../operation/selection.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import { createListCaches } from "../../util/list-caches.ts";
import { hashTag } from "../response/headers.ts";
import { areFrozen, type Representation, REPRESENTATION, serializeRows } from "../response/representation.ts";

/** A cached page with its body, its entity tag and its last links. */
export interface KeptPage {
  readonly body: Uint8Array;
  readonly tag: string;
  link?: { readonly key: string; readonly header: string };
}

/** Maximum size of one page, and of all pages of each kind, in bytes. */
const MAX_PAGE = 65_536;
const MAX_BYTES = 16_777_216;

const WHOLE = createListCaches<Representation>(MAX_BYTES)<KeptPage>();
const createLists = createOwnedLists(MAX_BYTES);

/** The pages of each selection that was read twice. Lists whose query isn't cached have a new selection each time. */
const SELECTED = new WeakMap<Selection, SelectedPages | "once">();

interface SelectedPages {
  readonly lists: OwnedLists<KeptPage>;
  readonly owners: readonly OwnerPlace[];
}

/**
 * Returns a page of whole rows. Frozen ones always result in the same page, and their versions identify it as well as
 * its text. Returns undefined if the rows aren't frozen.
 */
export function keepWholePage(resource: ResourceModel, rows: readonly Representation[]): KeptPage | undefined {
  const slot = WHOLE.slotOf(rows);
  if (slot?.value !== undefined) return slot.value;
  if (rows.length === 0 || (slot === undefined && !areFrozen(rows))) return undefined;
  // A write counter is only unique together with the key.
  const tag = hashTag(
    rows.map((row) => `${formatId(resource, keyOf(resource, row as Row))} ${rowVersion(resource, row as Row)}`).join(),
  );
  const page = { body: Buffer.from(serializeRows(rows)), tag };
  if (page.body.byteLength <= MAX_PAGE) slot?.fill(page, page.body.byteLength);
  return page;
}

/** Returns a page of selected fields, and of rows that these rows refer to. Returns undefined if it isn't read again. */
export function keepSelectedPage(selection: Selection, page: RowPage): KeptPage | undefined {
  const pages = selectedPages(selection);
  const slot = page.raw && pages?.lists.slotOf(page.raw, pages.owners, NO_PLACES);
  if (slot === undefined || slot.value !== undefined) return slot?.value;
  const text = serializeRows(page.write(REPRESENTATION, selection));
  const kept = { body: Buffer.from(text), tag: hashTag(text) };
  if (kept.body.byteLength <= MAX_PAGE) slot.fill(kept, kept.body.byteLength);
  return kept;
}

const NO_PLACES: readonly string[] = [];

function selectedPages(selection: Selection): SelectedPages | undefined {
  const before = SELECTED.get(selection);
  if (before === undefined) {
    SELECTED.set(selection, "once");
    return undefined;
  }
  if (before !== "once") return before;
  const owners = ownerPlaces(selection);
  const pages = owners && { owners, lists: createLists<KeptPage>() };
  if (pages !== undefined) SELECTED.set(selection, pages);
  return pages;
}

/** Returns undefined if a relation has several rows or groups. */
function ownerPlaces({ relations }: Selection): readonly OwnerPlace[] | undefined {
  const places: OwnerPlace[] = [];
  for (const { as, page, aggregation, selection } of relations) {
    const beneath = page === undefined && aggregation === undefined ? ownerPlaces(selection) : undefined;
    if (beneath === undefined) return undefined;
    places.push({ placeOf: () => as, beneath });
  }
  return places;
}
