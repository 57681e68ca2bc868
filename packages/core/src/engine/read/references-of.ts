import type { Key, RelationModel, Row } from "../../model/model.ts";
import { referenceOf, type Token, tokenReader } from "../../model/reference.ts";
import { createListCaches, type ListCache } from "../../util/list-caches.ts";

/** The distinct references of some rows: their tokens in order, and the values that the store looks up. */
export interface References {
  readonly places: Places;
  readonly values: readonly Key[];
}

export type Places = ReadonlyMap<Token, number>;

/** Maximum size of all cached references, and estimated size of those of one row, in bytes. */
const MAX_BYTES = 4_194_304;
const REFERENCE = 64;
/** The references of fewer rows take no longer to collect than to find. */
const MIN_ROWS = 8;

const createCache = createListCaches<Row>(MAX_BYTES);
const REFERENCES = new WeakMap<RelationModel, ListCache<Row, References>>();

/** Returns the references of some rows. Those of rows that are read repeatedly are cached. */
export function referencesOf(relation: RelationModel, rows: readonly Row[]): References {
  if (rows.length < MIN_ROWS) return collectReferences(relation, rows);
  let cache = REFERENCES.get(relation);
  if (cache === undefined) REFERENCES.set(relation, (cache = createCache()));
  const slot = cache.slotOf(rows);
  if (slot?.value !== undefined) return slot.value;
  const references = collectReferences(relation, rows);
  return slot?.fill(references, REFERENCE * rows.length) ?? references;
}

function collectReferences({ local }: RelationModel, rows: readonly Row[]): References {
  const tokenOfRow = tokenReader(local);
  const isSingle = local.length === 1;
  const places = new Map<Token, number>();
  const values: Key[] = [];
  for (const row of rows) {
    const token = tokenOfRow(row);
    if (token === null || places.has(token)) continue;
    places.set(token, values.length);
    values.push(isSingle ? token : (referenceOf(local, row) as Key));
  }
  return { places, values };
}
