import type { GraphQLSchema } from "graphql";
import type { Row } from "../../model/model.ts";
import { createShareByKey, type ShareByKey } from "../../util/share-by-key.ts";

/** Returns `text` with consecutive fields of a row appended, which need nothing but the row itself. */
export type WriteRun = (text: string, row: Row) => string;

/** Maximum estimated size of the runs of a schema, in bytes. */
const MAX_BYTES = 1_048_576;
/** Estimated size of a run for each character of its key, which names its fields. */
const BYTES_PER_CHARACTER = 32;

const SHARED = new WeakMap<GraphQLSchema, ShareByKey<WriteRun>>();

/**
 * Returns a function that shares runs among the documents of a schema. Different documents often select the same fields
 * of a type, and a run caches the texts of rows.
 */
export function sharedRuns(schema: GraphQLSchema): ShareByKey<WriteRun> {
  let share = SHARED.get(schema);
  if (share === undefined) {
    share = createShareByKey(MAX_BYTES, BYTES_PER_CHARACTER);
    SHARED.set(schema, share);
  }
  return share;
}
