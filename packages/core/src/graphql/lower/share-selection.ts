import type { Model } from "../../model/model.ts";
import type { Selection } from "../../operation/selection.ts";
import { createShareByKey, type ShareByKey } from "../../util/share-by-key.ts";

/** Maximum estimated size of the shared selections of a model, in bytes. */
const MAX_BYTES = 1_048_576;
/** Estimated size of a selection and its plan for each character of its key. */
const BYTES_PER_CHARACTER = 64;
/** Maximum length, in characters, of the key of a shared selection. */
const MAX_KEY_LENGTH = 1_000;

const SHARED = new WeakMap<Model, ShareByKey<Selection>>();

/**
 * Returns the selection with this key that an earlier document had, or makes it. Different documents often select the
 * same, and the engine caches the plan of a selection.
 */
export function shareSelection(model: Model, key: string, make: () => Selection): Selection {
  if (key.length > MAX_KEY_LENGTH) return make();
  let share = SHARED.get(model);
  if (share === undefined) {
    share = createShareByKey(MAX_BYTES, BYTES_PER_CHARACTER);
    SHARED.set(model, share);
  }
  return share(key, make);
}
